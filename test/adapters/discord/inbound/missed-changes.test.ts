import { expect, test } from 'vitest'
import type { HandledMessage, Recall } from '#bridge/port/adapter.ts'
import type { DiscordDouble } from '#test/doubles/discord/discord-double.ts'
import type { DoubleMessage } from '#test/doubles/discord/types.ts'
import { memoryCursors, open, openDouble, outgoing } from '../harness.ts'

const LIST = 'GET /channels/:channel/messages'
const ONE = 'GET /channels/:channel/messages/:message'

const handled = (message: DoubleMessage): HandledMessage => ({
  id: message.id,
  text: message.content,
  attachments: message.files.map(({ id }) => id),
})

/** Says things, goes away, lets something happen, and comes back. */
async function away(
  discord: DiscordDouble,
  say: () => readonly DoubleMessage[],
  happen: (messages: readonly DoubleMessage[]) => void,
) {
  const cursors = memoryCursors()
  const before = await open(discord, { cursors })
  const messages = say()
  const last = messages.at(-1)
  await before.next('message', ({ message }) => message.id === last?.id)
  await before.adapter.stop()
  const known = messages.filter(({ content }) => !content.startsWith('talk')).map(handled)
  const recall: Recall = async ({ channel }) => (channel === discord.channel ? known.toReversed() : [])
  happen(messages)
  const back = await open(discord, { cursors, recall })
  discord.say({ text: 'now' })
  await back.nextMessage('now')
  const told = back.inbounds.filter(({ kind }) => kind !== 'message')
  return { ...back, told }
}

test('a channel whose history may not be read lost nothing', async () => {
  const discord = await openDouble()
  const { told } = await away(
    discord,
    () => [discord.say({ text: 'first' }), discord.say({ text: 'second', files: [{ name: 'a.md', bytes: 'a' }] })],
    () => discord.hideHistory(discord.channel),
  )
  expect(told).toEqual([])
})

test('edits, deletions, removed files and marks of an absence are told once they are seen', async () => {
  const discord = await openDouble()
  const { told, general } = await away(
    discord,
    () => [
      discord.say({ text: 'first' }),
      discord.say({ text: 'second' }),
      discord.say({ text: 'third', files: [{ name: 'a.md', bytes: 'a' }] }),
      discord.say({ text: 'fourth' }),
      discord.say({ text: 'fifth' }),
    ],
    ([first, second, third, fourth]) => {
      discord.edit(first?.id ?? '', 'first, changed')
      discord.remove(second?.id ?? '')
      discord.detach(third?.id ?? '', 'a.md')
      discord.react(fourth?.id ?? '', 'bert')
    },
  )
  expect(told).toMatchObject([
    { kind: 'edit', message: { text: 'first, changed', conversation: general } },
    { kind: 'delete', conversation: general },
    { kind: 'files-left', left: [] },
    { kind: 'pin', author: { name: 'bert' } },
  ])
  expect(discord.callsTo(LIST)).toHaveLength(1)
})

test('marks on what was said among people are told too, unless it was said days ago', async () => {
  const discord = await openDouble()
  const { told } = await away(
    discord,
    () => [
      discord.say({ text: 'talk of days ago', at: Date.now() - 3 * 24 * 3_600_000 }),
      discord.say({ text: 'question' }),
      discord.say({ text: 'talk' }),
    ],
    (messages) => {
      for (const { id } of messages) discord.react(id, 'bert')
    },
  )
  const pinned = told.flatMap((inbound) => (inbound.kind === 'pin' ? [inbound.messageId] : []))
  const texts = discord.transcript(discord.channel).flatMap(({ id, text }) => (pinned.includes(id) ? [text] : []))
  expect(texts).toEqual(['question', 'talk'])
})

test('a channel of which nothing is known costs no request', async () => {
  const discord = await openDouble()
  const { told } = await away(
    discord,
    () => [discord.say({ text: 'first' })],
    () => {},
  )
  expect(told).toEqual([])
  const quiet = await openDouble()
  const cursors = memoryCursors({ [quiet.channel]: quiet.say({ text: 'old' }).id })
  const { nextMessage } = await open(quiet, { cursors })
  quiet.say({ text: 'now' })
  await nextMessage('now')
  expect(quiet.callsTo(LIST)).toEqual([])
})

test('beyond the newest hundred only messages with files are looked for, each alone', async () => {
  const discord = await openDouble()
  const { told } = await away(
    discord,
    () => [
      discord.say({ text: 'file', files: [{ name: 'a.md', bytes: 'a' }] }),
      discord.say({ text: 'talk' }),
      ...Array.from({ length: 100 }, (_, index) => discord.say({ text: `more ${index}` })),
    ],
    ([file, talk]) => {
      discord.remove(file?.id ?? '')
      discord.remove(talk?.id ?? '')
    },
  )
  expect(told.map(({ kind }) => kind)).toEqual(['delete'])
  expect(discord.callsTo(ONE)).toHaveLength(1)
})

test('an edit of days ago stays as it was answered', async () => {
  const discord = await openDouble()
  const { told } = await away(
    discord,
    () => [discord.say({ text: 'first' })],
    ([first]) => {
      if (first === undefined) return
      discord.edit(first.id, 'first, changed')
      first.editedTimestamp = new Date(Date.now() - 3 * 24 * 3_600_000).toISOString()
    },
  )
  expect(told).toEqual([])
})

const recallsOne: Recall = async () => [{ id: '2', text: 'old', attachments: [] }]

test('few channels are read back at once, so that what people say now waits for none of the others', async () => {
  const discord = await openDouble({ crowd: { guilds: 1, channels: 40 } })
  const places = discord.crowd[0] ?? []
  const released = Promise.withResolvers<void>()
  discord.script(LIST, { kind: 'hold', until: released.promise, times: 1000 })
  const cursors = memoryCursors(Object.fromEntries(places.map((channel) => [channel, '1'])))
  const { adapter, next, general } = await open(discord, { cursors, recall: recallsOne })
  await discord.until(() => discord.callsTo(LIST).length === 10)
  const last = places.at(-1) ?? ''
  const question = discord.say({ channel: last, text: 'now', mention: true })
  await discord.until(() => discord.callsTo(LIST).length > 10)
  expect(
    discord
      .callsTo(LIST)
      .map(({ path }) => path)
      .at(-1),
  ).toContain(last)
  await adapter.post({ ...general, channel: places[38] ?? '' }, outgoing('others are answered meanwhile'))
  expect(discord.callsTo(LIST)).toHaveLength(11)
  released.resolve()
  await next('message', ({ message }) => message.id === question.id)
  await discord.until(() => discord.callsTo(LIST).length >= places.length)
})
