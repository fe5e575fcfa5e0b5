import { parentPort, workerData } from 'node:worker_threads'
import { cpuMs, growsFaster, repeated } from '../support/growth.ts'
import { TEXT_FUNCTIONS } from '../support/text-functions.ts'
import { familyAt, type Family } from './families.ts'

/** A function and a family on which it grows faster than the text. */
export interface Slow extends Family {
  readonly name: string
  readonly number: number
  readonly times: readonly number[]
}

export interface TryData {
  readonly seed: number
  readonly from: number
  readonly to: number
  /** The number under way, and what was tried so far. */
  readonly progress: SharedArrayBuffer
}

const SIZE = 4000
/** A time that grows with the square of 4,000 is longer. */
const SUSPECT_MS = 8

const { seed, from, to, progress } = workerData as TryData
const cells = new Int32Array(progress)
const functions = Object.entries(TEXT_FUNCTIONS)

for (let number = from; number < to; number += 1) {
  Atomics.store(cells, 0, number)
  const family = familyAt(seed, number)
  const [name, run] = functions[number % functions.length] ?? ['', () => undefined]
  const make = repeated(family.prefix, family.piece, family.suffix)
  const text = make(SIZE)
  const isSuspect = [1, 2, 3].every(() => cpuMs(() => run(text)) > SUSPECT_MS)
  // Confirmed on longer texts: the garbage collector makes single steps look steep.
  const isSteep = isSuspect && growsFaster(run, make) !== undefined
  const times = isSteep ? growsFaster(run, (length) => make(4 * length)) : undefined
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  if (times !== undefined) parentPort?.postMessage({ ...family, name, number, times } satisfies Slow)
}
Atomics.store(cells, 0, to)
