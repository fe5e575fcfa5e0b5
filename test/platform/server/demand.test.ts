import { afterEach, beforeEach, expect, it } from 'vitest'
import { modelList } from '#platform/wire/models.ts'
import { openPlatform, type TestPlatform } from './platform.ts'

let platform: TestPlatform
beforeEach(async () => {
  platform = await openPlatform({ over: 'socket', withUpstream: true })
})
afterEach(() => platform.close())

const bearer = true
const ask = (stream: boolean, signal?: AbortSignal) =>
  platform.call('POST', '/v1/chat/completions', {
    bearer,
    json: { model: 'double-chat', stream, messages: [{ role: 'user', content: 'Hello' }] },
    ...(signal === undefined ? {} : { signal }),
  })

async function demands(): Promise<Readonly<Record<string, number>>> {
  const { data } = modelList.parse(await (await platform.call('GET', '/v1/models', { bearer })).json())
  return Object.fromEntries(data.map(({ id, demand }) => [id, demand]))
}

/** The end of a request is seen by the server a little after its caller. */
async function untilIdle(): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- asked again until it is so
  while (Object.values(await demands()).some((demand) => demand > 0)) continue
}

it('counts what is under way for each model, and nothing that is over', async () => {
  expect(await demands()).toMatchObject({ 'double-chat': 0, 'double-embed': 0, extractive: 0 })
  platform.upstream.script(
    { kind: 'fault', fault: 'hang', after: ['Hello'] },
    { kind: 'fault', fault: 'hang', after: ['Hello'] },
  )
  const left = [new AbortController(), new AbortController()]
  const answers = await Promise.all(left.map(({ signal }) => ask(true, signal)))
  expect(await demands()).toMatchObject({ 'double-chat': 2, 'double-embed': 0, extractive: 0 })
  left[0]?.abort()
  await answers[0]?.body?.cancel().catch(() => undefined)
  while ((await demands())['double-chat'] !== 1) continue
  left[1]?.abort()
  await answers[1]?.body?.cancel().catch(() => undefined)
  await untilIdle()
})

it('is back at nothing after answers that were whole, failed or never came', async () => {
  expect((await ask(false)).status).toBe(200)
  await (await ask(true)).text()
  platform.upstream.script({ kind: 'fault', fault: 'status', status: 500 })
  expect((await ask(false)).status).toBe(502)
  const vectors = { bearer, json: { model: 'double-embed', input: 'x' } }
  expect((await platform.call('POST', '/v1/embeddings', vectors)).status).toBe(200)
  await untilIdle()
  expect(await demands()).toMatchObject({ 'double-chat': 0, 'double-embed': 0 })
})
