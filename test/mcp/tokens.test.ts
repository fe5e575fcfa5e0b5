import { expect, it } from 'vitest'
import type { PersonAccess } from '#bridge/port/person-access.ts'
import { createTokens } from '#src/mcp/askers/tokens.ts'
import { openPlatform } from '#test/platform/server/platform.ts'
import { memoryState } from '#test/support/fakes/state.ts'
import { mcpOf } from './client.ts'

const ADA = { adapter: 'fake', workspace: 'W1', personId: 'U-ada' }
const ADDRESS = 'https://footbridge.example.org/mcp'

it('a token that is ended while its use is noted leaves nothing behind', async () => {
  const state = memoryState()
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const set: typeof state.set = async (key, ...rest) => {
    if (key.startsWith('used ')) await promise
    await state.set(key, ...rest)
  }
  const tokens = createTokens({ ...state, set }, ADDRESS)
  const token = (await tokens.make(ADA, 'laptop')) ?? ''
  // The request does not wait for the note.
  expect(await tokens.find(token)).toMatchObject({ name: 'laptop' })
  expect(await tokens.revoke(ADA, 'laptop')).toBe(true)
  resolve(undefined)
  await expect.poll(() => state.keys()).toEqual([])
})

it('a use that cannot be noted is one nevertheless', async () => {
  const state = memoryState()
  const set: typeof state.set = async (key, ...rest) => {
    if (key.startsWith('used ')) throw new Error('The disk is full.')
    await state.set(key, ...rest)
  }
  const tokens = createTokens({ ...state, set }, ADDRESS)
  const token = (await tokens.make(ADA, 'laptop')) ?? ''
  expect(await tokens.find(token)).toMatchObject({ name: 'laptop' })
})

it('a token is replaced by one for the same message, and by no other one', async () => {
  const tokens = createTokens(memoryState(), ADDRESS)
  const first = (await tokens.make(ADA, 'laptop', 'send-1')) ?? ''
  expect(await tokens.make(ADA, 'laptop', 'send-2')).toBeUndefined()
  expect(await tokens.make(ADA, 'laptop')).toBeUndefined()
  const second = (await tokens.make(ADA, 'laptop', 'send-1')) ?? ''
  expect(await tokens.find(first)).toBeUndefined()
  expect(await tokens.find(second)).toMatchObject({ name: 'laptop' })
})

it('the tokens of a workspace are ended with all that belongs to them, by few looks at the keys', async () => {
  const state = memoryState()
  let looks = 0
  const keys = () => ((looks += 1), state.keys())
  const tokens = createTokens({ ...state, keys }, ADDRESS)
  for (let number = 0; number < 6; number += 1) {
    const token = await tokens.make({ ...ADA, personId: `U-${number}` }, 'laptop')
    await tokens.find(token ?? '')
  }
  await tokens.make({ ...ADA, workspace: 'W2' }, 'laptop')
  await expect.poll(async () => (await state.keys()).length).toBe(13)
  looks = 0
  await tokens.forgetWorkspace('fake', 'W1')
  expect(await state.keys()).toHaveLength(1)
  expect(looks).toBe(3)
})

it('a token ends after a year, and is refused like one that never was', async () => {
  let now = Date.parse('2027-01-01')
  const clock = () => now
  const tokens = createTokens(memoryState(clock), ADDRESS, clock)
  const token = (await tokens.make(ADA, 'laptop')) ?? ''
  const platform = await openPlatform()
  const access = { channelsOf: async () => [] } as unknown as PersonAccess
  const mcp = mcpOf(platform, { people: { tokens, access: () => access } })
  const answered = async (credential: string) => {
    const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    const response = await mcp.fetch(new Request(ADDRESS, { method: 'POST', headers, body }))
    return [response.status, await response.text()]
  }
  now += 365 * 86_400_000 - 1
  expect(await answered(token)).toEqual([200, expect.stringContaining('"result":{}')])
  now += 1
  const refused = await answered(token)
  expect(refused).toEqual([401, expect.stringContaining('Send a token or a key that is valid')])
  expect(await answered(`fbt-${'A'.repeat(59)}`)).toEqual(refused)
  await platform.close()
})
