/** Many servers: several gateway connections in one process or over several, and requests within Discord's limit. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DiscordAdapterOptions } from '#adapters/discord/config.ts'
import type { ConversationRef } from '#bridge/port/message.ts'
import { openPostgresStore } from '#store/postgres/open-store.ts'
import type { DiscordDouble } from '#test/doubles/discord/discord-double.ts'
import { closeAtEnd } from '#test/support/close-at-end.ts'
import { eventually } from '#test/support/eventually.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'
import { open, type Opened, openDouble, outgoing } from './harness.ts'

const postgres = usePostgres()
const SHARDS = 4

const guildOf = (channel: string) => (BigInt(channel) >> 22n) << 22n

const at = (channel: string): ConversationRef => ({
  adapter: 'discord',
  workspace: String(guildOf(channel)),
  channel,
  direct: false,
})

/** Four shards, four guilds on each; one channel of each shard. */
async function scene(options: Partial<DiscordAdapterOptions> = {}) {
  const crowd = { guilds: 16, channels: 2 }
  const discord = await openDouble({ crowd, shards: { recommended: SHARDS, atOnce: SHARDS } })
  const shardOf = (channel: string) => Number((guildOf(channel) >> 22n) % BigInt(SHARDS))
  const channels = Array.from(
    { length: SHARDS },
    (_, shard) => discord.crowd.map(([first = '']) => first).find((id) => shardOf(id) === shard) ?? '',
  )
  return { channels, ...(await open(discord, options)) }
}

const heard = (inbounds: readonly { readonly kind: string }[]) =>
  inbounds.flatMap((inbound) => ('message' in inbound ? [(inbound.message as { readonly text: string }).text] : []))

describe('shards', () => {
  test('as many as Discord recommends run in one process, and each hears its servers', async () => {
    const { discord, channels, adapter, nextMessage } = await scene()
    expect(new Set(discord.gateway.shards)).toEqual(new Set([0, 1, 2, 3]))
    for (const [shard, channel] of channels.entries()) {
      discord.say({ channel, mention: true, text: `on ${shard}` })
      expect((await nextMessage(`on ${shard}`)).conversation).toEqual(at(channel))
      await adapter.post(at(channel), outgoing('here'))
      expect(discord.transcript(channel).at(-1)?.text).toBe('here')
    }
    expect(adapter.isConnected()).toBe(true)
  })

  test('of two processes each hears its own; the first has direct messages and the commands', async () => {
    const { discord, channels, inbounds, nextMessage } = await scene({ shards: { first: 0, last: 1, count: SHARDS } })
    const puts = () => discord.callsTo('PUT /applications/:application/commands').length
    expect(puts()).toBe(1)
    const other = await open(discord, { shards: { first: 2, last: 3, count: SHARDS } })
    expect(new Set(discord.gateway.shards)).toEqual(new Set([0, 1, 2, 3]))
    for (const [shard, channel] of channels.entries()) discord.say({ channel, text: `on ${shard}` })
    discord.say({ direct: true, text: 'in private' })
    await Promise.all(['in private', 'on 0', 'on 1'].map((text) => nextMessage(text)))
    await Promise.all(['on 2', 'on 3'].map((text) => other.nextMessage(text)))
    expect(heard(inbounds).toSorted()).toEqual(['in private', 'on 0', 'on 1'])
    expect(heard(other.inbounds).toSorted()).toEqual(['on 2', 'on 3'])
    expect(discord.callsTo('GET /applications/:application/commands')).toHaveLength(1)
  })

  test('one that stays lost is named in the log and to whoever asks; the others hear on', async () => {
    const { discord, channels, adapter, lines, nextMessage } = await scene({ times: { lostMs: 40 } })
    discord.gateway.open(false)
    discord.gateway.drop(1)
    const errors = () => lines.filter(({ level }) => level === 'error').map(({ fields }) => fields)
    await eventually(() => errors().length > 0)
    expect(errors()).toMatchObject([{ shards: [1] }])
    expect(adapter.isConnected()).toBe(false)
    discord.say({ channel: channels[2], text: 'still there?' })
    await nextMessage('still there?')
    discord.gateway.open(true)
    await eventually(() => adapter.isConnected())
  })

  test('one that looks open but whose heartbeat nobody answers is dead', async () => {
    const { adapter, lines } = await scene({ times: { heartbeatMs: 40 } })
    await eventually(() => lines.filter(({ message }) => message.includes('does not answer on it')).length === SHARDS)
    expect(adapter.isConnected()).toBe(false)
  })

  test('one that begins anew reads its own channels, and no others', async () => {
    const { discord, channels, nextMessage } = await scene()
    for (const [shard, channel] of channels.entries()) {
      discord.say({ channel, text: `first ${shard}` })
      await nextMessage(`first ${shard}`)
    }
    discord.gateway.refuseResume()
    discord.gateway.drop(2)
    discord.say({ channel: channels[2], text: 'missed' })
    await nextMessage('missed')
    const reads = () => discord.callsTo('GET /channels/:channel/messages').map(({ path }) => path)
    expect(reads().every((path) => path.includes(channels[2] ?? ''))).toBe(true)
    const before = reads().length
    discord.say({ channel: channels[1], text: 'second' })
    await nextMessage('second')
    expect(reads()).toHaveLength(before)
  })

  test('that Discord does not know end the process with the setting to correct', async () => {
    const discord = await openDouble()
    await expect(open(discord, { shards: { first: 4, last: 4, count: 4 } })).rejects.toMatchObject({
      message: expect.stringContaining('DISCORD_SHARDS'),
    })
  })
})

/** Each once, however often a connection broke off under it. */
const postsOf = (discord: DiscordDouble) =>
  new Set(discord.callsTo('POST /channels/:channel/messages').map(({ body }) => (body as { nonce: string }).nonce)).size

/** A message that grows to its end. */
const growTo = async ({ adapter, general }: Opened, name: string) => {
  const ref = await adapter.post(general, outgoing(name))
  for (let step = 0; step < 8; step += 1) await adapter.edit(ref, outgoing(`${name} ${'word '.repeat(step)}`))
  await adapter.edit(ref, outgoing(`${name} end`, { actions: [], references: [] }))
}

describe('requests', () => {
  test('of a burst stay within the limit of each second, so that Discord refuses none', async () => {
    const discord = await openDouble({ limits: { global: 150 } })
    const { adapter, general } = await open(discord, { globalRequestsPerSecond: 150 })
    const channels = Array.from({ length: 50 }, (_, index) => discord.addChannel(`room ${index}`))
    const posts = Array.from({ length: 600 }, (_, index) =>
      adapter.post({ ...general, channel: channels[index % 50] ?? '' }, outgoing('x')),
    )
    await Promise.all(posts)
    expect(discord.calls.filter(({ status }) => status === 429)).toEqual([])
    expect(postsOf(discord)).toBe(600)
  })

  test('of two processes stay within it together, and each group of shards begins its sessions in turn', async () => {
    const discord = await openDouble({ limits: { global: 150 }, shards: { recommended: 2, atOnce: 1 } })
    const url = await postgres.database()
    const begun: string[] = []
    const start = async (shard: number) => {
      const folder = mkdtempSync(join(tmpdir(), 'footbridge-pace-'))
      const store = closeAtEnd(await openPostgresStore(url, folder, createLogSink()))
      const pacer: typeof store.sharing.pacer = (name, pace) => {
        const wait = store.sharing.pacer?.(name, pace)
        return async () => {
          if (name.startsWith('discord identify')) begun.push(name)
          await wait?.()
        }
      }
      const shards = { first: shard, last: shard, count: 2 }
      return open(discord, { globalRequestsPerSecond: 150, pacer, shards, times: { identifyMs: 5 } })
    }
    const [one, other] = [await start(0), await start(1)]
    expect(begun).toEqual(['discord identify 0', 'discord identify 0'])
    const channels = Array.from({ length: 50 }, (_, index) => discord.addChannel(`room ${index}`))
    const posts = Array.from({ length: 400 }, (_, index) =>
      (index % 2 === 0 ? one : other).adapter.post(
        { ...one.general, channel: channels[index % 50] ?? '' },
        outgoing('x'),
      ),
    )
    await Promise.all(posts)
    expect(discord.calls.filter(({ status }) => status === 429)).toEqual([])
    expect(postsOf(discord)).toBe(400)
  })

  test('of two processes that edit in one channel stay within its limit together', async () => {
    const discord = await openDouble({ limits: { windowMs: 1000 } })
    const url = await postgres.database()
    const start = async () => {
      const folder = mkdtempSync(join(tmpdir(), 'footbridge-pace-'))
      const store = closeAtEnd(await openPostgresStore(url, folder, createLogSink()))
      const times = { editPaceMs: 1, editWindowMs: 1040 }
      return open(discord, { pacer: store.sharing.pacer, times })
    }
    const both = [await start(), await start()]
    await Promise.all(both.map((one, index) => growTo(one, `message ${index}`)))
    expect(discord.callsTo('PATCH /channels/:channel/messages/:message').map(({ status }) => status)).not.toContain(429)
    const shown = discord.transcript(discord.channel).map(({ text }) => text)
    expect(shown.toSorted()).toEqual(['message 0 end', 'message 1 end'])
  })
})
