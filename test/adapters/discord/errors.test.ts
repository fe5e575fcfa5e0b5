import { PermissionFlagsBits } from 'discord.js'
import { expect, test } from 'vitest'
import { open, openDouble, outgoing } from './harness.ts'

const CLOSED = { code: 'closed', message: expect.stringContaining('Manage Threads') as string }

test.each([
  ['a closed thread', 50_083, 400, CLOSED],
  ['a closed thread', 50_083, 403, CLOSED],
  ['a locked thread', 160_005, 400, CLOSED],
  ['a locked thread', 160_005, 403, CLOSED],
  ['slow mode', 20_016, 400, { code: 'rate-limited', retryAfterMs: 60_000 }],
  ['too many messages in a channel', 20_028, 400, { code: 'rate-limited', retryAfterMs: 60_000 }],
])('%s (%i, HTTP %i) is told with its remedy', async (_, code, status, error) => {
  const { discord, adapter, general } = await open(await openDouble())
  const body = { code, message: 'refused' }
  discord.script('POST /channels/:channel/messages', { kind: 'status', status, body, times: 9 })
  await expect(adapter.post(general, outgoing('words'))).rejects.toMatchObject(error)
})

test('a locked thread refuses words and edits, an archived one edits until somebody writes in it', async () => {
  const { discord, adapter, general } = await open(await openDouble(), { times: { editPaceMs: 10 } })
  const thread = { ...general, channel: discord.addThread(discord.channel, 'talk') }
  const ref = await adapter.post(thread, outgoing('words'))
  discord.restrict(thread.channel, { archived: true })
  await expect(adapter.edit(ref, outgoing('new words'))).rejects.toMatchObject({ code: 'closed' })
  const more = await adapter.post(thread, outgoing('more'))
  await adapter.edit(ref, outgoing('new words'))
  for (const archived of [false, true]) {
    discord.restrict(thread.channel, { archived, locked: true })
    await expect(adapter.post(thread, outgoing('last words'))).rejects.toMatchObject({ code: 'closed' })
    await expect(adapter.edit(ref, outgoing('last words'))).rejects.toMatchObject({ code: 'closed' })
  }
  await expect(adapter.remove(more)).rejects.toMatchObject({ code: 'closed' })
  discord.restrict(thread.channel, { archived: false })
  await adapter.remove(more)
  expect(discord.transcript(thread.channel).map(({ text }) => text)).toEqual(['new words'])
})

test('with Manage Threads it writes in a locked thread', async () => {
  const { discord, adapter, general } = await open(await openDouble())
  discord.setMember('Footbridge', { roles: [discord.botRoleId, discord.addRole(PermissionFlagsBits.ManageThreads)] })
  const thread = { ...general, channel: discord.addThread(discord.channel, 'talk') }
  discord.restrict(thread.channel, { locked: true })
  const ref = await adapter.post(thread, outgoing('words'))
  await adapter.edit(ref, outgoing('new words'))
  expect(discord.transcript(thread.channel).map(({ text }) => text)).toEqual(['new words'])
})

const SLOW = { code: 20_016, message: 'This action cannot be performed due to slowmode rate limit', global: false }
const CREATE = 'POST /channels/:channel/messages'

// As Discord answers it: Merubokkusu/Discord-S.C.U.M#232.
test('a short slow mode is waited for, in its channel alone', async () => {
  const { discord, adapter, general } = await open(await openDouble())
  discord.script(CREATE, { kind: 'status', status: 429, body: { ...SLOW, retry_after: 1.2 } })
  const elsewhere = { ...general, channel: discord.addChannel('elsewhere') }
  const slow = adapter.post(general, outgoing('slow'))
  await discord.until(() => discord.callsTo(CREATE).some(({ status }) => status === 429))
  await adapter.post(elsewhere, outgoing('quick'))
  expect(discord.transcript(discord.channel)).toEqual([])
  await slow
  expect(discord.transcript(discord.channel)).toHaveLength(1)
  const [first, , last] = discord.callsTo(CREATE)
  expect(Number(last?.at) - Number(first?.at)).toBeGreaterThanOrEqual(1150)
  expect(discord.callsTo(CREATE)).toHaveLength(3)
})

test('a long slow mode is told, with the time that Discord names, and asked about once', async () => {
  const { discord, adapter, general } = await open(await openDouble())
  discord.script(CREATE, { kind: 'status', status: 429, body: { ...SLOW, retry_after: 3599.4 }, times: 9 })
  await expect(adapter.post(general, outgoing('words'))).rejects.toMatchObject({
    code: 'rate-limited',
    retryAfterMs: 3_599_400,
    message: expect.stringMatching(/slow mode.*3600 s/) as string,
  })
  expect(discord.callsTo(CREATE)).toHaveLength(1)
})

test.each([
  ['a page of Cloudflare (discord-api-docs#849)', undefined],
  ['what Cloudflare says as JSON (discord-api-docs#6473)', { code: 40_333, message: 'internal network error' }],
])('a 403 that is %s says nothing about permissions: it passes', async (_, body) => {
  const { discord, adapter, general } = await open(await openDouble())
  if (body === undefined) discord.goAway('rest-page')
  else discord.script('POST /channels/:channel/messages', { kind: 'status', status: 403, body, times: 9 })
  await expect(adapter.post(general, outgoing('words'))).rejects.toMatchObject({ code: 'network' })
})
