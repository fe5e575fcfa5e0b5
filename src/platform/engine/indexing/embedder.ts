import { createKeyedMutex } from '#lib/keyed-mutex.ts'
import { receivedEmbeddings } from '#platform/wire/models.ts'
import type { MakeVectors } from '../embedding/local-model.ts'
import { USUAL_ALPHA } from '../search/fuse.ts'
import type { QuestionVector } from '../search/types.ts'
import type { BareChunk, IndexStore } from '../storage/types.ts'
import type { EngineClock, EngineLog } from '../types.ts'
import type { UpstreamOptions } from '../upstream/http.ts'
import type { Embed } from '../upstream/pass-through.ts'
import { embedTexts, NoVector } from './embed-texts.ts'

/** Vectors of chunks and questions, from the model server or this machine. When it fails, search uses the words alone. */
export interface Embedder {
  /**
   * Embeds all chunks of an index without a vector of the current model. The next call continues after a failure.
   *
   * @param onBatch is told how many chunks got a vector, batch by batch
   * @returns whether every chunk has a vector now, except those that the model refuses
   */
  fill(index: string, signal?: AbortSignal, onBatch?: (chunks: number) => void): Promise<boolean>
  /** The question as a vector; undefined when the model does not answer in time. */
  ask(question: string): Promise<QuestionVector | undefined>
}

export interface EmbedderParts {
  readonly index: IndexStore
  readonly vectors: MakeVectors
  /** False while the model cannot be asked yet: that is no failure. Default: always true. */
  readonly isReady?: () => boolean
  /** Name of the model, stored with its vectors. */
  readonly model: string
  readonly log: EngineLog
  readonly clock: EngineClock
  /** Weight of the words in the fused score, 0…1; default 0.7. */
  readonly alpha?: number
  /** Longest wait for the vector of a question; default 2 s. */
  readonly askMs?: number
}

const BATCH_SIZE = 64
/** Longest text sent: more than any chunk, less than any embedding model's limit. */
const MAX_TEXT_LENGTH = 6_000
const FILL_MS = 120_000
/** Consecutive failed batches after which the rest is left to the next pass. */
const MAX_FAILURES = 2
const REFUSED =
  'The model refused some passages: they are found by their words alone, and are tried again with the next pass'
/** Time after a failure in which questions do not ask the model. */
const PAUSE_MS = 30_000

/** Vectors from the model server; models such as e5 tell questions and passages by a prefix. */
export function vectorsFromServer(
  embed: Embed,
  model: string,
  prefixes: NonNullable<UpstreamOptions['embeddingPrefixes']> = {},
): MakeVectors {
  return async (texts, purpose, signal) => {
    const prefix = prefixes[purpose]
    const input = texts.map((text) => (prefix === undefined ? text : `${prefix} ${text}`))
    const answer = receivedEmbeddings.parse(await embed({ model, input, encoding_format: 'float' }, signal))
    const byIndex = new Map(answer.data.map((one, at) => [one.index ?? at, one.embedding]))
    return texts.map((_, at) => {
      const vector = Float32Array.from(byIndex.get(at) ?? [])
      if (vector.length === 0 || !vector.every(Number.isFinite)) {
        throw new NoVector()
      }
      return vector
    })
  }
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createEmbedder(parts: EmbedderParts): Embedder {
  const { index, vectors, model, log, clock, isReady = () => true } = parts
  const alpha = parts.alpha ?? USUAL_ALPHA
  const askMs = parts.askMs ?? 2_000
  const lock = createKeyedMutex()
  let failedAt: number | undefined

  /** @param limit gives the time limit of each request */
  const vectorsOf = (texts: readonly string[], purpose: 'question' | 'passage', limit: () => AbortSignal) =>
    embedTexts(
      (some) => vectors(some, purpose, limit()),
      texts.map((text) => text.slice(0, MAX_TEXT_LENGTH)),
    )

  function failed(error: unknown): void {
    // Logged once, not for each question during the outage.
    if (failedAt === undefined) {
      log.warn(
        { err: error, model },
        'Embeddings failed: files are searched by their words alone until the model gives vectors again',
      )
    }
    failedAt = clock()
  }
  function worked(): void {
    if (failedAt !== undefined) log.info({ model }, 'Embeddings work again: files are searched by meaning, too')
    failedAt = undefined
  }

  /** @returns how many chunks got a vector: the model refuses the others */
  async function embedBatch(name: string, bare: readonly BareChunk[], signal?: AbortSignal): Promise<number> {
    const texts = bare.map((chunk) => chunk.text)
    const limit = () => AbortSignal.any([AbortSignal.timeout(FILL_MS), ...(signal === undefined ? [] : [signal])])
    const made = await vectorsOf(texts, 'passage', limit)
    worked()
    const found = bare.flatMap(({ id, fileId }, at) => {
      const vector = made[at]
      return vector === undefined ? [] : [{ id, fileId, vector }]
    })
    await index.vectors(name, { model, vectors: found })
    return found.length
  }

  async function fill(name: string, signal?: AbortSignal, onBatch?: (chunks: number) => void): Promise<boolean> {
    const isStopped = () => signal?.aborted === true
    if (!isReady()) return false
    let after = 0
    let failures = 0
    let isComplete = true
    let refused = 0
    while (failures < MAX_FAILURES && !isStopped()) {
      // oxlint-disable-next-line no-await-in-loop -- one batch after the other: the server has others to serve
      const bare = await index.bare(name, { model, after, limit: BATCH_SIZE })
      const last = bare.at(-1)
      if (last === undefined) break
      // A failed batch does not stop the next one.
      after = last.id
      try {
        // oxlint-disable-next-line no-await-in-loop -- as above
        const made = await embedBatch(name, bare, signal)
        refused += bare.length - made
        onBatch?.(made)
        failures = 0
      } catch (error) {
        if (isStopped()) break
        failures += 1
        isComplete = false
        failed(error)
      }
    }
    if (refused > 0) log.warn({ model, passages: refused }, REFUSED)
    return isComplete && !isStopped()
  }

  async function askOnce(question: string): Promise<QuestionVector | undefined> {
    try {
      const limit = AbortSignal.timeout(askMs)
      const [values] = await vectorsOf([question], 'question', () => limit)
      worked()
      return values === undefined ? undefined : { model, values, alpha }
    } catch (error) {
      failed(error)
      return undefined
    }
  }

  /** Questions under way: one that goes to several collections is embedded once. */
  const asked = new Map<string, Promise<QuestionVector | undefined>>()

  return {
    // A pass and a backfill at the same time would embed the same chunks twice.
    fill: (name, signal, onBatch) => lock(name, () => fill(name, signal, onBatch)),
    async ask(question) {
      if (!isReady() || question.trim() === '' || (failedAt !== undefined && clock() - failedAt < PAUSE_MS))
        return undefined
      const known = asked.get(question)
      if (known !== undefined) return known
      const asking = askOnce(question).finally(() => asked.delete(question))
      asked.set(question, asking)
      return asking
    },
  }
}

/** Wraps the index: questions use words and vectors. */
export function withVectors(index: IndexStore, embedder: Embedder | undefined): IndexStore {
  if (embedder === undefined) return index
  return {
    ...index,
    async search(name, request) {
      const vector = await embedder.ask(request.question)
      return index.search(name, vector === undefined ? request : { ...request, vector })
    },
  }
}
