import { describe, expect, it } from 'vitest'
import { AdapterError } from '#bridge/port/errors.ts'
import { markdown, setUpBridge, until } from '#test/support/bridge/set-up.ts'
import { inLong } from '#test/support/forms.ts'

const BEN = { id: 'U2', name: 'Ben', language: 'en' } as const
const CEM = { id: 'U3', name: 'Cem', language: 'en' } as const
const DORA = { id: 'U4', name: 'Dora', language: 'en' } as const
const QUESTION = 'How often is the ferry engine serviced?'

/** Anna asked in a thread, and the files do not say. Ben dropped the nearest file, Cem another. */
async function unanswered(options: Parameters<typeof setUpBridge>[0] = {}) {
  const all = await setUpBridge(options)
  const { chat, platform, shows } = all
  chat.drop([markdown('ferry-manual.md', 'The ferry is blue.')], { author: BEN })
  await shows(/ferry-manual.*ready/)
  chat.drop([markdown('canteen.md', 'Soup.')], { author: CEM })
  await shows(/canteen.*ready/)
  platform.script.answer('NOT_IN_FILES')
  chat.mention(QUESTION, { thread: 't1' })
  const answer = await shows(/Not in this channel/)
  return { ...all, answer, gaps: () => all.store().answers.unanswered('fake:W1:C1', 9) }
}

async function asked(options: Parameters<typeof setUpBridge>[0] = {}) {
  const all = await unanswered(options)
  all.chat.press(all.answer.id, 'Ask a person')
  return { ...all, post: await all.shows(/Who knows this/) }
}

async function replied(options: Parameters<typeof setUpBridge>[0] = {}) {
  const all = await asked(options)
  const reply = all.chat.say('Every 500 hours.', { thread: 't1', author: BEN })
  return { ...all, reply, offer: await all.shows(/Shall I save this answer/) }
}

describe('asking a person', () => {
  it('tells those who dropped the nearest files, where the question was asked', async () => {
    const { post } = await asked()
    expect(post.outgoing.notify).toEqual(['U2'])
    expect(post.conversation.thread).toBe('t1')
    expect(post.text).toContain(`> ${QUESTION}`)
  })

  it('finds them by the passages that came although they do not answer', async () => {
    const { chat, platform, shows } = await unanswered()
    const block = '\n-----------------------------------------\nReferences:\n\n[RREF1] canteen.md (0.9)\nSoup.\n'
    platform.script.answer(`NOT_IN_FILES${block}`)
    chat.mention('Who may eat there?', { thread: 't2' })
    const answer = await until(() => chat.visible().find(({ conversation }) => conversation.thread === 't2'))
    await until(() => chat.visible().find(({ id, finished }) => id === answer.id && finished))
    chat.press(answer.id, 'Ask a person')
    expect((await shows(/Who may eat/)).outgoing.notify).toEqual(['U3'])
  })

  it('calls nobody who asked, who left, or who has nothing to do with it', async () => {
    const { chat, shows, answer } = await unanswered()
    chat.room('C1', { members: ['U1', 'U3'] })
    chat.press(answer.id, 'Ask a person')
    const post = await shows(/Who knows this/)
    expect(post.outgoing.notify).toBeUndefined()
    expect(post.text).not.toContain('come nearest')
  })

  it('hears a reply that comes before it is known that the post is out', async () => {
    const { chat, shows } = await unanswered()
    // Where a service has no threads.
    const said = chat.mention(`${QUESTION} Who does it?`)
    const answer = await until(() =>
      chat.visible().find(({ outgoing, finished }) => outgoing.replyTo === said.id && finished),
    )
    chat.fail('post', new AdapterError('ambiguous', 'Nobody knows.'), { after: true })
    const release = chat.hold('find')
    chat.press(answer.id, 'Ask a person')
    const post = await shows(/Who knows this/)
    const reply = chat.say('Every 500 hours.', { replyTo: post.id, author: BEN })
    const talk = chat.say('Me too.', { replyTo: 'm-of-somebody', author: CEM })
    await Promise.all([reply.taken, talk.taken])
    release()
    expect((await shows(/Shall I save this answer/)).outgoing.replyTo).toBe(reply.id)
    expect(chat.visible().filter(({ outgoing }) => outgoing.replyTo === talk.id)).toEqual([])
  })

  it('happens once, whoever presses', async () => {
    const { chat, answer, shows, texts } = await asked()
    chat.press(answer.id, 'Ask a person', CEM)
    expect((await shows(/already asked/)).outgoing.privateTo).toBe('U3')
    expect(texts().filter((text) => text.includes('Who knows'))).toHaveLength(1)
  })

  it('goes to the group that an administrator named for the channel', async () => {
    const { chat, answer, shows, settled } = await unanswered()
    const words = 'ask group @Cem and @Dora'
    await settled(chat.mention(words, { mentions: [CEM, DORA], author: BEN }).inbound.key)
    expect((await shows(/Only somebody who administers/)).outgoing.privateTo).toBe('U2')
    chat.room('C1', { admins: ['U2'] })
    await settled(chat.mention(words, { mentions: [CEM, DORA], author: BEN }).inbound.key)
    await shows(/asks Cem, Dora here/)
    chat.press(answer.id, 'Ask a person')
    expect((await shows(/Who knows this/)).outgoing.notify).toEqual(['U3', 'U4'])
    chat.mention('ask group off', { author: BEN })
    await shows(/again asks the people/)
    chat.mention('ask group')
    await shows(/`ask group @…` names others/)
  })

  it('cut off before it was out is done after a restart, once', inLong, async () => {
    const { chat, answer, restart, shows, texts } = await unanswered()
    chat.fail('post', new AdapterError('network', 'Not reached.'))
    const pressed = chat.press(answer.id, 'Ask a person')
    await pressed.taken
    await restart()
    const job = await until(() => texts().some((text) => text.includes('Who knows')) || undefined)
    expect(job).toBe(true)
    expect((await shows(/Who knows this/)).outgoing.notify).toEqual(['U2'])
    expect(texts().filter((text) => text.includes('Who knows'))).toHaveLength(1)
  })
})

describe('a reply to what people were asked', () => {
  it('is offered to be filed, and becomes a cited file by a press of who asked', async () => {
    const { chat, platform, offer, post, shows, settled, gaps, texts, store } = await replied()
    expect(await gaps()).toHaveLength(1)
    expect(offer.outgoing.replyTo).not.toBe(post.id)
    await settled(chat.press(offer.id, 'Save this answer').inbound.key)
    await shows(/ferry engine.*ready/)
    const [collection = ''] = platform.script.collections()
    const file = platform.script.stored(collection).find(({ name }) => name.includes('How often'))
    const text = new TextDecoder().decode(file?.bytes)
    expect(text).toMatch(/^---\nquestion: "How often is the ferry engine serviced\?"\nasked-by: "Anna"\n/)
    expect(text).toContain('answered-by: "Ben"')
    expect(text).toContain('link: "https://chat.example/C1/')
    expect(text).toMatch(/---\n\n# How often is the ferry engine serviced\?\n\nEvery 500 hours\.\n\nAnswered by Ben/)
    await expect.poll(gaps).toEqual([])
    const shown = chat.visible().find(({ id }) => id === offer.id)
    expect(shown?.text).toMatch(/Saved: the answer of Ben/)
    expect(shown?.outgoing.actions).toBeUndefined()
    const entry = (await store().files.ofCollection(collection))[0]
    expect(entry).toMatchObject({ droppedBy: 'U2', droppedByName: 'Ben', state: 'ready' })
    expect(texts().filter((line) => line.includes('Not in this'))).toHaveLength(1)
  })

  it('can be given as a reply where the service has no threads, also with somebody mentioned', async () => {
    const all = await setUpBridge()
    const { chat, platform, shows } = all
    chat.drop([markdown('ferry-manual.md', 'The ferry is blue.')], { author: BEN })
    await shows(/ferry-manual.*ready/)
    platform.script.answer('NOT_IN_FILES')
    chat.mention(QUESTION)
    const answer = await shows(/Not in this channel/)
    chat.press(answer.id, 'Ask a person')
    const post = await shows(/Who knows this/)
    chat.say('@Anna every 500 hours', { replyTo: post.id, mentionsOthers: true, author: BEN })
    const offer = await shows(/Shall I save this answer/)
    chat.press(offer.id, 'Save this answer', BEN)
    expect((await shows(/Saved: the answer of Ben/)).id).toBe(offer.id)
  })

  it('is not filed by somebody who neither asked nor replied', async () => {
    const { chat, offer, shows, gaps } = await replied()
    chat.press(offer.id, 'Save this answer', DORA)
    expect((await shows(/Only the person who asked or the one who replied/)).outgoing.privateTo).toBe('U4')
    expect(await gaps()).toHaveLength(1)
  })

  it('that is not to be filed leaves the question open for another', async () => {
    const { chat, offer, shows, gaps } = await replied()
    chat.press(offer.id, 'No', BEN)
    await shows(/Not saved/)
    expect(await gaps()).toHaveLength(1)
    chat.say('Every 400 hours, really.', { thread: 't1', author: CEM })
    const other = await shows(/Thank you, Cem/)
    chat.press(other.id, 'Save this answer', CEM)
    expect((await shows(/Saved: the answer of Cem/)).id).toBe(other.id)
  })

  it('may have more to it: what others add stands in the same file, an edited word as it was edited', async () => {
    const { chat, platform, reply, offer, settled, texts, shows } = await replied()
    await settled(chat.say('Or once a year.', { thread: 't1', author: CEM }).inbound.key)
    await settled(chat.rewrite(reply, 'Every 600 hours.').inbound.key)
    chat.press(offer.id, 'Save this answer')
    await shows(/Saved: /)
    const [collection = ''] = platform.script.collections()
    const file = platform.script.stored(collection).find(({ name }) => name.includes('How often'))
    expect(new TextDecoder().decode(file?.bytes)).toMatch(/Every 600 hours\.\n\nOr once a year\./)
    expect(texts().filter((text) => text.includes('Shall I save'))).toHaveLength(0)
    expect(texts().filter((text) => text.includes('Thank you'))).toHaveLength(0)
  })

  it('is told from follow-ups of who asked, which are answered as ever', async () => {
    const { chat, platform, shows } = await asked()
    platform.script.answer('NOT_IN_FILES')
    chat.say('Which oil does the ferry engine need then please?', { thread: 't1' })
    await until(() => platform.script.requests.length >= 2)
    await shows(/Not in this/)
    expect(chat.visible().some(({ text }) => text.includes('Shall I save'))).toBe(false)
  })

  it('may come from who asked and found it out; thanks and further questions of theirs are none', async () => {
    const { chat, platform, shows, settled, store } = await asked()
    platform.script.answer('NOT_IN_FILES')
    await settled(chat.say('and how much oil does it take', { thread: 't1' }).inbound.key)
    const thanks = chat.say('thanks a lot, see you tomorrow then', { thread: 't1' })
    await thanks.taken
    expect(await store().inbox.job(thanks.inbound.key)).toBeUndefined()
    expect(chat.visible().some(({ text }) => text.includes('Shall I save'))).toBe(false)
    chat.say('It is every 500 hours, says the yard.', { thread: 't1' })
    const offer = await shows(/Thank you, Anna/)
    chat.press(offer.id, 'Save this answer')
    expect((await shows(/Saved: the answer of Anna/)).id).toBe(offer.id)
  })

  it('is no question when it is edited after it was filed', async () => {
    const { chat, platform, reply, offer, shows, settled } = await replied()
    chat.press(offer.id, 'Save this answer')
    await shows(/Saved: /)
    const before = platform.script.requests.length
    await settled(chat.rewrite(reply, 'Every 700 hours.').inbound.key)
    expect(platform.script.requests).toHaveLength(before)
  })

  it('belongs to the question that it answers, of several that were asked in one thread', async () => {
    const { chat, platform, shows, post } = await asked()
    platform.script.answer('NOT_IN_FILES')
    chat.mention('Which paint does the hull of the ferry have?', { thread: 't1' })
    const second = await until(() => {
      const [, other] = chat.visible().filter(({ text, finished }) => finished && /Not in this/.test(text))
      return other
    })
    chat.press(second.id, 'Ask a person')
    await shows(/Who knows this[^]*Which paint/)
    chat.say('Every 500 hours.', { thread: 't1', author: BEN, replyTo: post.id })
    chat.press((await shows(/Thank you, Ben/)).id, 'Save this answer')
    await shows(/How often.*ready/)
    chat.say('Blue paint.', { thread: 't1', author: CEM })
    chat.press((await shows(/Thank you, Cem/)).id, 'Save this answer')
    expect((await shows(/Which paint.*ready/)).outgoing.kind).toBe('receipt')
  })

  it('takes its file with it when it is deleted', async () => {
    const { chat, platform, reply, offer, shows, settled } = await replied()
    chat.press(offer.id, 'Save this answer')
    await shows(/Saved: /)
    const [collection = ''] = platform.script.collections()
    expect(platform.script.stored(collection)).toHaveLength(3)
    await settled(chat.unsay(reply).inbound.key)
    expect(platform.script.stored(collection)).toHaveLength(2)
  })

  it('survives a restart at every step', async () => {
    const { chat, answer, shows, restart, gaps, texts } = await unanswered()
    await restart()
    chat.press(answer.id, 'Ask a person')
    await shows(/Who knows this/)
    await restart()
    chat.say('Every 500 hours.', { thread: 't1', author: BEN })
    const offer = await shows(/Shall I save/)
    await restart()
    chat.press(offer.id, 'Save this answer', BEN)
    await shows(/Saved: /)
    await restart()
    await expect.poll(gaps).toEqual([])
    expect(texts().filter((text) => /How often.*ready/.test(text))).toHaveLength(1)
  })

  it('whose filing was cut off in mid-index is filed after the restart, as one file', async () => {
    const { chat, platform, offer, restart, shows } = await replied()
    platform.script.slowIndex()
    const [collection = ''] = platform.script.collections()
    chat.press(offer.id, 'Save this answer')
    await until(() => platform.script.stored(collection).some(({ index }) => index?.status === 'PROCESSING'))
    await restart()
    platform.script.finishIndex(collection)
    await shows(/Saved: /)
    expect(platform.script.stored(collection)).toHaveLength(3)
  })

  it('whose file can not be indexed leaves the question open', async () => {
    const { chat, platform, offer, shows, settled, gaps } = await replied()
    const [collection = ''] = platform.script.collections()
    platform.script.fail('files.upload', Object.assign(new Error('No.'), { name: 'PlatformError', code: 'invalid' }))
    await settled(chat.press(offer.id, 'Save this answer').inbound.key)
    await shows(/How often.*failed/)
    expect(await gaps()).toHaveLength(1)
    expect(platform.script.stored(collection)).toHaveLength(2)
    chat.press(offer.id, 'Save this answer')
    await shows(/Saved: /)
    await expect.poll(gaps).toEqual([])
  })
})
