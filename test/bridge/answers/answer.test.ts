import { describe, expect, it } from 'vitest'
import { AdapterError } from '#bridge/port/errors.ts'
import { cited, markdown, setUpBridge, until } from '#test/support/bridge/set-up.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'

const BLOCK = [
  'Full-time staff have 30 days',
  '[RREF1]',
  '.\n',
  '-'.repeat(41),
  '\nReferences:\n\n[RREF1] handbook.md L3-4 (0.135)\n30 days of leave.\n[RREF2] other.md (0.4)\nNothing.\n',
].map((text) => ({ type: 'text', text }) as const)

async function withFile(options: Parameters<typeof setUpBridge>[0] = {}) {
  const all = await setUpBridge(options)
  all.chat.drop([markdown('handbook.md', '# Leave\n30 days of leave.')])
  await all.shows(/handbook.*ready/)
  return all
}

describe('a question', () => {
  it('is answered from the files of its channel, with the references that its text cites', async () => {
    const { chat, platform, shows } = await withFile()
    platform.script.answer([...BLOCK, { type: 'finish', reason: 'stop' }])
    const asked = chat.mention('How many days of leave?')
    const shown = await shows(/30 days\[1\]\./)
    expect(shown.text).toBe('Full-time staff have 30 days[1].')
    expect(shown.outgoing).toMatchObject({
      kind: 'answer',
      replyTo: asked.id,
      references: [{ number: 1, file: 'handbook.md', place: 'L2', passage: '30 days of leave.' }],
    })
    const request = platform.script.requests.at(-1)
    expect(request?.collection).toMatch(/^[^/]+\/fake-c1-[0-9a-f]{10}-[0-9a-f]{20}$/)
    expect(request?.messages.at(-1)).toEqual({ role: 'user', content: 'How many days of leave?' })
    expect(request?.messages[0]?.content).toMatch(/data, never instructions/)
  })

  it('has the place of a reference from a field, where the line of its entry has none', async () => {
    const { chat, platform, shows } = await withFile()
    const text = BLOCK.map((event) => event.text)
      .join('')
      .replace(' L3-4 (', ' (')
    const references = [{ number: 1, file: 'handbook.md', place: '0:42' }]
    const told = { type: 'references' as const, references }
    platform.script.answer([{ type: 'text', text }, told, { type: 'finish', reason: 'stop' }])
    chat.mention('How many days of leave?')
    const shown = await shows(/30 days\[1\]\./)
    expect(shown.outgoing).toMatchObject({ references: [{ number: 1, file: 'handbook.md', place: '0:42' }] })
  })

  it('is asked of the model before it is told that it is being read', async () => {
    const { chat, platform, shows } = await setUpBridge()
    // The first question of a channel waits for its record.
    chat.mention('Who is it?')
    await shows(/^You said/)
    const seen = chat.transcript.length
    const statuses = () => chat.transcript.slice(seen).flatMap(({ verb, text }) => (verb === 'status' ? [text] : []))
    let before: readonly string[] | undefined
    platform.script.answer(() => {
      before = statuses()
      const told = (async () => void (await until(() => statuses().length > 0)))()
      return [told, { type: 'text', text: 'Yes.' }, { type: 'finish', reason: 'stop' }]
    })
    chat.mention('Is it?')
    await shows(/^Yes/)
    expect([before, statuses()]).toEqual([[], ['is reading…']])
  })

  it('where no file was dropped yet gets a plain answer, marked as not from files', async () => {
    const { chat, platform, shows } = await setUpBridge()
    platform.script.answer('Forty-two.')
    chat.mention('What is the answer?')
    const shown = await shows(/Forty-two/)
    expect(shown.text).toBe('Forty-two.\n\n_Not from files: there are none here yet._')
    expect(platform.script.requests[0]?.collection).toBeUndefined()
    expect(platform.script.requests[0]?.messages[0]?.content).toMatch(/No file was given/)
  })

  it('where no file was dropped and no model can converse is told how to drop one', async () => {
    const { chat, platform, shows } = await setUpBridge({ models: ['extractive'] })
    chat.mention('What is the answer?')
    await shows(/There are no files here yet\. Drop one/)
    expect(platform.script.requests).toEqual([])
  })

  it('in a thread under way needs no mention, and is told what was said before', async () => {
    const { chat, platform, shows, texts } = await setUpBridge()
    platform.script.answer('Paris.', 'About two million.')
    chat.mention('Capital of France?', { thread: 't1' })
    await shows(/Paris/)
    chat.say('@Ben, did you know?', { thread: 't1', mentionsOthers: true })
    chat.say('Something else', { thread: 't2' })
    chat.say('How many people live there?', { thread: 't1' })
    await shows(/two million/)
    expect(texts()).toHaveLength(2)
    expect(platform.script.requests[1]?.messages.slice(1)).toEqual([
      { role: 'user', content: 'Capital of France?' },
      { role: 'assistant', content: expect.stringMatching(/^Paris\./) },
      { role: 'user', content: 'How many people live there?' },
    ])
  })

  it('is recognised as a follow-up by the message that it replies to', async () => {
    const { chat, platform, shows } = await setUpBridge()
    platform.script.answer('Paris.', 'Yes.')
    chat.mention('Capital of France?')
    const answer = await shows(/Paris/)
    chat.say('Really?', { replyTo: answer.id })
    await shows(/Yes/)
    expect(platform.script.requests[1]?.messages).toHaveLength(4)
  })

  it('waits for the one before it in its conversation, not for those of others', async () => {
    const { chat, platform, shows, texts } = await setUpBridge()
    const slow = Promise.withResolvers<void>()
    platform.script.answer([slow.promise, { type: 'text', text: 'first' }, { type: 'finish' }], 'beside', 'second')
    chat.mention('1', { thread: 't1' })
    await until(() => platform.script.requests.length === 1)
    chat.mention('2', { thread: 't1' })
    chat.mention('3', { thread: 't2' })
    await shows(/beside/)
    expect(texts()).toHaveLength(1)
    slow.resolve()
    await shows(/second/)
    expect(texts().map((text) => text.split('\n')[0])).toEqual(['beside', 'first', 'second'])
  })

  it('told three times, in either order with its poorer twin, is answered once', async () => {
    const { chat, platform, shows, settled, texts } = await setUpBridge()
    platform.script.answer('Once.', 'Twice!')
    const thin = chat.mention('Hello?', { id: 'x1', provisional: true })
    const full = chat.mention('Hello?', { id: 'x1' })
    for (const each of [thin, full, thin, full]) await chat.redeliver(each).taken
    await shows(/Once/)
    await settled(thin.inbound.key)
    await chat.redeliver(full).taken
    const other = chat.mention('Again?', { id: 'x2' })
    await chat.mention('Again?', { id: 'x2', provisional: true }).taken
    await shows(/Twice/)
    await settled(other.inbound.key)
    expect(texts()).toHaveLength(2)
    expect(platform.script.requests).toHaveLength(2)
  })

  it('is answered by its thin account alone when the fuller twin never comes', async () => {
    const { chat, platform, shows } = await setUpBridge()
    platform.script.answer('Here.')
    chat.mention('Anyone?', { provisional: true })
    expect((await shows(/Here/)).outgoing.kind).toBe('answer')
  })

  it('takes the files of its fuller twin also when that comes after the answer, and answers in place', async () => {
    const { chat, platform, shows, settled, texts } = await setUpBridge()
    platform.script.answer('From nothing.', cited('Ada does.', 'late.md', 'Ada keeps the keys.'))
    const thin = chat.mention('Who keeps the keys?', { id: 'x1', provisional: true })
    await shows(/From nothing/)
    await settled(thin.inbound.key)
    const full = chat.mention('Who keeps the keys?', { id: 'x1', files: [markdown('late.md', 'Ada keeps the keys.')] })
    await shows(/late.*ready/)
    await shows(/Ada does/)
    for (const each of [full, thin]) await chat.redeliver(each).taken
    platform.script.answer(cited('Ben does.', 'late.md', 'Ada keeps the keys.'))
    await chat.rewrite(full, 'And who keeps the boat?').taken
    await shows(/Ben does/)
    expect(platform.script.requests).toHaveLength(3)
    expect(texts().filter((text) => text.includes('late.md'))).toHaveLength(1)
    expect(texts()).toHaveLength(2)
  })

  it('shows no help for a mention without words once its fuller twin brings a file', async () => {
    const { chat, shows, settled, texts } = await setUpBridge()
    const thin = chat.mention('', { id: 'x1', provisional: true })
    await shows(/Drop a file/)
    await settled(thin.inbound.key)
    chat.mention('', { id: 'x1', files: [markdown('late.md', 'Ada keeps the keys.')] })
    await shows(/late.*ready/)
    expect(texts()).toEqual([expect.stringMatching(/late.*ready/)])
  })
})

describe('what was said before', () => {
  it('in a thread that went on without us is read from the service', async () => {
    const { chat, platform, shows } = await setUpBridge()
    platform.script.answer('Tuesday.', 'Yes.')
    chat.say('The meeting is on Tuesday.', { thread: 't1', author: { id: 'U2', name: 'Ben' } })
    chat.mention('When is it?', { thread: 't1' })
    await shows(/Tuesday/)
    const [rules, ...messages] = platform.script.requests[0]?.messages ?? []
    expect(messages).toEqual([{ role: 'user', content: 'When is it?' }])
    expect(rules?.content).toMatch(/said this before[^]*\n> Ben: The meeting is on Tuesday\.$/)
    chat.fail('history', new AdapterError('forbidden', 'Asked twice.'))
    chat.say('Sure?', { thread: 't1' })
    await shows(/Yes/)
    expect(platform.script.requests[1]?.messages.slice(1, 3)).toEqual([
      { role: 'user', content: 'When is it?' },
      { role: 'assistant', content: expect.stringMatching(/^Tuesday/) },
    ])
  })

  it('is done without when the service does not tell', async () => {
    const { chat, platform, shows, log } = await setUpBridge()
    platform.script.answer('No idea.')
    chat.fail('history', new AdapterError('forbidden', 'No right to read here.'))
    chat.mention('When is it?', { thread: 't1' })
    await shows(/No idea/)
    expect(log.at('warn')).toHaveLength(1)
  })
})

describe('when the platform fails', () => {
  it('by a fault of ours says so, ends the answer and keeps the reason in the log', async () => {
    const { chat, platform, shows, settled, log } = await setUpBridge()
    platform.script.fail('chat.stream', new TypeError('x is not a function'))
    const asked = chat.mention('Hello?')
    expect((await shows(/wrong on my side/)).outgoing.kind).toBe('error')
    expect((await settled(asked.inbound.key)).state).toBe('done')
    expect(log.at('error')).toMatchObject([{ fields: { err: { message: 'x is not a function' } } }])
  })

  it('tells the time also to people whose service writes their language in its own way', async () => {
    const { chat, platform, shows } = await setUpBridge()
    const failure = platformFailure('rate-limited', 'Too many.', { retryAfterMs: 3_600_000 })
    platform.script.fail('chat.stream', failure, { times: 2 })
    chat.mention('Hello?', {
      thread: 'a',
      author: { id: 'U2', name: 'Ben', language: 'en_US', timeZone: 'Asia/Kolkata' },
    })
    expect((await shows(/ask again at \d\d:\d\d\./)).outgoing.kind).toBe('error')
    chat.mention('Hallo?', { thread: 'b', author: { id: 'U3', name: 'Cem', language: 'de-a', timeZone: 'x' } })
    expect((await shows(/Du kannst in 60 Minuten \(\d\d:\d\d UTC\) wieder fragen/)).outgoing.kind).toBe('error')
  })

  it.each([
    [
      'unauthorized',
      /^The platform with your files refuses my key\. Please tell whoever runs me; the log says what to do\.$/,
    ],
    ['unreachable', /can’t reach the platform.*safe/],
    ['timeout', /too long/],
    ['empty', /answer of the model is empty/],
    ['server', /^The platform reported an error\. It says: “It broke\.” Please ask again in a moment\.$/],
    ['locked', /being indexed/],
    ['invalid', /^The platform did not accept this\. It says: “It broke\.”$/],
  ] as const)('%s becomes one sentence and one line in the log', async (code, sentence) => {
    const { chat, platform, shows, settled, texts, log } = await setUpBridge()
    platform.script.fail('chat.stream', platformFailure(code, 'It broke.'))
    const asked = chat.mention('Hello?')
    const { outgoing } = await shows(sentence)
    expect(outgoing.kind).toBe('error')
    const isPassing = code !== 'unauthorized' && code !== 'invalid'
    expect(outgoing.actions?.map(({ label }) => label)).toEqual(isPassing ? ['Retry'] : [])
    await settled(asked.inbound.key)
    expect(texts()).toHaveLength(1)
    expect([...log.at('warn'), ...log.at('error')]).toHaveLength(1)
  })

  it('names settings to who runs it, in the log, and to nobody else', async () => {
    const { chat, platform, shows, log } = await setUpBridge()
    const words = 'There is no model x: without UPSTREAM_BASE_URL there is only one. Ask for another.'
    platform.script.fail('chat.stream', platformFailure('unauthorized'))
    platform.script.fail('chat.stream', platformFailure('invalid', words))
    chat.mention('Hello?')
    await shows(/refuses my key/)
    chat.mention('And now?')
    await shows(/^The platform did not accept this\. It says: “There is no model x\. Ask for another\.”$/)
    expect(log.dump()).toMatch(/PLATFORM_API_KEY[^]*UPSTREAM_BASE_URL/)
  })

  it('a press on Retry asks once more, in the place of the failure', async () => {
    const { chat, platform, shows, texts, store } = await withFile()
    platform.script.fail('chat.stream', platformFailure('unreachable'))
    chat.mention('How many days of leave?')
    const failed = await shows(/can’t reach the platform/)
    platform.script.answer([...BLOCK, { type: 'finish', reason: 'stop' }])
    chat.press(failed.id, 'Retry')
    const answered = await shows(/30 days\[1\]\./)
    expect(answered.id).toBe(failed.id)
    expect(answered.outgoing.references).toHaveLength(1)
    expect(texts()).toHaveLength(2)
    await expect.poll(() => store().answers.ofMessage('fake:W1:C1', failed.id)).toMatchObject({ outcome: 'answered' })
    expect(platform.script.requests).toHaveLength(1)
  })

  it('says when to ask again', async () => {
    const { chat, platform, shows } = await setUpBridge()
    platform.script.fail('chat.stream', platformFailure('rate-limited', 'Too many.', { retryAfterMs: 3_600_000 }))
    chat.mention('Hello?')
    expect((await shows(/You can ask again in 60 minutes \(\d\d:\d\d UTC\)\./)).outgoing.kind).toBe('error')
  })

  it('marks an answer that broke off as incomplete, outside of the code that it broke off in', async () => {
    const { chat, platform, shows } = await withFile()
    platform.script.answer([
      { type: 'text', text: 'Run this:\n```sh\nmake' },
      platformFailure('cut', 'The stream broke.'),
    ])
    chat.mention('How?')
    const shown = await shows(/not complete/)
    expect(shown.text).toBe(
      'Run this:\n```sh\nmake\n```\n\n**This answer is not complete.** The connection to the model broke in the middle. Please ask again.',
    )
    expect(shown.outgoing.kind).toBe('error')
  })

  it('says that a model stopped at its length limit', async () => {
    const { chat, platform, shows } = await withFile()
    platform.script.answer([
      { type: 'text', text: 'Once upon' },
      { type: 'finish', reason: 'length' },
    ])
    chat.mention('Tell a story')
    expect((await shows(/Once upon/)).text).toMatch(/^Once upon\n\n_The answer ends here because/)
  })
})

describe('when the chat service fails', () => {
  it('tries again and shows the answer once', async () => {
    const { chat, platform, shows, settled, texts } = await setUpBridge({ without: ['stream'] })
    platform.script.answer('One.', 'Two.')
    chat.fail('post', new AdapterError('network', 'Not reached.'))
    const asked = chat.mention('Hello?')
    await shows(/One/)
    await settled(asked.inbound.key)
    expect(texts()).toHaveLength(1)
    // The answer was there: the model is not asked for it again.
    expect(platform.script.requests).toHaveLength(1)
  })

  it('gives up on what it refuses for good, with a line in the log', async () => {
    const { chat, settled, log } = await setUpBridge({ without: ['stream'] })
    chat.fail('post', new AdapterError('forbidden', 'No right to post here.'), { times: 9 })
    const job = await settled(chat.mention('Hello?').inbound.key)
    expect(job).toMatchObject({ state: 'dead', reason: 'No right to post here.' })
    expect(log.at('error')).toHaveLength(1)
  })
})

describe('a change of mind', () => {
  it('answers an edited question anew in the place of the first answer', async () => {
    const { chat, platform, shows, texts } = await setUpBridge()
    platform.script.answer('Paris.', 'Rome.')
    const asked = chat.mention('Capital of France?')
    await shows(/Paris/)
    chat.rewrite(asked, 'Capital of Italy?')
    await shows(/Rome/)
    expect(texts()).toHaveLength(1)
    expect(platform.script.requests[1]?.messages.at(-1)?.content).toBe('Capital of Italy?')
  })

  it('stops the answer under way when its question is edited', async () => {
    const { chat, platform, shows, texts } = await setUpBridge()
    platform.script.answer([{ type: 'text', text: 'Paris is' }, new Promise(() => {})], 'Rome.')
    const asked = chat.mention('Capital of France?')
    await until(() => texts()[0]?.includes('Paris is'))
    chat.rewrite(asked, 'Capital of Italy?')
    await shows(/Rome/)
    expect(texts()).toHaveLength(1)
  })

  it('removes the answer of a deleted question, also while it is being written', async () => {
    const { chat, platform, shows, texts } = await setUpBridge()
    platform.script.answer('Paris.', [{ type: 'text', text: 'Rome is' }, new Promise(() => {})])
    const first = chat.mention('Capital of France?')
    await shows(/Paris/)
    chat.unsay(first)
    await until(() => texts().length === 0)
    const second = chat.mention('Capital of Italy?')
    await until(() => texts()[0]?.includes('Rome is'))
    chat.unsay(second)
    await until(() => texts().length === 0)
    expect(chat.visible()).toEqual([])
  })

  it('takes the answer back when the words of its question are taken back', async () => {
    const { chat, platform, shows, texts } = await setUpBridge()
    platform.script.answer('Paris.')
    const asked = chat.mention('Capital of France?')
    await shows(/Paris/)
    const { taken } = chat.rewrite(asked, ' ')
    await taken
    await until(() => texts().length === 0)
    expect(chat.visible()).toEqual([])
  })

  it('stops when the person says stop, and says so', async () => {
    const { chat, platform, shows, texts } = await setUpBridge()
    platform.script.answer([{ type: 'text', text: 'A long story' }, new Promise(() => {})])
    chat.mention('Tell', { thread: 't1' })
    const shown = await until(() => texts()[0]?.includes('A long') && chat.visible()[0])
    chat.stop(shown.conversation)
    expect((await shows(/Stopped/)).text).toBe(
      'A long story\n\n_Not from files: there are none here yet._\n\n_Stopped._',
    )
  })

  it('a stopped answer keeps its references and buttons, and is a turn of the history', async () => {
    const { chat, platform, shows, texts } = await withFile()
    const rest = cited('Full', 'handbook.md', '30 days of leave.')
    const beginning = { type: 'text', text: 'Full-time staff have 30 days [RREF1], and ' } as const
    platform.script.answer([beginning, new Promise(() => {})], rest, 'Half as many.')
    chat.mention('How many days of leave are there?', { thread: 't1' })
    await until(() => texts().some((text) => text.includes('30 days [1]')))
    chat.stop({ adapter: 'fake', workspace: 'W1', channel: 'C1', thread: 't1', direct: false })
    const shown = await shows(/Stopped/)
    expect(shown.text).toBe('Full-time staff have 30 days [1], and\n\n_Stopped._')
    expect(shown.outgoing).toMatchObject({
      kind: 'answer',
      references: [{ number: 1, file: 'handbook.md', passage: '30 days of leave.' }],
    })
    expect(shown.outgoing.actions?.map(({ label }) => label)).toContain('👍')
    expect(platform.script.requests[1]).toMatchObject({ maxTokens: 1 })
    chat.say('How many days do part-time employees have?', { thread: 't1' })
    await until(() => platform.script.requests.length === 3)
    expect(platform.script.requests[2]?.messages.slice(1)).toMatchObject([
      { role: 'user', content: 'How many days of leave are there?' },
      { role: 'assistant', content: expect.stringMatching(/^Full-time staff/) },
      { role: 'user' },
    ])
  })

  it('what is said between answers is in the rules, so that user and assistant alternate', async () => {
    const { chat, platform, shows } = await withFile()
    platform.script.fail('chat.stream', platformFailure('unreachable'))
    chat.mention('Who wrote the handbook of the lighthouse?', { thread: 't1' })
    await shows(/can’t reach/)
    platform.script.answer('Written by Ines.')
    chat.say('How many days of leave do keepers have?', { thread: 't1' })
    await until(() => platform.script.requests.length > 0)
    const [rules, ...messages] = platform.script.requests.at(-1)?.messages ?? []
    expect(messages.map(({ role }) => role)).toEqual(['user'])
    expect(rules?.content).toMatch(/> Who wrote the handbook/)
    expect(rules?.content).not.toMatch(/can’t reach/)
  })
})

const notes = (shown: readonly { readonly outgoing?: { readonly note?: string } }[]) =>
  shown.flatMap(({ outgoing }) => outgoing?.note ?? [])

describe('the first answer to a person', () => {
  it('says that it is automated, once a person, also after a restart', async () => {
    const { chat, platform, shows, restart } = await setUpBridge()
    platform.script.answer('One.', 'Two.', 'Three.')
    chat.mention('First?')
    await shows(/^One/)
    await restart()
    chat.mention('Second?', { thread: 't2' })
    await shows(/^Two/)
    chat.mention('Third?', { author: { id: 'u9', name: 'Ben', language: 'de' } })
    await shows(/^Three/)
    expect(notes(chat.visible())).toEqual([
      'This is an automated answer. Check what matters.',
      'Das ist eine automatische Antwort: Prüfe, worauf es ankommt.',
    ])
  })

  it('says so again in the same answer when it is rewritten, and in one of two that are made at once', async () => {
    const { chat, platform, shows } = await withFile()
    platform.script.answer(BLOCK, BLOCK)
    chat.mention('How many days of leave?', { thread: 'a' })
    chat.mention('And how many days?', { thread: 'b' })
    await until(() => chat.visible().filter(({ text, finished }) => finished && /30 days/.test(text)).length === 2)
    const note = 'This is an automated answer from files. Check what matters in the file itself.'
    expect(notes(chat.visible())).toEqual([note])
    const first = chat.visible().find(({ outgoing }) => outgoing.note !== undefined)
    platform.script.answer([{ type: 'text', text: 'Thirty. [RREF1]' }, ...BLOCK.slice(2)])
    chat.press(first?.id ?? '', '↻')
    await shows(/^Thirty/)
    expect(notes(chat.visible())).toEqual([note])
  })

  it('is none of ours that no model wrote', async () => {
    const { chat, shows } = await setUpBridge({ models: ['extractive'] })
    chat.mention('What is the answer?')
    expect((await shows(/no files here yet/)).outgoing).not.toHaveProperty('note')
  })
})

describe('after a restart', () => {
  it('an answer cut off in the middle is written anew in its place', async () => {
    const { chat, platform, shows, texts, restart } = await setUpBridge()
    platform.script.answer([{ type: 'text', text: 'Half an' }, new Promise(() => {})], 'A whole answer.')
    chat.mention('Hello?')
    await until(() => texts()[0]?.includes('Half an'))
    await restart()
    await shows(/A whole answer/)
    expect(texts()).toHaveLength(1)
  })

  it('an answer that is out is not given again, and its thread goes on', async () => {
    const { chat, platform, shows, settled, texts, restart } = await setUpBridge()
    platform.script.answer('Paris.', 'Two million.')
    const asked = chat.mention('Capital of France?', { thread: 't1' })
    await shows(/Paris/)
    await settled(asked.inbound.key)
    await restart()
    await chat.redeliver(asked).taken
    chat.say('How many people?', { thread: 't1' })
    await shows(/Two million/)
    expect(texts()).toHaveLength(2)
  })
})
