import { createEmbedder, vectorsFromServer, withVectors } from '#platform/engine/indexing/embedder.ts'
import { createEmbed } from '#platform/engine/upstream/pass-through.ts'
import { createUpstreamHttp } from '#platform/engine/upstream/http.ts'
import { startUpstreamDouble } from '#test/doubles/upstream/double.ts'
import { createTally, type Tally } from './figures.ts'
import type { Library } from './library.ts'
import { ndcg } from './measures.ts'
import { chunksAsked, sciFactIndex, toDocument } from './scifact.ts'
import { halfOf, type SciFact, type Xquad } from './sets.ts'

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

interface Model {
  /** Added to the document's direction; without a bound, noise alone. */
  readonly noise: number
  /** Other directions for the same texts. */
  readonly seed: string
}

/**
 * A model that knows the judgements, plus noise: each document has a random direction, each claim that of its document
 * plus `noise` times its own.
 */
function createModel(set: SciFact, { noise, seed }: Model): (text: string) => readonly number[] {
  const titles = new Map(set.docs.map(({ title }) => [title.replace(/\s+/g, ' ').trim(), title]))
  const byId = new Map(set.docs.map(({ id, title }) => [id, title]))
  const claims = new Map(set.queries.map(({ id, text }) => [text, Object.keys(set.qrels[id] ?? {})]))
  return (text) => {
    const judged = claims.get(text)
    if (judged === undefined) {
      const title = (text.split('\n\n')[0] ?? '').split('\n').at(-1)?.replace(/\s+/g, ' ').trim() ?? ''
      return direction(seed + (titles.get(title) ?? title))
    }
    const own = direction(seed + text)
    if (noise === Number.POSITIVE_INFINITY) return own
    const target = judged.map((id) => direction(seed + (byId.get(id) ?? '')))
    return own.map((value, at) => noise * value + target.reduce((sum, one) => sum + (one[at] ?? 0), 0))
  }
}

interface FusionSet {
  /** Filled already. */
  readonly index: string
  readonly set: SciFact
}

/** Vectors alone: the fused score with no part for the words. */
async function measureOne(
  library: Library,
  { index: name, set }: FusionSet,
  title: string,
  model: Model,
): Promise<Tally[]> {
  const upstream = await startUpstreamDouble()
  upstream.embedBy(createModel(set, model))
  const http = createUpstreamHttp({ baseUrl: upstream.baseUrl })
  const index = library.store
  // One name a seed: the vectors of the documents are the same, whatever the noise of the claims.
  const named = `scripted${model.seed}`
  const parts = {
    index,
    vectors: vectorsFromServer(createEmbed(http), named),
    model: named,
    log: quiet,
    clock: Date.now,
    askMs: 30_000,
  }
  const fused = createEmbedder(parts)
  await fused.fill(name)
  const ways = {
    words: index,
    vectors: withVectors(index, createEmbedder({ ...parts, alpha: 0 })),
    hybrid: withVectors(index, fused),
  }
  const tallies = Object.keys(ways).map((way) => createTally(`${title}: ${way}, nDCG@10`))
  for (const { id, text } of set.queries) {
    for (const [at, store] of Object.values(ways).entries()) {
      // oxlint-disable-next-line no-await-in-loop -- the index answers one question at a time
      const { hits } = await store.search(name, { question: text, limit: chunksAsked })
      const found = [...new Set(hits.map((hit) => set.docs[hit.fileId - 1]?.id ?? ''))]
      tallies[at]?.add(halfOf(id), ndcg(found, set.qrels[id] ?? {}))
    }
  }
  await http.close()
  await upstream.close()
  const [words, , hybrid] = tallies.map((tally) => tally.whole)
  const loss = createTally(`${title}: hybrid below words by`, { atMost: 0.005 })
  loss.add(undefined, (words ?? 0) - (hybrid ?? 0))
  return [...tallies, loss]
}

const noises = { good: 1.5, middling: 2.4, weak: 3.4, useless: Number.POSITIVE_INFINITY }

/** Hybrid retrieval with models from good to useless. */
export async function measureFusion(library: Library, set: SciFact): Promise<Tally[]> {
  const tallies: Tally[] = []
  for (const [name, noise] of Object.entries(noises)) {
    const model = { noise, seed: '' }
    const scifact = { index: sciFactIndex, set }
    // oxlint-disable-next-line no-await-in-loop -- one index, one model at a time
    tallies.push(...(await measureOne(library, scifact, `${name} vectors`, model)))
  }
  return tallies
}

/** Paragraphs as documents with titles, so that the scripted model knows them again. */
const toTitled = ({ paragraphs, questions }: Xquad): SciFact => ({
  docs: paragraphs.map(({ text }, at) => ({ id: String(at), title: `Paragraph ${at}`, text })),
  queries: questions.map(({ text }, at) => ({ id: String(at), text })),
  qrels: Object.fromEntries(questions.map(({ paragraph }, at) => [String(at), { [paragraph]: 1 }])),
})

/** Cases outside the tuning: other directions, noise between, another set. Shows the loss of each. */
export async function checkFusion(library: Library, scifact: SciFact, xquad: Xquad): Promise<Tally[]> {
  const titled = { index: 'titled', set: toTitled(xquad) }
  await library.fill(titled.index, titled.set.docs.map(toDocument))
  const sets = { SciFact: { index: sciFactIndex, set: scifact }, 'XQuAD en': titled }
  const losses: Tally[] = []
  for (const [of, set] of Object.entries(sets)) {
    for (const seed of ['1', '2']) {
      for (const [name, noise] of Object.entries({ ...noises, 'rather good': 1.9, faint: 4.5 })) {
        // oxlint-disable-next-line no-await-in-loop -- one index, one model at a time
        const tallies = await measureOne(library, set, `${of}, ${name} vectors ${seed}`, { noise, seed })
        losses.push(...tallies.slice(-1))
      }
    }
  }
  return losses
}
