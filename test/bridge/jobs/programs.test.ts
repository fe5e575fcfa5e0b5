import { describe, expect, it } from 'vitest'
import { markdown, setUpBridge } from '#test/support/bridge/set-up.ts'

const ADA = { id: 'U-ada', name: 'Ada' }
const DEPLOY = { id: 'U0DEPLOY', name: 'Deploy', programIds: ['B0DEPLOY', 'A0DEPLOY'] }
const WEBHOOK = { id: 'B0ALARM', name: 'Alarm', programIds: ['B0ALARM'] }

async function open(options: Parameters<typeof setUpBridge>[0] = {}) {
  const set = await setUpBridge(options)
  set.chat.room('C1', { admins: [ADA.id], isPublic: true })
  const done = async (said: { inbound: { key: string } }) => set.settled(said.inbound.key)
  /** Words of an administrator. */
  const says = (text: string, more = {}) => done(set.chat.mention(text, { author: ADA, ...more }))
  /** Whether anything became of it. */
  const isStored = async (said: { inbound: { key: string }; taken: Promise<void> }) => {
    await said.taken
    return (await set.store().inbox.job(said.inbound.key)) !== undefined
  }
  return { ...set, done, says, isStored }
}

it('a program that nobody admitted is not heard: nothing of it is stored, said or asked', async () => {
  const { chat, isStored, texts, platform } = await open()
  const question = chat.mention('Where is the mole?', { author: DEPLOY })
  const file = chat.drop([markdown('build.md', '# Build')], { author: DEPLOY })
  expect([await isStored(question), await isStored(file)]).toEqual([false, false])
  expect(texts()).toEqual([])
  expect(platform.script.requests).toEqual([])
})

it('the log names the ids of a program that mentioned us and was not heard', async () => {
  const { chat, log } = await open()
  await chat.mention('Where is the mole?', { author: DEPLOY }).taken
  const line = log.entries.find(({ message }) => message.includes('access bots'))
  expect(line?.fields).toMatchObject({ ids: ['U0DEPLOY', 'B0DEPLOY', 'A0DEPLOY'] })
})

it.each([
  ['its own id', 'access bots U0DEPLOY all', {}],
  ['the id of its bot, in small letters', 'access bots b0deploy all', {}],
  ['the id of its app', 'access bots A0DEPLOY all', {}],
  ['a mention', 'access bots @Deploy Bot all', { mentions: [DEPLOY] }],
  ['all programs', 'access bots all', {}],
  ['the whole workspace', 'access bots U0DEPLOY all everywhere', {}],
])('an administrator admits a program by %s: its mentions are answered, and its files kept', async (_, words, more) => {
  const { chat, says, done, shows, platform } = await open()
  chat.room('', { admins: [ADA.id] })
  await says(words, more)
  platform.script.answer('By the harbour.')
  await done(chat.mention('Where is the mole?', { author: DEPLOY }))
  await shows(/By the harbour/)
  await done(chat.drop([markdown('build.md', '# Build 77')], { author: DEPLOY }))
  expect(await shows(/build\.md.*ready/)).toBeDefined()
})

it('what a program wrote before it was admitted is not heard, however late it is read', async () => {
  const { chat, says, isStored } = await open()
  const file = chat.drop([markdown('build.md', '# Build')], { author: DEPLOY })
  const question = chat.mention('Where is the mole?', { author: DEPLOY })
  await says('access bots U0DEPLOY all')
  expect([await isStored(chat.redeliver(file)), await isStored(chat.redeliver(question))]).toEqual([false, false])
})

it('a program that is admitted once more, with other rights, was admitted all the time', async () => {
  const { chat, says, done, isStored } = await open()
  const admission = chat.mention('access bots U0DEPLOY ask', { author: ADA })
  await done(admission)
  await says('access bots U0DEPLOY all')
  const said = { author: DEPLOY, id: `soon-after-${admission.id.replace(/\D/g, '')}` }
  expect(await isStored(chat.mention('Where is the mole?', said))).toBe(true)
})

it('an admitted program is one: others stay out, and one that may ask adds no files', async () => {
  const { chat, says, isStored, done, texts } = await open()
  await says('access bots U0DEPLOY ask')
  expect(await isStored(chat.mention('Where is the mole?', { author: WEBHOOK }))).toBe(false)
  const before = texts().length
  await done(chat.drop([markdown('build.md', '# Build 77')], { author: DEPLOY }))
  expect(texts()).toHaveLength(before)
})

it('a program is shown in the list of who may what, and sent away again', async () => {
  const { chat, says, isStored, texts } = await open()
  await says('access bots B0ALARM ask')
  await says('access')
  expect(texts().at(-1)).toContain('Bots: nothing; `B0ALARM` may ask.')
  await says('access bots B0ALARM nothing')
  expect(await isStored(chat.mention('Where is the mole?', { author: WEBHOOK }))).toBe(false)
  await says('access bots everybody all')
  expect(texts().at(-1)).toBe('I don’t know that program. Mention it, or write its id.')
})

it.each([
  ['A0DEPLOY', 'U0DEPLOY'],
  ['U0DEPLOY', 'A0DEPLOY'],
  ['B0DEPLOY', 'A0DEPLOY'],
])('what was said last holds: a program admitted as %s is sent away as %s, and admitted again', async (one, other) => {
  const { chat, says, isStored } = await open()
  await says(`access bots ${one} all`)
  await says(`access bots ${other} nothing`)
  expect(await isStored(chat.mention('Where is the mole?', { author: DEPLOY }))).toBe(false)
  await says(`access bots ${one} ask`)
  expect(await isStored(chat.mention('Where is the mole?', { author: DEPLOY }))).toBe(true)
})

it('what was said in the channel holds there, whatever is said for the workspace later', async () => {
  const { chat, says, isStored } = await open()
  chat.room('', { admins: [ADA.id] })
  await says('access bots U0DEPLOY nothing')
  await says('access bots A0DEPLOY all everywhere')
  expect(await isStored(chat.mention('Where is the mole?', { author: DEPLOY }))).toBe(false)
})

it('a program is answered once a minute, in all channels together, and nothing is said of the others', async () => {
  const { chat, says, done, platform, texts } = await open()
  chat.room('C2', { admins: [ADA.id], isPublic: true })
  await says('access bots all')
  await says('access bots all', { channel: 'C2' })
  platform.script.answer('By the harbour.', 'By the pier.')
  await done(chat.mention('Where is the mole?', { author: DEPLOY }))
  const said = texts().length
  await done(chat.mention('Where is the ferry?', { author: DEPLOY }))
  await done(chat.mention('Where is the ferry?', { author: DEPLOY, channel: 'C2' }))
  expect(texts()).toHaveLength(said)
  // Another program has a minute of its own.
  await done(chat.mention('Where is the ferry?', { author: WEBHOOK }))
  expect(platform.script.requests).toHaveLength(2)
})

describe('a program that asks on and on without a person', () => {
  const MINUTE_MS = 60_000

  /** Asks each minute for so long, and tells after how many minutes it was answered. */
  async function openLoop() {
    let now = Date.now()
    const set = await open({ clock: () => now })
    await set.says('access bots all')
    const asks = async (minutes: number, more = {}) => {
      const answered: number[] = []
      for (let minute = 0; minute < minutes; minute += 1) {
        const before = set.platform.script.requests.length
        set.platform.script.answer('By the harbour.')
        await set.done(set.chat.mention('Where is the mole?', { author: DEPLOY, ...more }))
        if (set.platform.script.requests.length > before) answered.push(minute)
        now += MINUTE_MS + 1
      }
      return answered
    }
    return { ...set, asks, passes: (minutes: number) => void (now += minutes * MINUTE_MS) }
  }

  it('is answered five times, then after pauses that grow, and a restart forgets none', async () => {
    const { asks, restart } = await openLoop()
    expect(await asks(8)).toEqual([0, 1, 2, 3, 4, 6])
    await restart()
    // Minutes 8, 9 and 10.
    expect(await asks(3)).toEqual([2])
  })

  it('has each minute again once a person wrote in that channel, to whomever; elsewhere does not count', async () => {
    const { asks, chat } = await openLoop()
    await asks(8)
    await chat.say('Lunch?', { channel: 'C2', author: ADA }).taken
    expect(await asks(1)).toEqual([])
    await chat.say('Build 77 is out.', { author: WEBHOOK }).taken
    expect(await asks(1)).toEqual([])
    await chat.say('Lunch?', { author: ADA }).taken
    expect(await asks(5)).toEqual([0, 1, 2, 3, 4])
  })

  it('once an hour is always answered', async () => {
    const { asks, passes } = await openLoop()
    for (let hour = 0; hour < 7; hour += 1) {
      expect(await asks(1)).toEqual([0])
      passes(59)
    }
  })

  it('is one of several: another one, and the same one elsewhere, have pauses of their own', async () => {
    const { asks, says, chat } = await openLoop()
    chat.room('C2', { admins: [ADA.id], isPublic: true })
    await says('access bots all', { channel: 'C2' })
    await asks(6)
    expect(await asks(1, { channel: 'C2' })).toEqual([0])
    await asks(1)
    expect(await asks(1, { author: WEBHOOK })).toEqual([0])
  })
})

it('what a program says of an answer is not answered, by a mention neither', async () => {
  const { chat, says, done, platform } = await open()
  await says('access bots all')
  platform.script.answer('By the harbour.')
  await done(chat.mention('Where is the mole?', { author: ADA, thread: 't1' }))
  await done(chat.mention('Which harbour?', { author: DEPLOY, thread: 't1' }))
  expect(platform.script.requests).toHaveLength(1)
})

it('a program runs no command, is shown no help, and follows up on nothing', async () => {
  const { chat, says, done, isStored, platform, texts } = await open()
  await says('access bots all')
  const before = texts().length
  await expect(isStored(chat.mention('', { author: DEPLOY }))).resolves.toBe(false)
  expect(texts()).toHaveLength(before)
  platform.script.answer('I have none.')
  await done(chat.mention('files', { author: DEPLOY }))
  expect(platform.script.requests).toHaveLength(1)
  expect(await isStored(chat.say('And where is the ferry?', { author: DEPLOY }))).toBe(false)
})

it('an edit of a program asks for nothing', async () => {
  const { chat, says, done, platform } = await open()
  await says('access bots all')
  platform.script.answer('By the harbour.')
  const asked = chat.mention('Where is the mole?', { author: DEPLOY })
  await done(asked)
  await chat.rewrite(asked, 'Where is the ferry?').taken
  expect(platform.script.requests).toHaveLength(1)
})

it('a program that was being answered when the process died is answered', async () => {
  const { chat, says, settled, platform, restart, shows, store } = await open()
  await says('access bots all')
  const release = platform.script.hold('chat.stream')
  const { inbound } = chat.mention('Where is the mole?', { author: DEPLOY })
  // It has used up its minute, and is a turn of the conversation.
  await expect.poll(() => store().history.has('fake:W1:C1/m3')).toBe(true)
  platform.script.answer('By the harbour.', 'By the harbour.')
  await restart()
  release()
  await settled(inbound.key)
  expect(await shows(/By the harbour/)).toBeDefined()
})
