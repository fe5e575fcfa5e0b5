import { expect, it } from 'vitest'
import { createEmbedder, vectorsFromServer } from '#platform/engine/indexing/embedder.ts'
import { EngineError } from '#platform/engine/errors.ts'
import type { BareChunk, IndexStore } from '#platform/engine/storage/types.ts'
import type { Embed } from '#platform/engine/upstream/pass-through.ts'

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

/** A model that takes texts of at most this many characters, and refuses as servers do. */
function createLimited(most: number, refusal: EngineError) {
  const sizes: number[] = []
  const embed: Embed = async ({ input }) => {
    const texts = [input].flat()
    sizes.push(texts.length)
    if (texts.some((text) => text.length > most)) throw refusal
    const data = texts.map((text, index) => ({ object: 'embedding' as const, index, embedding: [1, text.length] }))
    return { object: 'list', model: 'e5', data }
  }
  return { vectors: vectorsFromServer(embed, 'e5'), sizes }
}

function openIndex(texts: readonly string[]) {
  const stored = new Map<number, number | undefined>()
  const bare: IndexStore['bare'] = async (_, { after, limit }) => {
    const chunks = texts.map((text, at): BareChunk => ({ id: at + 1, fileId: 1, text }))
    return chunks.filter(({ id }) => id > after && !stored.has(id)).slice(0, limit)
  }
  const vectors: IndexStore['vectors'] = async (_, { vectors: found }) => {
    for (const { id, vector } of found) stored.set(id, vector[1])
  }
  return { stored, index: { bare, vectors } as unknown as IndexStore }
}

const warnings: string[] = []
const log = { debug() {}, info() {}, warn: (_: object, text: string) => void warnings.push(text), error() {} }

it.each([
  ['invalid', 'The model server says: inputs must have less than 512 tokens'],
  ['upstream', 'The model server failed: input is too large to process'],
] as const)(
  'gives vectors to all texts beside one that the model refuses as %s, and to its beginning',
  async (code, said) => {
    warnings.length = 0
    const texts = Array.from({ length: 200 }, (_, at) => (at === 70 ? 'x'.repeat(3_000) : `text ${at}`))
    const { stored, index } = openIndex(texts)
    const { vectors, sizes } = createLimited(1_600, new EngineError(code, said))
    const embedder = createEmbedder({ index, vectors, model: 'e5', log, clock: Date.now })
    expect(await embedder.fill('i')).toBe(true)
    expect(stored.size).toBe(200)
    expect(stored.get(71)).toBe(1_500)
    // Three batches are taken whole; the other is halved down to the text.
    expect(sizes.length).toBeLessThan(4 + 2 * Math.log2(64) + 4)
    expect(warnings).toEqual([])
    expect((await embedder.ask('y'.repeat(5_000)))?.values).toEqual(Float32Array.of(1, 1_250))
  },
)

/** It refuses words with a b, and makes nothing of nothing. */
const moody: Embed = async ({ input }) => {
  const data = [input]
    .flat()
    .map((text, at) => ({ object: 'embedding' as const, index: at, embedding: text === '' ? [] : [1, 2] }))
  if ([input].flat().some((text) => text.startsWith('b'))) throw new EngineError('invalid', 'no')
  return { object: 'list', model: 'e5', data }
}

it('leaves out a text that is refused however short, says so once, and asks for the others', async () => {
  warnings.length = 0
  const { stored, index } = openIndex(['good', '', 'bad', ...Array.from({ length: 300 }, (_, at) => `text ${at}`)])
  const embedder = createEmbedder({ index, vectors: vectorsFromServer(moody, 'e5'), model: 'e5', log, clock: Date.now })
  expect(await embedder.fill('i')).toBe(true)
  expect(stored.size).toBe(301)
  expect(warnings).toEqual([expect.stringContaining('refused some passages')])
})

it('asks a server that fails for everything twice and a probe each time, and leaves the rest to the next pass', async () => {
  warnings.length = 0
  const { stored, index } = openIndex(Array.from({ length: 300 }, (_, at) => `text ${at}`))
  const { vectors, sizes } = createLimited(0, new EngineError('upstream', 'The model server failed: status 500'))
  const embedder = createEmbedder({ index, vectors, model: 'e5', log, clock: Date.now })
  expect(await embedder.fill('i')).toBe(false)
  expect(sizes).toEqual([64, 1, 64, 1])
  expect(stored.size).toBe(0)
  expect(warnings).toEqual([expect.stringContaining('Embeddings failed')])
})

it('asks once for a question that several collections have at the same time', async () => {
  const { vectors, sizes } = createLimited(100, new EngineError('invalid', 'no'))
  const embedder = createEmbedder({ index: openIndex([]).index, vectors, model: 'e5', log, clock: Date.now })
  const found = await Promise.all(Array.from({ length: 10 }, () => embedder.ask('When do ferries leave?')))
  expect(found.every((vector) => vector !== undefined)).toBe(true)
  expect(sizes).toEqual([1])
  await embedder.ask('When do ferries leave?')
  expect(sizes).toEqual([1, 1])
})
