import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { readContainer } from '#test/support/speech.ts'
import { openPlatform } from './platform.ts'

const zeros = `${'0,'.repeat(999_999)}0`
const brackets = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
const deep = 'is nested deeper than 200 levels.'

it.each([
  ['deep vectors', '/v1/embeddings', `{"data":[${brackets}]}`, `sent an answer that ${deep}`],
  ['a deep chat', '/v1/chat/completions', `{"choices":[${brackets}]}`, `sent an answer that ${deep}`],
  [
    'a deep transcript',
    '/v1/audio/transcriptions',
    `{"text":"x","words":${brackets}}`,
    `sent a transcript that ${deep}`,
  ],
  [
    'a long transcript',
    '/v1/audio/transcriptions',
    `{"text":"x","segments":[${zeros}]}`,
    'sent a transcript that holds more than 100000 values.',
  ],
])('a model server that answers with %s fails in one sentence', async (_, path, answer, fault) => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const platform = await openPlatform({ upstream: { baseUrl: `http://127.0.0.1:${port}` } })
  onTestFinished(async () => {
    await platform.close()
    server.close()
  })
  const sound = new FormData()
  sound.set('file', new File([readContainer('lighthouse.mp3')], 'a.mp3'))
  sound.set('model', 'm')
  const json = { model: 'm', input: 'x', messages: [{ role: 'user', content: 'x' }] }
  const response = await platform.call('POST', path, {
    bearer: true,
    ...(path.includes('audio') ? { body: sound } : { json }),
  })
  expect(response.status).toBe(502)
  const { error } = (await response.json()) as { error: { message: string } }
  expect(error.message).toBe(`The model server ${fault}`)
})
