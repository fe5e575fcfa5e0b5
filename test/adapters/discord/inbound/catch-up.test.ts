import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { DiscordDouble } from '#test/doubles/discord/discord-double.ts'
import { createReadMarks } from '#adapters/discord/inbound/catch-up.ts'
import { createLog, memoryCursors, open, openDouble } from '../harness.ts'

const list = 'GET /channels/:channel/messages'
const minutes = 60_000

/** Was here, heard `first`, and went away. */
async function wasHere(discord: DiscordDouble) {
  const cursors = memoryCursors()
  const before = await open(discord, { cursors })
  const said = discord.say({ text: 'first' })
  await before.nextMessage('first')
  await before.adapter.stop()
  return { cursors, said }
}

const texts = (inbounds: readonly { kind: string; message?: { text: string } }[]) =>
  inbounds.map(({ message }) => message?.text)

test('how far a channel was read is kept', async () => {
  const discord = await openDouble()
  const { cursors, said } = await wasHere(discord)
  expect(cursors.saved.get(discord.channel)).toBe(said.id)
})

test('what was said while we were away arrives in order, and before what is said now', async () => {
  const discord = await openDouble()
  const { cursors } = await wasHere(discord)
  discord.say({ text: 'away one', mention: true })
  discord.say({ text: 'away two' })
  const { inbounds, nextMessage, general } = await open(discord, { cursors })
  discord.say({ text: 'now' })
  await nextMessage('now')
  expect(texts(inbounds)).toEqual(['away one', 'away two', 'now'])
  expect(await nextMessage('away one')).toMatchObject({ addressed: true, conversation: general })
})

test('long absences are read to the end, page by page', async () => {
  const discord = await openDouble()
  const { cursors } = await wasHere(discord)
  for (let index = 0; index < 250; index += 1) discord.say({ text: `away ${index}` })
  const { inbounds, nextMessage } = await open(discord, { cursors })
  await nextMessage('away 249')
  expect(texts(inbounds)).toEqual(Array.from({ length: 250 }, (_entry, index) => `away ${index}`))
  expect(discord.callsTo(list)).toHaveLength(3)
})

test('a channel in which nothing was said is not asked', async () => {
  const discord = await openDouble()
  const { cursors } = await wasHere(discord)
  const { nextMessage } = await open(discord, { cursors })
  discord.say({ text: 'now' })
  await nextMessage('now')
  expect(discord.callsTo(list)).toEqual([])
})

test('what is too old for an answer is told as missed', async () => {
  const discord = await openDouble()
  const at = Date.now() - 60 * minutes
  discord.say({ text: 'start', at: at - minutes })
  const cursors = memoryCursors({ [discord.channel]: discord.say({ text: 'read', at }).id })
  discord.say({ text: 'old question', mention: true, at: at + minutes })
  discord.say({ voice: { bytes: new Uint8Array(4), seconds: 1 }, at: at + 2 * minutes })
  const file = { name: 'a.md', bytes: 'x', mimeType: 'text/markdown' }
  const drop = discord.say({ text: 'look', mention: true, files: [file], at: at + 3 * minutes })
  discord.say({ text: 'fresh question', mention: true })
  const { inbounds, nextMessage } = await open(discord, { cursors })
  await nextMessage('fresh question')
  expect(texts(inbounds)).toEqual(['old question', '', 'look', 'fresh question'])
  expect(inbounds.map((inbound) => 'message' in inbound && inbound.message.missed === true)).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect(inbounds[2]).toMatchObject({
    key: `discord:${discord.channel}:${drop.id}`,
    message: { missed: true, attachments: [{ name: 'a.md' }] },
  })
})

test('direct messages are caught up too', async () => {
  const discord = await openDouble()
  const cursors = memoryCursors()
  const before = await open(discord, { cursors })
  discord.say({ direct: true, text: 'hi' })
  await before.nextMessage('hi')
  await before.adapter.stop()
  discord.say({ direct: true, text: 'still there?' })
  const { nextMessage } = await open(discord, { cursors })
  expect(await nextMessage('still there?')).toMatchObject({
    addressed: true,
    conversation: { workspace: '@me', direct: true },
  })
})

test('the first position of a direct conversation is saved at once: no session would tell the next start of it', async () => {
  const cursors = memoryCursors()
  const { saved } = cursors
  const marks = createReadMarks(cursors, createLog().log)
  marks.advance('@me/2', '6')
  expect([...saved]).toEqual([['@me/2', '6']])
  marks.advance('@me/2', '7')
  marks.advance('1', '5')
  expect([...saved]).toEqual([['@me/2', '6']])
  await marks.flush()
  expect([...saved]).toEqual([
    ['@me/2', '7'],
    ['1', '5'],
  ])
})

test('a direct conversation that a crash left unmarked is read from where we were, once it is heard of again', async () => {
  const discord = await openDouble()
  const { cursors } = await wasHere(discord)
  discord.say({ direct: true, text: 'away one' })
  discord.say({ direct: true, text: 'away two' })
  const { inbounds, nextMessage } = await open(discord, { cursors })
  discord.say({ direct: true, text: 'now' })
  await nextMessage('now')
  // A message that is found twice is told twice, under the same key.
  expect([...new Set(texts(inbounds))]).toEqual(['away one', 'away two', 'now'])
})

test('threads and channels that were made while we were away are read from their beginning', async () => {
  const discord = await openDouble()
  const { cursors } = await wasHere(discord)
  const thread = discord.addThread(discord.channel, 'leave')
  const channel = discord.addChannel('new')
  discord.say({ channel: thread, text: 'in the thread' })
  discord.say({ channel, text: 'in the channel' })
  const { nextMessage } = await open(discord, { cursors })
  expect((await nextMessage('in the thread')).conversation).toMatchObject({ channel: discord.channel, thread })
  expect((await nextMessage('in the channel')).conversation).toMatchObject({ channel })
})

test('a channel from before, which we can see only now, is not read from its beginning', async () => {
  const discord = await openDouble()
  const old = discord.addChannel('old')
  discord.say({ channel: old, text: 'not for us', mention: true, at: Date.now() - minutes })
  const cursors = memoryCursors({ [discord.channel]: discord.say({ text: 'read' }).id })
  const { inbounds, nextMessage } = await open(discord, { cursors })
  discord.say({ channel: old, text: 'for us' })
  await nextMessage('for us')
  expect(texts(inbounds)).toEqual(['for us'])
})

test('a crash right after the first start forgets no channel', async () => {
  const discord = await openDouble()
  const empty = discord.addChannel('empty')
  discord.say({ text: 'before us' })
  const cursors = memoryCursors()
  await open(discord, { cursors })
  // One position for all channels in which nobody has said anything since.
  expect(cursors.saved.size).toBe(1)
  // As if killed here: the adapter above never gets to write anything again.
  const asLeft = memoryCursors(Object.fromEntries(cursors.saved))
  discord.say({ text: 'one' })
  discord.say({ channel: empty, text: 'two' })
  const { nextMessage } = await open(discord, { cursors: asLeft })
  expect((await nextMessage('one')).conversation.channel).toBe(discord.channel)
  expect((await nextMessage('two')).conversation.channel).toBe(empty)
})

test('on the very first start, what was said before is not ours', async () => {
  const discord = await openDouble()
  discord.say({ text: 'before us', mention: true, at: Date.now() - minutes })
  const cursors = memoryCursors()
  const { inbounds, nextMessage, adapter } = await open(discord, { cursors })
  const now = discord.say({ text: 'now' })
  await nextMessage('now')
  expect(texts(inbounds)).toEqual(['now'])
  await adapter.stop()
  expect(cursors.saved.get(discord.channel)).toBe(now.id)
})

test('what could not be stored is found again on the next start', async () => {
  const discord = await openDouble()
  const cursors = memoryCursors()
  const before = await open(discord, {
    cursors,
    times: { deliveriesMs: [] },
    receive: (inbound) =>
      inbound.kind === 'message' && inbound.message.text === 'lost'
        ? Promise.reject(new Error('The disk is full.'))
        : Promise.resolve(),
  })
  discord.say({ text: 'kept' })
  discord.say({ text: 'lost' })
  discord.say({ text: 'after' })
  await before.nextMessage('after')
  await before.adapter.stop()
  const { inbounds, nextMessage } = await open(discord, { cursors })
  await nextMessage('lost')
  await nextMessage('after')
  expect(texts(inbounds)).toEqual(['lost', 'after'])
})

test('a channel that cannot be read is read again until it can, and its mark then goes on', async () => {
  const discord = await openDouble()
  const { cursors } = await wasHere(discord)
  discord.say({ text: 'away' })
  // More than the repetitions of two reads.
  const isRefused = Array.from({ length: 4 }, () => ({ kind: 'status', status: 500 }) as const)
  for (const fault of isRefused) discord.script(list, fault)
  const times = { retriesMs: [1], reconnectMs: 20 }
  const { inbounds, nextMessage, lines, adapter } = await open(discord, { cursors, times })
  const now = discord.say({ text: 'now' })
  await nextMessage('now')
  await nextMessage('away')
  expect(new Set(texts(inbounds))).toEqual(new Set(['now', 'away']))
  expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1)
  await adapter.stop()
  expect(cursors.saved.get(discord.channel)).toBe(now.id)
})

test('a channel that is closed to us by now does no harm', async () => {
  const discord = await openDouble()
  const { cursors } = await wasHere(discord)
  discord.say({ text: 'away' })
  discord.hideChannel(discord.channel)
  const other = discord.addChannel('other')
  const { nextMessage } = await open(discord, { cursors })
  discord.say({ channel: other, text: 'fine' })
  expect((await nextMessage('fine')).conversation.channel).toBe(other)
})

test('a cursor that cannot be saved is logged, and the message still arrives', async () => {
  const discord = await openDouble()
  const broken = { ...memoryCursors(), set: () => Promise.reject(new Error('The disk is full.')) }
  const { adapter, nextMessage, lines } = await open(discord, { cursors: broken })
  discord.say({ text: 'hello' })
  await nextMessage('hello')
  await adapter.stop()
  expect(lines.some(({ level, message }) => level === 'warn' && message.includes('could not be saved'))).toBe(true)
})

test('a server that Discord cannot serve at the start holds up no start, and is read on when it is back', async () => {
  const discord = await openDouble()
  const { cursors } = await wasHere(discord)
  discord.gateway.setGuild('unavailable')
  discord.say({ text: 'away', mention: true })
  const begunAt = Date.now()
  const { inbounds, nextMessage, adapter, lines } = await open(discord, { cursors, times: { guildsMs: 300 } })
  expect(Date.now() - begunAt).toBeLessThan(5000)
  expect(adapter.isConnected()).toBe(true)
  discord.say({ text: 'meanwhile' })
  discord.gateway.setGuild('there')
  await nextMessage('meanwhile')
  discord.say({ text: 'now' })
  await nextMessage('now')
  expect(texts(inbounds)).toEqual(['away', 'meanwhile', 'now'])
  expect(lines.filter(({ level }) => level === 'error')).toEqual([])
})

test('a server that Discord cannot serve for a while is not left: what was said meanwhile arrives once', async () => {
  const discord = await openDouble()
  const { inbounds, nextMessage } = await open(discord, { cursors: memoryCursors() })
  discord.say({ text: 'before' })
  await nextMessage('before')
  for (const word of ['one', 'two']) {
    discord.gateway.setGuild('unavailable')
    discord.say({ text: `meanwhile ${word}` })
    discord.gateway.setGuild('there')
    await nextMessage(`meanwhile ${word}`)
  }
  discord.say({ text: 'after' })
  await nextMessage('after')
  expect(inbounds.map(({ kind }) => kind)).toEqual(['message', 'message', 'message', 'message'])
  expect(texts(inbounds)).toEqual(['before', 'meanwhile one', 'meanwhile two', 'after'])
})

test('in no server yet it is connected at once, and hears a server to which it is added', async () => {
  const discord = await openDouble()
  discord.gateway.setGuild('left')
  const begunAt = Date.now()
  const { inbounds, nextMessage, adapter, lines } = await open(discord, { cursors: memoryCursors() })
  expect(Date.now() - begunAt).toBeLessThan(4000)
  expect(adapter.isConnected()).toBe(true)
  discord.say({ text: 'unheard' })
  await sleep(5)
  discord.gateway.setGuild('there')
  discord.say({ text: 'hello', mention: true })
  await nextMessage('hello')
  expect(texts(inbounds)).toEqual(['hello'])
  expect(lines.filter(({ level }) => level === 'error')).toEqual([])
})
