import { expect, it } from 'vitest'
import { vectorsFromServer } from '../../../../src/platform/engine/indexing/embedder.ts'
import type { Embed } from '../../../../src/platform/engine/upstream/pass-through.ts'

it('puts the prefix of its purpose before each text', async () => {
  const sent: unknown[] = []
  const embed: Embed = async ({ input }) => {
    sent.push(input)
    return { object: 'list', model: 'e5', data: [{ object: 'embedding', index: 0, embedding: [1, 0] }] }
  }
  const { signal } = new AbortController()
  const prefixed = vectorsFromServer(embed, 'e5', { question: 'query:', passage: 'passage:' })
  await prefixed(['When?'], 'question', signal)
  await prefixed(['At nine.'], 'passage', signal)
  await vectorsFromServer(embed, 'other')(['When?'], 'question', signal)
  expect(sent).toEqual([['query: When?'], ['passage: At nine.'], ['When?']])
})
