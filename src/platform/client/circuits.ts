import { createLru } from '#lib/lru.ts'
import { PlatformError, REMEDIES, sentence } from './errors.ts'

/** Verdict of a call on whom it asked; `unknown`: it was stopped, or never sent. */
type Verdict = 'alive' | 'dead' | 'unknown'

/** A call as the circuits see it. */
export interface GuardedCall {
  readonly doing: string
  /** Calls of one operation fail together; undefined: its failures say nothing about others. */
  readonly operation: string | undefined
  /** Plain name of the collection that it asks. */
  readonly collection: string | undefined
}

/**
 * Spares a platform that does not answer, and the people who would wait for it. After five failures of one operation
 * in a row its calls are refused at once, from 5 s up to a minute; then one of them tries. A collection that was
 * silent once is asked by one call at a time until it answers: the others wait for how that one ends.
 */
export interface Circuits {
  /** @throws {PlatformError} what `run` throws; `unreachable`, `timeout`: refused without a request */
  guard<T>(call: GuardedCall, signal: AbortSignal, run: () => Promise<T>): Promise<T>
}

const MAX_FAILURES = 5
const FIRST_REST_MS = 5_000
const MAX_REST_MS = 60_000
const MAX_COLLECTIONS = 1_000

interface CircuitOptions {
  /** Failures in a row that open it. */
  readonly mostFailures: number
  /** How long nothing is asked when it opens, doubled with each try that fails. */
  readonly restMs: number
  readonly now: () => number
  /** Longest wait for the try of another call. */
  readonly patienceMs: number
}

type Settle = (verdict: Verdict, source: string) => void

/** @throws the error of `refuse` from `enter` while nothing may be asked */
function createCircuit({ mostFailures, restMs, now, patienceMs }: CircuitOptions) {
  /** Sources of the failures since the last success. */
  const failures = new Set<string>()
  let rest = restMs
  let closedUntil: number | undefined
  let trying: Promise<Verdict> | undefined

  function judge(verdict: Verdict, source: string, isTry: boolean): void {
    if (verdict === 'unknown') return
    if (verdict === 'alive') {
      failures.clear()
      rest = restMs
      closedUntil = undefined
      return
    }
    failures.add(source)
    // Calls that were on their way when it opened tell nothing new.
    if (failures.size < mostFailures || (closedUntil !== undefined && !isTry)) return
    closedUntil = now() + rest
    rest = Math.min(rest * 2, MAX_REST_MS)
  }

  function begin(): Settle {
    const { promise, resolve } = Promise.withResolvers<Verdict>()
    trying = promise
    return (verdict, source) => {
      trying = undefined
      judge(verdict, source, true)
      resolve(verdict)
    }
  }

  return {
    async enter(signal: AbortSignal, refuse: (waitMs: number) => PlatformError): Promise<Settle> {
      while (closedUntil !== undefined) {
        const waitMs = closedUntil - now()
        if (waitMs > 0) throw refuse(waitMs)
        if (trying === undefined) return begin()
        // oxlint-disable-next-line no-await-in-loop -- the next try may be this call
        const verdict = await outcomeOf(trying, patienceMs, signal)
        if (verdict === 'dead') throw refuse(Math.max(0, (closedUntil ?? 0) - now()))
      }
      return (verdict, source) => judge(verdict, source, false)
    },
  }
}

/** @throws the reason of the signal */
async function outcomeOf(trying: Promise<Verdict>, patienceMs: number, signal: AbortSignal): Promise<Verdict> {
  const { promise, resolve, reject } = Promise.withResolvers<Verdict>()
  const onAbort = () => reject(signal.reason)
  const timer = setTimeout(() => resolve('dead'), patienceMs)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([trying, promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

const GATEWAY_STATUSES: ReadonlySet<number | undefined> = new Set([502, 503, 504])

const isSilence = (error: unknown) =>
  error instanceof PlatformError && error.code === 'timeout' && error.status === undefined

function verdictOnOperation(error: unknown): Verdict {
  if (!(error instanceof PlatformError)) return 'unknown'
  if (GATEWAY_STATUSES.has(error.status)) return 'dead'
  if (error.status !== undefined) return 'alive'
  return error.code === 'unreachable' || error.code === 'timeout' ? 'dead' : 'unknown'
}

function verdictOnCollection(error: unknown): Verdict {
  if (isSilence(error)) return 'dead'
  return error instanceof PlatformError && error.status !== undefined ? 'alive' : 'unknown'
}

export function createCircuits(now: () => number = Date.now, patienceMs = 30_000): Circuits {
  const byOperation = new Map<string, ReturnType<typeof createCircuit>>()
  /** Words of the platform with the last failure of an operation: it is there, and what it needs is not. */
  const saidOf = new Map<string, string | undefined>()
  const byCollection = createLru<ReturnType<typeof createCircuit>>(MAX_COLLECTIONS)
  let count = 0

  function operationCircuit(operation: string) {
    const known = byOperation.get(operation)
    const circuit = known ?? createCircuit({ mostFailures: MAX_FAILURES, restMs: FIRST_REST_MS, now, patienceMs })
    if (known === undefined) byOperation.set(operation, circuit)
    return circuit
  }
  function collectionCircuit(collection: string) {
    const known = byCollection.get(collection)
    const circuit = known ?? createCircuit({ mostFailures: 1, restMs: 0, now, patienceMs })
    if (known === undefined) byCollection.set(collection, circuit)
    return circuit
  }
  /** Silence of one collection counts once: it may be locked, which says little about the rest. */
  const sourceOf = (error: unknown, collection: string | undefined) =>
    isSilence(error) && collection !== undefined ? `collection ${collection}` : `call ${(count += 1)}`

  return {
    async guard({ doing, operation, collection }, signal, run) {
      const settle: ((error?: unknown) => void)[] = []
      const watch = async (
        circuit: ReturnType<typeof createCircuit>,
        verdictOn: (error: unknown) => Verdict,
        refuse: (waitMs: number) => PlatformError,
      ) => {
        const end = await circuit.enter(signal, refuse)
        settle.push((error) => end(error === undefined ? 'alive' : verdictOn(error), sourceOf(error, collection)))
      }
      try {
        if (operation !== undefined)
          await watch(operationCircuit(operation), verdictOnOperation, (waitMs) =>
            resting(doing, waitMs, saidOf.get(operation)),
          )
        if (collection !== undefined)
          await watch(collectionCircuit(collection), verdictOnCollection, () => silent(doing))
        const result = await run()
        for (const end of settle) end()
        return result
      } catch (error) {
        if (operation !== undefined && error instanceof PlatformError) saidOf.set(operation, error.said)
        for (const end of settle) end(error)
        throw error
      }
    },
  }
}

function resting(doing: string, waitMs: number, said: string | undefined): PlatformError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const saying = said === undefined ? '' : ` (${said.replace(/[\s.]+$/, '')})`
  const what = `The platform failed several times in a row${saying}, so it was not asked while ${doing}; it is asked again in ${seconds} s`
  const remedy = said === undefined ? REMEDIES.unreachable : REMEDIES.server
  return new PlatformError('unreachable', sentence('unreachable', what, remedy), { retryAfterMs: waitMs, said })
}

function silent(doing: string): PlatformError {
  const what = `The collection does not answer now, so it was not asked while ${doing}`
  return new PlatformError('timeout', sentence('timeout', what))
}
