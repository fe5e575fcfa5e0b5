import { describe, expect, it } from 'vitest'
import type { AdapterOptions } from '#test/support/bridge/set-up.ts'
import { cited, markdown, setUpBridge } from '#test/support/bridge/set-up.ts'
import type { CallOptions } from '#test/support/fakes/chat.ts'
import type { CommandName } from '#bridge/port/message.ts'

const ADA = { id: 'U-ada', name: 'Ada', language: 'en' }
const BEN = { id: 'U-ben', name: 'Ben', language: 'de' }

async function setUp(options: AdapterOptions = {}) {
  const all = await setUpBridge(options)
  const { chat, settled } = all
  const done = async (said: { readonly inbound: { readonly key: string } }) => {
    const job = await settled(said.inbound.key)
    expect(job).toMatchObject({ state: 'done' })
  }
  const drop = async (name: string, text: string, author = ADA) => {
    const said = chat.drop([markdown(name, text)], { author })
    await done(said)
    return said
  }
  /** Calls a command and gives what it showed. */
  const call = async (name: CommandName, argument = '', more: CallOptions = {}) => {
    const said = chat.call(name, argument, { author: ADA, ...more })
    await done(said)
    return chat.visible().filter(({ outgoing }) => outgoing.replyTo === said.id)
  }
  const press = async (id: string, label: string, author = ADA) => done(chat.press(id, label, author))
  return { ...all, done, drop, call, press }
}

const ferry = cited('The ferry leaves at 9:40.', 'ferry.md', 'The ferry leaves at 9:40.')

describe('a question by command', () => {
  it('is answered to the person alone, by the ticket of the call, without a public sign', async () => {
    const { call, drop, platform, chat } = await setUp()
    await drop('ferry.md', 'The ferry leaves at 9:40.')
    platform.script.answer(ferry)
    const [answer] = await call('ask', 'When does the ferry leave?')
    expect(answer).toMatchObject({ text: expect.stringContaining('9:40'), finished: true })
    expect(answer?.outgoing).toMatchObject({ privateTo: ADA.id, ticket: expect.stringMatching(/^ticket:/) })
    expect(chat.transcript.filter(({ verb, id }) => verb === 'stream' || (verb === 'status' && id === ''))).toEqual([])
  })

  it('is shared by its person, once, and a reply to the shared answer knows nothing else they asked', async () => {
    const { call, drop, press, platform, chat, done } = await setUp()
    await drop('ferry.md', 'The ferry leaves at 9:40.')
    platform.script.answer(ferry)
    const [answer] = await call('ask', 'When does the ferry leave?')
    await call('ask', 'What does my secret boat cost?')
    await press(answer?.id ?? '', 'Share in channel')
    await press(answer?.id ?? '', 'Share in channel')
    const shared = chat.visible().filter(({ text }) => text.startsWith('**Ada** asked: When does the ferry leave?'))
    expect(shared).toHaveLength(1)
    expect(shared[0]?.outgoing.privateTo).toBeUndefined()
    expect(shared[0]?.outgoing.references).toHaveLength(1)
    await done(chat.say('and back?', { author: BEN, replyTo: shared[0]?.id ?? '' }))
    const asked = JSON.stringify(platform.script.requests.at(-1))
    expect(asked).toContain('When does the ferry leave?')
    expect(asked).not.toContain('secret boat')
  })

  it('shared from the start is for everybody, and has no button to share', async () => {
    const { call, platform } = await setUp()
    platform.script.answer('Hello.')
    const [answer] = await call('ask', 'Hello?', { shared: true })
    expect(answer?.outgoing.privateTo).toBeUndefined()
    expect(answer?.outgoing.actions?.map(({ label }) => label)).not.toContain('Share in channel')
  })

  it('that the files do not answer is in the list of its person only', async () => {
    const { call, drop, platform, chat, done } = await setUp()
    await drop('ferry.md', 'The ferry leaves at 9:40.')
    platform.script.answer('NOT_IN_FILES')
    await call('ask', 'Who stole the boat?')
    const gaps = async (author: typeof ADA) => {
      const said = chat.mention('gaps', { author })
      await done(said)
      return chat.visible().findLast(({ outgoing }) => outgoing.replyTo === said.id)?.text
    }
    expect(await gaps(BEN)).not.toContain('stole')
    expect(await gaps(ADA)).toContain('stole')
  })

  it('about a message asks with its words', async () => {
    const { call, platform, chat } = await setUp()
    platform.script.answer('Hello.')
    const target = chat.say('When does the ferry leave?', { author: BEN })
    await call('ask', '', { target })
    expect(JSON.stringify(platform.script.requests.at(-1))).toContain('When does the ferry leave?')
    expect((await call('ask', ''))[0]?.text).toMatch(/no text to ask about/)
  })

  it('is answered after a restart by the same message', async () => {
    const { call, chat, platform, restart, settled } = await setUp()
    platform.script.answer('Hello.')
    const open = chat.hold('post')
    const said = chat.call('ask', 'Hello?', { author: ADA })
    await said.taken
    const restarted = restart()
    open()
    await restarted
    await settled(said.inbound.key)
    expect(chat.visible().filter(({ outgoing }) => outgoing.replyTo === said.id)).toHaveLength(1)
    expect(await call('help')).toHaveLength(1)
  })
})

describe('help', () => {
  it.each(['en', 'de'])('is four lines, and all commands only if asked for (%s)', async (language) => {
    const { call } = await setUp()
    const ada = { author: { ...ADA, language } }
    const [short, whole] = [await call('help', '', ada), await call('help', 'more', ada)]
    expect(short[0]?.text.split('\n')).toHaveLength(4)
    expect(whole[0]?.text.split('\n').length).toBeGreaterThan(10)
    expect(whole[0]?.text).toMatch(/`access`[^]*`ask group @…`/)
  })

  it('names nothing that needs other people where there are none', async () => {
    const { call } = await setUp({ without: ['people'] })
    const texts = [...(await call('help')), ...(await call('help', 'more'))].map(({ text }) => text)
    expect(texts.map((text) => text.split('.')[0])).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/^Ask a question/)),
    )
    expect(texts.join()).not.toMatch(/access|ask group|Mention me/)
  })
})

describe('other commands', () => {
  it('do what their text commands do, seen by one person, in their language', async () => {
    const { call, drop } = await setUp({ models: ['one', 'two'] })
    await drop('ferry.md', 'The ferry leaves at 9:40.')
    const names = ['files', 'retry', 'collection', 'model', 'usage', 'help'] as const
    const shown = await Promise.all(names.map(async (name) => (await call(name))[0]))
    expect(shown.map((each) => each?.outgoing.privateTo)).toEqual(names.map(() => ADA.id))
    expect(shown.map((each) => each?.text.split('\n')[0])).toEqual([
      '**1 file**',
      expect.stringMatching(/^No file/),
      'This channel uses its own files.',
      'These models can answer in this conversation:',
      expect.any(String),
      expect.stringMatching(/^Mention me/),
    ])
    expect((await call('files', '', { author: BEN }))[0]?.text).toMatch(/^\*\*1 Datei\*\*/)
  })

  it('forget a file by name, and all files of a message, once confirmed by whoever may', async () => {
    const { call, drop, press, platform } = await setUp()
    const said = await drop('ferry.md', 'one')
    expect((await call('forget'))[0]?.text).toMatch(/Say which file/)
    expect((await call('forget', '', { target: said, author: BEN }))[0]?.text).toMatch(/Ada/)
    const [asked] = await call('forget', '', { target: said })
    expect(asked?.outgoing).toMatchObject({ privateTo: ADA.id })
    await press(asked?.id ?? '', asked?.outgoing.actions?.[0]?.label ?? '')
    const [collection = ''] = platform.script.collections()
    expect(platform.script.stored(collection)).toEqual([])
    expect((await call('forget', '', { target: said }))[0]?.text).toMatch(/No file here came from this message/)
  })

  it('forget what they may of a message, and say whose the rest is', async () => {
    const { call, chat, done, drop } = await setUp()
    const said = chat.drop([markdown('a.md', 'one'), markdown('b.md', 'two')], { author: ADA })
    await done(said)
    await drop('b.md', 'three', BEN)
    const shown = await call('forget', '', { target: said })
    expect(shown.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Forget .*a\.md/),
      expect.stringMatching(/Ben/),
    ])
    expect(shown.map(({ outgoing }) => outgoing.actions?.length ?? 0)).toEqual([2, 0])
  })

  it('keep a message as knowledge, with a receipt that everybody sees', async () => {
    const { call, chat } = await setUp()
    const target = chat.say('The boiler has the code 4711.', { author: BEN })
    const shown = await call('save', '', { target })
    expect(shown.map(({ text }) => text)).toEqual([expect.stringMatching(/^I keep this message as a file/)])
    const receipt = chat.visible().find(({ outgoing }) => outgoing.kind === 'receipt')
    expect(receipt).toMatchObject({ text: expect.stringContaining('The boiler has the code 4711') })
    expect(receipt?.outgoing.privateTo).toBeUndefined()
  })

  it('keep a message of a place without Footbridge in the files of who called, with its receipt in their conversation', async () => {
    const { call, chat, platform, store } = await setUp()
    const target = chat.say('The boiler has the code 4711.', { author: BEN, channel: 'C9' })
    await call('save', '', { target, direct: true })
    const receipt = chat.visible().find(({ outgoing }) => outgoing.kind === 'receipt')
    expect(receipt).toMatchObject({ conversation: { direct: true }, text: expect.stringContaining('ready') })
    const [own = '', ...others] = platform.script.collections()
    expect([platform.script.stored(own).length, others]).toEqual([1, []])
    // Its references lead to where it was said.
    const [file] = await store().files.ofCollection(own)
    expect(file).toMatchObject({ messageId: target.id, conversation: { channel: 'C9' } })
    expect((await call('forget', '', { target, direct: true }))[0]?.text).toMatch(/^Forget .*boiler/)
  })

  it.each([
    ['in a channel', {}, 'to this channel. The receipt shows the progress.'],
    ['to the files of who called', { direct: true }, 'to your own files. The receipt is in our direct conversation.'],
  ])('add a file %s, and say so', async (_, where, said) => {
    const { call, chat } = await setUp()
    const shown = await call('add', '', { files: [markdown('boiler.md', 'The code is 4711.')], ...where })
    expect(shown[0]?.text).toBe(`I am adding the file ${said}`)
    const receipt = chat.visible().find(({ outgoing }) => outgoing.kind === 'receipt')
    expect(receipt?.text).toMatch(/boiler\.md.*ready/)
  })

  it.each([
    ['in a channel', {}, /^I do not collect files in this channel/],
    ['for the files of who called', { direct: true }, /^I do not collect your own files/],
  ])('add and keep nothing %s while files are off, and say that alone', async (_, where, said) => {
    const { call, chat, done, platform } = await setUp()
    const { inbound } = chat.call('add', '', { author: ADA, ...where })
    if (inbound.kind !== 'command') throw new Error('This is no command.')
    await done({ inbound })
    const { channel, direct } = inbound.conversation
    const off = { author: ADA, channel }
    await done(direct ? chat.direct('files off', off) : chat.mention('files off', off))
    const files = [markdown('boiler.md', 'The code is 4711.')]
    const target = chat.say('The boiler has the code 4711.', { author: BEN })
    for (const shown of [await call('add', '', { files, ...where }), await call('save', '', { target, ...where })])
      expect(shown.map(({ text }) => text)).toEqual([expect.stringMatching(said)])
    expect(platform.script.collections().flatMap((name) => platform.script.stored(name))).toEqual([])
  })

  it('choose the model of the channel, for who may change its settings, and of a thread for everybody', async () => {
    const { call, chat, done, platform, press } = await setUp({ models: ['one', 'two'] })
    chat.room('C1', { admins: [ADA.id] })
    const asked = async (thread?: string) => {
      platform.script.answer('Hello.')
      await done(chat.mention('Who?', { author: BEN, ...(thread && { thread }) }))
      return platform.script.requests.at(-1)?.model
    }
    expect((await call('model', 'two', { author: BEN }))[0]?.text).toMatch(/Kanal verwaltet/)
    expect(await asked()).toBe('one')
    expect((await call('model', 'two'))[0]?.text).toMatch(/`two` answers in this channel from now on/)
    expect([await asked(), await asked('t1')]).toEqual(['two', 'two'])

    expect((await call('model', 'one', { author: BEN, thread: 't1' }))[0]?.text).toMatch(/In diesem Gespräch.*`one`/)
    expect([await asked(), await asked('t1')]).toEqual(['two', 'one'])

    const [list] = await call('model')
    expect(list?.text).toContain('`two` — answers here now')
    await press(list?.id ?? '', 'one', BEN)
    expect(await asked()).toBe('two')
    await press(list?.id ?? '', 'one')
    expect(await asked()).toBe('one')
  })

  it('translate a message into the language of the reader', async () => {
    const { call, chat, platform } = await setUp({ models: ['one'] })
    platform.script.answer('Die Fähre fährt um 9:40.')
    const target = chat.say('The ferry leaves at 9:40.')
    const [shown] = await call('translate', '', { target, author: BEN })
    expect(shown?.text).toBe('_Von einem Modell übersetzt (Deutsch):_\n\nDie Fähre fährt um 9:40.')
    expect(JSON.stringify(platform.script.requests.at(-1))).toContain('German')
  })
})

describe('completions', () => {
  it('are files, models, and collections of channels that this person may read', async () => {
    const { call, drop, chat } = await setUp({ models: ['fast', 'fine'] })
    await drop('ferry.md', 'x')
    await drop('pier.md', 'y')
    chat.room('C2', { name: 'harbour', members: [ADA.id] })
    await call('files', '', { channel: 'C2' })
    await call('model')
    const conversation = { adapter: 'fake', workspace: 'W1', channel: 'C1', direct: false }
    const asked = (about: 'files' | 'models' | 'collections', typed: string, personId = ADA.id) =>
      chat.suggest({ about, conversation, personId, typed })
    expect(await asked('files', 'FER')).toEqual([{ label: 'ferry.md', value: 'ferry.md' }])
    expect((await asked('models', 'fi')).map(({ value }) => value)).toEqual(['fine'])
    expect((await asked('collections', '')).map(({ label }) => label)).toEqual(['own', '#harbour'])
    expect((await asked('collections', '', BEN.id)).map(({ label }) => label)).toEqual(['own'])
    chat.hold('isMember')
    expect(await asked('collections', 'har')).toEqual([])
  })
})
