import { describe, expect, test } from 'vitest'
import { all, ask, failureOf, setUp } from './setup.ts'

const zeros = (count: number) => `${'0,'.repeat(count - 1)}0`
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

const answer = (body: string) => ({ kind: 'status', status: 200, body }) as const

describe.each([
  ['a million zeros', zeros(1_000_000)],
  ['200,000 brackets', deep(200_000)],
])('an answer that holds %s', (_, content) => {
  test('is one sentence of failure for every list', async () => {
    const { client, double } = await setUp()
    await client.collections.create('c')
    double.script('models', answer(`{"data":[${content}]}`))
    double.script('list', answer(`[${content}]`))
    double.script('files', answer(`[{"name":"a.md","related_files":[${content}]}]`))
    double.script('embeddings', answer(`{"data":[{"embedding":[[${content}]]}]}`))
    const calls = [
      () => client.models.list(),
      () => client.collections.list(),
      () => client.files.list('c'),
      () => client.embeddings.create({ model: 'm', input: ['x'] }),
    ]
    for (const call of calls) {
      const error = await failureOf(call())
      expect(error.code).toBe('server')
      expect(error.message).toMatch(/^The platform's answer makes no sense while .{1,300}$/)
    }
  })

  test('is one sentence of failure for a chat, streamed and whole', async () => {
    const { client, double } = await setUp()
    const body = `{"choices":[${content}]}`
    double.script('chat', answer(`data: ${body}\n\n`))
    double.script('chat', answer(body))
    for (const call of [() => all(client.chat.stream(ask('x'))), () => client.chat.complete(ask('x'))]) {
      const error = await failureOf(call())
      expect(error.code).toBe('server')
      expect(error.message.length).toBeLessThan(500)
    }
  })
})
