import { describe, expect, it } from 'vitest'
import { cited, markdown, setUpBridge } from '#test/support/bridge/set-up.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'

async function withFiles(options: Parameters<typeof setUpBridge>[0] = {}) {
  const all = await setUpBridge(options)
  all.chat.drop([markdown('leave.md', '30 days of leave.')])
  await all.shows(/leave.*ready/)
  return all
}

describe('when the files do not answer', () => {
  it.each([
    ['the model says the word', 'NOT_IN_FILES'],
    [
      'the model says the word although passages came',
      cited('x', 'leave.md', 'y').replace('x [RREF1]', 'NOT_IN_FILES'),
    ],
    ['no passage came', 'The moon is made of cheese.'],
    [
      'the model says so without a mark',
      cited('x', 'leave.md', 'y').replace('x [RREF1]', 'The passages do not answer this.'),
    ],
  ])('and %s, that is said in our own words and nothing else', async (_, reply) => {
    const { chat, platform, shows, store } = await withFiles()
    platform.script.answer(reply)
    chat.mention('What is the moon made of these days?', { thread: 't1' })
    const shown = await shows(/Not in this channel/)
    expect(shown.text).toBe('**Not in this channel’s files.** I searched 1 file and found nothing that answers it.')
    expect(shown.outgoing.references).toEqual([])
    expect(shown.outgoing.actions?.map(({ label }) => label)).toEqual(['Ask a person', '👍', '👎'])
    expect(await store().answers.unanswered('fake:W1:C1', 5)).toMatchObject([
      { question: 'What is the moon made of these days?', askerName: 'Anna', outcome: 'nothing' },
    ])
  })

  it('the words that were searched for are told where they were completed', async () => {
    const { chat, platform, shows } = await withFiles()
    platform.script.answer(
      cited('Thirty.', 'leave.md', '30 days of leave.'),
      'Days of *leave* in winter?',
      'NOT_IN_FILES',
    )
    chat.mention('How many days of leave are there?', { thread: 't1' })
    await shows(/Thirty/)
    chat.say('And in winter?', { thread: 't1' })
    expect((await shows(/Not in/)).text).toContain('I searched 1 file for “Days of leave in winter?” and found')
  })

  it('what was compared is asked at the time of the answer', async () => {
    let searchesMeaning = false
    const { chat, platform, shows } = await withFiles({ searchesMeaning: () => searchesMeaning })
    searchesMeaning = true
    platform.script.answer('NOT_IN_FILES')
    chat.mention('What is the moon made of these days?')
    expect((await shows(/Not in this channel/)).text).toContain('I searched 1 file')
  })

  it('what the model streamed before it is taken back', async () => {
    const { chat, platform, shows, texts } = await withFiles()
    platform.script.answer([
      { type: 'text', text: 'The passages do not ' },
      { type: 'text', text: 'mention any moon.' },
    ])
    chat.mention('What is the moon made of these days?')
    await shows(/Not in this channel/)
    expect(texts()).toHaveLength(2)
  })

  it('is said in the language of the question, and in a direct conversation of its own files', async () => {
    const { chat, platform, shows } = await withFiles()
    platform.script.answer('NOT_IN_FILES', 'NOT_IN_FILES')
    chat.mention('Woraus besteht der Mond?', { author: { id: 'U3', name: 'Cem', language: 'en-GB' } })
    await shows(/Das steht nicht in den Dateien dieses Kanals/)
    chat.direct('', { files: [markdown('mine.md', 'x')] })
    await shows(/mine.*ready/)
    chat.direct('What is the moon made of?')
    const shown = await shows(/Not in your files here/)
    expect(shown.outgoing.isUnsure).toBe(true)
    expect(shown.outgoing.actions?.map(({ label }) => label)).toEqual(['👍', '👎'])
  })

  it('shows the nearest passages as such, without links or markup, and claims nothing about meaning', async () => {
    const { chat, platform, shows } = await withFiles({ searchesMeaning: () => false, models: ['extractive'] })
    const passage = '30 days of leave.'
    platform.script.answer(cited('x', 'leave.md', passage).replace('x [RREF1]', 'Not found in this collection.'))
    chat.mention('How much vacation?', { thread: 't1' })
    const { text, outgoing } = await shows(/not sure that the files/)
    expect(text).toBe(
      '**I am not sure that the files answer this.** I looked for the words of your question in 1 file.\n\n' +
        'These passages may help:\n- 30 days of leave. [1]',
    )
    // They open as the passages of an answer do.
    expect(outgoing.references).toMatchObject([{ number: 1, file: 'leave.md', place: 'L1', passage }])
    expect(outgoing.isUnsure).toBe(true)
    expect(outgoing.model).toBeUndefined()
    expect(outgoing.actions?.map(({ label }) => label)).toContain('Ask a person')
  })

  it('says that a question was searched with the talk before it, without a list of the words', async () => {
    const { chat, platform, shows } = await withFiles({ searchesMeaning: () => false, models: ['extractive'] })
    platform.script.answer('Not found in this collection.', 'Not found in this collection.')
    chat.mention('How much vacation?', { thread: 't1' })
    await shows(/words of your question in 1 file/)
    chat.mention('And is it paid?', { thread: 't1' })
    expect((await shows(/what was said before/)).text).toContain(
      'I looked for the words of your question and of what was said before in 1 file.',
    )
  })

  it('quotes in its text what its passages are marked with', async () => {
    const { chat, platform, shows } = await withFiles({ searchesMeaning: () => false, models: ['extractive'] })
    const flames = 'Candles, tea lights and any other naked flame are forbidden.'
    const passage = `We use LED strings only, and I answer that spare batteries are carried by the sweep team. ${flames} The sweep team meets at half past six in the yard behind the mill.`
    chat.drop([markdown('lights.md', passage)])
    await shows(/lights.*ready/)
    const reply = 'I am not sure that this collection answers it. The sweep team carries batteries.'
    platform.script.answer(cited('x', 'lights.md', passage).replace('x [RREF1]', reply))
    chat.mention('Are candles allowed in the lanterns?', { thread: 't1' })
    const { text, outgoing } = await shows(/not sure that the files/)
    expect(text).toContain(`- ${flames} [1]`)
    expect(outgoing.references).toMatchObject([{ support: flames, passage }])
  })

  it('shows a short passage whole', async () => {
    const { chat, platform, shows } = await withFiles({ searchesMeaning: () => false, models: ['extractive'] })
    const passage = 'Ring the office before seven. A note of a doctor is due on the third day.'
    chat.drop([markdown('absence.md', passage)])
    await shows(/absence.*ready/)
    platform.script.answer(cited('x', 'absence.md', passage).replace('x [RREF1]', 'Not found in this collection.'))
    chat.mention('When does the doctor write a note?', { thread: 't1' })
    expect((await shows(/not sure that the files/)).text).toContain(`- ${passage} [1]`)
  })

  it('shows a title with the lines below it', async () => {
    const { chat, platform, shows } = await withFiles({ searchesMeaning: () => false, models: ['extractive'] })
    const passage = 'Risks. The car park floods. One driver only.'
    chat.drop([markdown('risks.md', passage)])
    await shows(/risks.*ready/)
    platform.script.answer(cited('x', 'risks.md', passage).replace('x [RREF1]', 'Not found in this collection.'))
    chat.mention('What are the risks?', { thread: 't1' })
    expect((await shows(/not sure that the files/)).text).toContain(
      '- Risks. The car park floods. One driver only. [1]',
    )
  })

  it('thanks get a plain word and are no gap', async () => {
    const { chat, platform, shows, store } = await withFiles()
    platform.script.answer('You are welcome!')
    chat.mention('Thanks!')
    expect((await shows(/welcome/)).text).toBe('You are welcome!')
    expect(platform.script.requests[0]?.collection).toBeUndefined()
    expect(await store().answers.unanswered('fake:W1:C1', 5)).toEqual([])
  })

  it('a greeting gets help where no model can converse', async () => {
    const { chat, platform, shows } = await withFiles({ models: ['extractive'] })
    chat.mention('Hello!')
    expect((await shows(/Mention me with a question/)).outgoing.actions).toBeUndefined()
    expect(platform.script.requests).toEqual([])
  })

  it('marks that can not be resolved are no reason to take an answer back', async () => {
    const { chat, platform, shows } = await withFiles()
    platform.script.answer('Thirty days [RREF1].\n\nReferences:\nsee the handbook, page three')
    chat.mention('How many days of leave are there?')
    expect((await shows(/Thirty days/)).outgoing.kind).toBe('answer')
  })

  it('a question that was changed into one with an answer is no gap any more', async () => {
    const { chat, platform, shows, store } = await withFiles()
    platform.script.answer('NOT_IN_FILES', cited('Thirty.', 'leave.md', '30 days of leave.'))
    const asked = chat.mention('How many moons are there?')
    await shows(/Not in/)
    chat.rewrite(asked, 'How many days of leave are there?')
    await shows(/Thirty/)
    await expect.poll(() => store().answers.unanswered('fake:W1:C1', 5)).toEqual([])
  })
})

describe('the record of an answer', () => {
  it('is kept of plain and failed ones too', async () => {
    const { chat, platform, shows, store } = await setUpBridge()
    platform.script.answer('Forty-two.', [{ type: 'text', text: 'Half' }, platformFailure('cut')])
    chat.mention('What is the answer?')
    const plain = await shows(/Forty-two/)
    chat.mention('And the question?')
    const failed = await shows(/not complete/)
    const { answers } = store()
    await expect
      .poll(() => answers.ofMessage('fake:W1:C1', plain.id))
      .toMatchObject({ outcome: 'plain', collections: [] })
    await expect.poll(() => answers.ofMessage('fake:W1:C1', failed.id)).toMatchObject({ outcome: 'failed' })
    expect(failed.outgoing.actions?.map(({ label }) => label)).toEqual(['Retry'])
  })

  it('knows its messages also when the process died right after they were shown', async () => {
    const { chat, platform, shows, settled, store, restart } = await withFiles()
    platform.script.answer(cited('Thirty.', 'leave.md', '30 days of leave.'))
    const asked = chat.mention('How many days of leave are there?')
    const { id } = await shows(/Thirty/)
    await settled(asked.inbound.key)
    const known = await store().answers.ofMessage('fake:W1:C1', id)
    if (known === undefined) throw new Error('no record')
    await store().answers.put({ ...known, messages: [] })
    await store().inbox.retry(asked.inbound.key, 0, 'as if it had not ended', 0)
    await restart()
    await settled(asked.inbound.key)
    await expect
      .poll(() => store().answers.ofMessage('fake:W1:C1', id))
      .toMatchObject({ id: known.id, outcome: 'answered' })
  })
})
