import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { modelList } from '#platform/wire/models.ts'
import { openPlatform, type TestPlatform } from './platform.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** A platform whose model server lists its models as the test says, and what it was asked. */
async function open() {
  const asked: ServerResponse[] = []
  const server = createServer((_, response) => void asked.push(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  let now = Date.now()
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const platform = await openPlatform({ upstream: { baseUrl, chatModel: 'm' }, clock: () => now })
  ends.push(() => platform.close())
  return { platform, asked, pass: (ms: number) => void (now += ms) }
}

const statusOf = async (platform: TestPlatform, signal?: AbortSignal) => {
  const answer = await platform.call('GET', '/v1/models', { bearer: true, ...(signal === undefined ? {} : { signal }) })
  return modelList.parse(await answer.json()).data.find(({ id }) => id === 'm')?.status
}
const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

it('asks a model server once for all callers, and spares one that failed for some seconds', async () => {
  const { platform, asked, pass } = await open()
  const leaving = new AbortController()
  const all = [statusOf(platform, leaving.signal), statusOf(platform), statusOf(platform)]
  await until(() => asked.length > 0)
  // A caller that leaves ends nothing for the others.
  leaving.abort()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(asked).toHaveLength(1)
  asked[0]?.writeHead(500).end()
  expect((await Promise.allSettled(all)).slice(1)).toMatchObject([{ value: 'offline' }, { value: 'offline' }])
  pass(4999)
  expect(await statusOf(platform)).toBe('offline')
  expect(asked).toHaveLength(1)
  pass(1)
  const again = statusOf(platform)
  await until(() => asked.length > 1)
  asked[1]?.end(JSON.stringify({ data: [{ id: 'm' }] }))
  expect(await again).toBe('ready')
  pass(14_999)
  expect(await statusOf(platform)).toBe('ready')
  expect(asked).toHaveLength(2)
})

it('does not wait for the end of a list that stalls', async () => {
  const { platform, asked } = await open()
  const listed = statusOf(platform)
  await until(() => asked.length > 0)
  asked[0]?.writeHead(200, { 'content-type': 'application/json' }).write('{"data":[')
  expect(await listed).toBe('offline')
}, 15_000)
