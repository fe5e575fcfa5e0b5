import { expect, test } from 'vitest'
import { open, openDouble, outgoing } from './harness.ts'

test.each([
  ['a closed thread', 50_083, 400, { code: 'forbidden', message: expect.stringContaining('Manage Threads') as string }],
  [
    'a locked thread',
    160_005,
    403,
    { code: 'forbidden', message: expect.stringContaining('Manage Threads') as string },
  ],
  ['slow mode', 20_016, 400, { code: 'rate-limited', retryAfterMs: 60_000 }],
  ['too many messages in a channel', 20_028, 400, { code: 'rate-limited', retryAfterMs: 60_000 }],
])('%s is told with its remedy', async (_, code, status, error) => {
  const { discord, adapter, general } = await open(await openDouble())
  const body = { code, message: 'refused' }
  discord.script('POST /channels/:channel/messages', { kind: 'status', status, body, times: 9 })
  await expect(adapter.post(general, outgoing('words'))).rejects.toMatchObject(error)
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
