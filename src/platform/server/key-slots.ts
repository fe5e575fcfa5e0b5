import { EngineError } from '../engine/errors.ts'
import type { KeyRow } from '../engine/storage/catalog.ts'
import { LIMITS } from '../wire/limits.ts'

/** Kinds of work that run at once for a key. */
type Kind = 'answers' | 'conversions'

/** Bounds the running requests of one key in this process; the first key, which is Footbridge's own, has no bound. */
export interface KeySlots {
  /** Returns a function that ends it; a second call is harmless. @throws {EngineError} `rate-limited` */
  enter(key: KeyRow, kind: Kind): () => void
}

/** Conversions are documents and recordings. */
const MAX_PER_KEY: Readonly<Record<Kind, number>> = { answers: LIMITS.streamsPerKey, conversions: 4 }
const RETRY_MS = 5_000

export function createKeySlots(): KeySlots {
  const running = new Map<string, number>()
  return {
    enter(key, kind) {
      if (key.isFirst) return () => {}
      const place = `${key.id} ${kind}`
      const count = running.get(place) ?? 0
      if (count >= MAX_PER_KEY[kind]) throw tooMany(kind)
      running.set(place, count + 1)
      let left = false
      return () => {
        if (left) return
        left = true
        const rest = (running.get(place) ?? 1) - 1
        if (rest === 0) running.delete(place)
        else running.set(place, rest)
      }
    },
  }
}

function tooMany(kind: Kind): EngineError {
  const limit = MAX_PER_KEY[kind]
  return new EngineError(
    'rate-limited',
    `This key has ${limit} ${kind} running, and that is the most at once: wait for one of them to end.`,
    { retryAfterMs: RETRY_MS, reason: `too_many_${kind}`, fields: { limit } },
  )
}
