/** Each row of the table "Without Message Content" of docs/discord.md, done with the intent and without. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Said } from '#test/doubles/discord/people.ts'
import { eventually } from '#test/support/eventually.ts'
import { withBridge } from './with-bridge.ts'

type World = Awaited<ReturnType<typeof openWorld>>
/** A channel of its own, and a word that nothing else says. */
interface Place {
  readonly channel: string
  readonly word: string
  readonly person: string
}
type Act = (world: World, place: Place) => Promise<() => boolean> | (() => boolean)

const FILE = { name: 'lamp.md', mimeType: 'text/markdown', bytes: 'The lamp is lit at dusk.' }
const VOICE = { bytes: new Uint8Array([79, 103, 103, 83]), seconds: 3 }

async function openWorld(messageContent: boolean) {
  const { discord, platform, store, lines } = await withBridge({ messageContent, isKept: true })
  const bot = (channel: string) => discord.transcript(channel).filter(({ bot: isBot }) => isBot)
  const said = (channel: string, pattern: RegExp) => bot(channel).some(({ text }) => pattern.test(text))
  const isAsked = (word: string) =>
    platform.script.requests.some(({ messages }) => JSON.stringify(messages).includes(word))
  const rest = () =>
    eventually(async () => {
      const { waiting, running } = await store.inbox.depth()
      return waiting + running === 0
    })
  /** An answer in this channel, as a message with an id. */
  async function answered(channel: string, more: Said = {}) {
    discord.say({ channel, mention: true, text: 'Where is the pier?', ...more })
    const { id } = await discord.until(() => bot(channel).find(({ buttons }) => buttons.includes('👍')))
    await rest()
    return id
  }
  return { discord, store, lines, bot, said, isAsked, rest, answered }
}

const asks =
  (how: (place: Place) => Said): Act =>
  ({ discord, isAsked }, place) => {
    discord.say({ channel: place.channel, user: place.person, text: `When is ${place.word}?`, ...how(place) })
    return () => isAsked(place.word)
  }

const drops =
  (how: (place: Place) => Said): Act =>
  ({ discord, said }, place) => {
    const { direct } = how(place)
    const where = direct === true ? discord.directChannelOf(place.person) : place.channel
    discord.say({ channel: place.channel, user: place.person, files: [FILE], ...how(place) })
    return () => said(where, /lamp\.md.*ready/)
  }

const everyQuestion = async ({ discord, said }: World, channel: string) => {
  discord.say({ channel, user: 'owner', mention: true, files: [FILE] })
  await discord.until(() => said(channel, /lamp\.md.*ready/))
  discord.callCommand('settings', { user: 'owner', channel, options: { change: 'answers questions' } })
  await discord.until(() => said(channel, /Every question that/))
}

/** By the words of the table. */
const ACTS: Readonly<Record<string, Act>> = {
  'a question with a mention': asks(() => ({ mention: true })),
  'a file with a mention': drops(() => ({ mention: true })),
  'a long text that became `message.txt`, with a mention': ({ discord, isAsked }, { channel, word }) => {
    const bytes = `${'The pump hums. '.repeat(200)}\nWhat about ${word}?`
    discord.say({ channel, mention: true, files: [{ name: 'message.txt', mimeType: 'text/plain', bytes }] })
    return () => isAsked(word)
  },
  'a question in a direct message': asks(() => ({ direct: true })),
  'a file in a direct message': drops(() => ({ direct: true })),
  'a voice message in a direct message': ({ discord, said }, { person }) => {
    discord.say({ user: person, direct: true, voice: VOICE })
    return () => said(discord.directChannelOf(person), /a transcript/)
  },
  'a reply to an answer, with the ping on': async (world, place) => {
    const replyTo = await world.answered(place.channel)
    return asks(() => ({ replyTo }))(world, place)
  },
  'a reply to an answer, with the ping off': async (world, place) => {
    const replyTo = await world.answered(place.channel)
    return asks(() => ({ replyTo, pings: false }))(world, place)
  },
  'a voice message as a reply with the ping on': async (world, { channel }) => {
    const replyTo = await world.answered(channel)
    world.discord.say({ channel, replyTo, voice: VOICE })
    return () => world.said(channel, /a transcript/)
  },
  'a reply to the answer of a command, without a mention': async (world, place) => {
    const { discord, bot, rest } = world
    discord.callCommand('ask', { channel: place.channel, options: { question: 'Where?', share: true } })
    const { id } = await discord.until(() => bot(place.channel).find(({ buttons }) => buttons.includes('👍')))
    await rest()
    return asks(() => ({ replyTo: id }))(world, place)
  },
  'a reply to the answer of a command, with a mention': async (world, place) => {
    const { discord, bot, rest } = world
    discord.callCommand('ask', { channel: place.channel, options: { question: 'Where?', share: true } })
    const { id } = await discord.until(() => bot(place.channel).find(({ buttons }) => buttons.includes('👍')))
    await rest()
    return asks(() => ({ replyTo: id, mention: true }))(world, place)
  },
  'a follow-up in a thread, with a mention': async (world, place) => {
    const channel = world.discord.addThread(place.channel, 'talk')
    await world.answered(channel, { user: place.person })
    return asks(() => ({ channel, mention: true }))(world, place)
  },
  'a follow-up in a thread, without a mention': async (world, place) => {
    const channel = world.discord.addThread(place.channel, 'talk')
    await world.answered(channel, { user: place.person })
    return asks(() => ({ channel }))(world, place)
  },
  'a file without a mention': drops(() => ({})),
  'a forwarded file': ({ discord, said }, { channel }) => {
    const { id, url } = discord.hostFile({ ...FILE, channel })
    const file = { id, filename: FILE.name, content_type: FILE.mimeType, size: 24, url, proxy_url: url }
    const message = { content: '', attachments: [file], embeds: [], mentions: [], flags: 0, type: 0 }
    const extra = { message_reference: { type: 1, channel_id: '1', message_id: '2' }, message_snapshots: [{ message }] }
    discord.say({ channel, text: '', type: 0, extra })
    return () => said(channel, /lamp\.md.*ready/)
  },
  'a voice message among people': ({ discord, bot }, { channel }) => {
    discord.say({ channel, voice: VOICE })
    return () => bot(channel).some(({ buttons }) => buttons.includes('Answer this?'))
  },
  'a question to nobody, where every question is answered': async (world, place) => {
    await everyQuestion(world, place.channel)
    return asks(() => ({}))(world, place)
  },
  'the title of a forum post, where every question is answered': async (world, { word, person }) => {
    const { discord, isAsked } = world
    const forum = discord.addPlace(word.toLowerCase(), 'forum')
    await everyQuestion(world, discord.post(forum, 'Rules', { user: 'owner', text: 'Be kind.' }))
    discord.post(forum, `When is ${word}?`, { user: person, text: 'I wait.' })
    return () => isAsked(word)
  },
  '`/ask`': ({ discord, isAsked }, { channel, word }) => {
    discord.callCommand('ask', { channel, options: { question: `When is ${word}?` } })
    return () => isAsked(word)
  },
  '`/add` with a file': ({ discord, said }, { channel }) => {
    discord.callCommand('add', { channel, files: { file: FILE } })
    return () => said(channel, /lamp\.md.*ready/)
  },
  '`/add` and its dialog': async ({ discord, said }, { channel }) => {
    const called = discord.callCommand('add', { channel })
    await discord.until(() => called.modal())
    discord.submitFiles(called, [FILE, { ...FILE, name: 'pier.md' }])
    return () => said(channel, /lamp\.md.*ready/) && said(channel, /pier\.md.*ready/)
  },
  '*Ask about this* on any message': ({ discord, isAsked }, { channel, word }) => {
    const { id } = discord.say({ channel, user: 'ben', text: `When is ${word}?` })
    discord.callCommand('Ask about this', { target: id })
    return () => isAsked(word)
  },
  '*Keep as knowledge* on any message': ({ discord, said }, { channel, word }) => {
    const { id } = discord.say({ channel, user: 'ben', text: `${word} is at dusk.` })
    discord.callCommand('Keep as knowledge', { target: id })
    return () => said(channel, /ready/)
  },
  '📌 on a message that mentions nobody': ({ discord, said }, { channel, word }) => {
    const { id } = discord.say({ channel, user: 'ben', text: `${word} is at dusk.` })
    discord.react(id)
    return () => said(channel, /ready/)
  },
  '📌 on an answer': async ({ discord, answered, said }, { channel }) => {
    discord.react(await answered(channel))
    return () => said(channel, /ready/)
  },
  'an edit of a question with a mention': ({ discord, isAsked }, { channel, word }) => {
    const { id } = discord.say({ channel, mention: true, text: 'When?' })
    discord.edit(id, `<@${discord.botUserId}> When is ${word}?`)
    return () => isAsked(word)
  },
  'what somebody wrote before, in a thread with a question': async ({ discord, isAsked }, { channel, word }) => {
    const thread = discord.addThread(channel, 'before')
    discord.say({ channel: thread, user: 'ben', text: `${word} is at dusk.` })
    discord.say({ channel: thread, mention: true, text: 'When is it?' })
    await eventually(() => isAsked('When is it?'))
    return () => isAsked(word)
  },
}

const page = readFileSync(new URL('../../../docs/discord.md', import.meta.url), 'utf8')
const section = page.slice(page.indexOf('## Without Message Content'))
const ROWS = [...section.matchAll(/^\| (.+?) \| ([●–]) \| ([●–]) \|/gm)].map(([, what = '', on, off]) => ({
  what,
  true: on === '●',
  false: off === '●',
}))

test('the table has a row for each act, and only those', () => {
  expect(ROWS.map(({ what }) => what).toSorted()).toEqual(Object.keys(ACTS).toSorted())
  expect(ROWS).toHaveLength(27)
})

describe.each([true, false])('with Message Content: %s', (messageContent) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(messageContent)
  })

  test.each(ROWS.map((row, index) => [row.what, row[`${messageContent}`], index] as const))(
    '%s: %s',
    async (what, works, index) => {
      const { discord, rest } = world
      const place = { channel: discord.addChannel(`row-${index}`), word: `Z${index}Q`, person: `person-${index}` }
      const isDone = await ACTS[what]?.(world, place)
      if (works) {
        await eventually(() => isDone?.())
        return
      }
      // What is asked later in this channel is answered: so all before was heard.
      discord.say({ channel: place.channel, user: 'zoe', mention: true, text: `END${index}` })
      await discord.until(() => world.said(place.channel, new RegExp(`END${index}`)))
      await rest()
      expect(isDone?.()).toBe(false)
    },
  )
})
