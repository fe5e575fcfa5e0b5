import { createEmbedder, withVectors } from '../../src/platform/engine/index/embedder.ts'
import { createEmbed } from '../../src/platform/engine/upstream/embeddings.ts'
import { createUpstreamHttp } from '../../src/platform/engine/upstream/http.ts'
import { startUpstreamDouble } from '../../test/support/upstream/double.ts'
import { createTally, type Tally } from './figures.ts'
import type { Library } from './library.ts'
import { ndcg } from './measures.ts'
import { chunksAsked, sciFactIndex } from './scifact.ts'
import { halfOf, type SciFact } from './sets.ts'

const dimensions = 96
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** Numbers around 0, the same for the same text (a counter through a mixing function, summed to a bell). */
function direction(text: string): number[] {
  let state = 0x811c9dc5
  for (const byte of Buffer.from(text)) state = Math.imul(state ^ byte, 0x01000193)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return Array.from({ length: dimensions }, () => next() + next() + next() + next() - 2)
}

/**
 * A model that knows the judgements, spoiled: a document has a direction of its own, a claim that of its document plus
 * `noise` times one of its own. Without a bound, noise alone.
 */
function createModel(set: SciFact, noise: number): (text: string) => readonly number[] {
  const titles = new Map(set.docs.map(({ title }) => [title.replace(/\s+/g, ' ').trim(), title]))
  const byId = new Map(set.docs.map(({ id, title }) => [id, title]))
  const claims = new Map(set.queries.map(({ id, text }) => [text, Object.keys(set.qrels[id] ?? {})]))
  return (text) => {
    const judged = claims.get(text)
    if (judged === undefined) {
      const title = (text.split('\n\n')[0] ?? '').split('\n').at(-1)?.replace(/\s+/g, ' ').trim() ?? ''
      return direction(titles.get(title) ?? title)
    }
    const own = direction(text)
    if (noise === Number.POSITIVE_INFINITY) return own
    const target = judged.map((id) => direction(byId.get(id) ?? ''))
    return own.map((value, at) => noise * value + target.reduce((sum, one) => sum + (one[at] ?? 0), 0))
  }
}

/** Vectors alone: the fused score with no part for the words. */
async function measureOne(library: Library, set: SciFact, name: string, noise: number): Promise<Tally[]> {
  const upstream = await startUpstreamDouble()
  upstream.embedBy(createModel(set, noise))
  const http = createUpstreamHttp({ baseUrl: upstream.baseUrl })
  const embed = createEmbed(http)
  const index = library.store
  // One name a model: the vectors of the documents are the same for all of them.
  const parts = { index, embed, model: 'scripted', log: quiet, clock: Date.now, askMs: 30_000 }
  const fused = createEmbedder(parts)
  await fused.fill(sciFactIndex)
  const ways = {
    words: index,
    vectors: withVectors(index, createEmbedder({ ...parts, alpha: 0 })),
    hybrid: withVectors(index, fused),
  }
  const tallies = Object.keys(ways).map((way) => createTally(`${name}: ${way}, nDCG@10`))
  for (const { id, text } of set.queries) {
    for (const [at, store] of Object.values(ways).entries()) {
      // oxlint-disable-next-line no-await-in-loop -- the index answers one question at a time
      const { hits } = await store.search(sciFactIndex, { question: text, limit: chunksAsked })
      const found = [...new Set(hits.map((hit) => set.docs[hit.fileId - 1]?.id ?? ''))]
      tallies[at]?.add(halfOf(id), ndcg(found, set.qrels[id] ?? {}))
    }
  }
  await http.close()
  await upstream.close()
  const [words, vectors, hybrid] = tallies.map((tally) => tally.whole)
  const loss = createTally(`${name}: hybrid below the better part by`, { atMost: 0.005 })
  loss.add(undefined, Math.max(words ?? 0, vectors ?? 0) - (hybrid ?? 0))
  return [...tallies, loss]
}

/** Hybrid retrieval with models from perfect to useless. */
export async function measureFusion(library: Library, set: SciFact): Promise<Tally[]> {
  const models = { good: 1.5, middling: 2.4, weak: 3.4, useless: Number.POSITIVE_INFINITY }
  const tallies: Tally[] = []
  for (const [name, noise] of Object.entries(models)) {
    // oxlint-disable-next-line no-await-in-loop -- one index, one model at a time
    tallies.push(...(await measureOne(library, set, `${name} vectors`, noise)))
  }
  return tallies
}
