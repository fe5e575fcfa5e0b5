import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { TEXT_FUNCTIONS } from '../support/text-functions.ts'
import { familyAt } from './families.ts'
import { measure } from './row.ts'
import type { Slow, TryData } from './try-families.ts'

/** A try that takes longer hangs: a linear one takes milliseconds, on a busy machine seconds. */
const STANDS_STILL_MS = 300_000
const LOOK_MS = 500

/** Tries the numbers from…to in a thread; a try that hangs is reported, and the next begins after it. */
async function tryAll(seed: number, from: number, to: number): Promise<string[]> {
  const wrong: string[] = []
  const names = Object.keys(TEXT_FUNCTIONS)
  for (let next = from; next < to;) {
    const progress = new SharedArrayBuffer(4)
    const cells = new Int32Array(progress)
    const workerData: TryData = { seed, from: next, to, progress }
    const worker = new Worker(new URL('./try-families.ts', import.meta.url), { workerData, execArgv: [] })
    worker.on('message', (slow: Slow) => wrong.push(JSON.stringify(slow)))
    let [seen, since] = [-1, performance.now()]
    const watch = setInterval(() => {
      const now = Atomics.load(cells, 0)
      if (now !== seen) [seen, since] = [now, performance.now()]
      else if (performance.now() - since > STANDS_STILL_MS) void worker.terminate()
    }, LOOK_MS)
    // oxlint-disable-next-line no-await-in-loop -- a thread is replaced only when it has ended
    await once(worker, 'exit')
    clearInterval(watch)
    const reached = Atomics.load(cells, 0)
    if (reached < to)
      wrong.push(`stood still: ${names[reached % names.length]} ${JSON.stringify(familyAt(seed, reached))}`)
    next = reached < to ? reached + 1 : to
  }
  return wrong
}

/** Families of generated texts through every text function, by turns: none may grow faster than its text. */
export const textFunctions = (tries: number, seed: number) =>
  measure('text functions', async () => {
    const half = Math.floor(tries / 2)
    const wrong = (await Promise.all([tryAll(seed, 0, half), tryAll(seed, half, tries)])).flat()
    const functions = Object.keys(TEXT_FUNCTIONS).length
    return {
      tried: `${tries.toLocaleString('en')} families, ${functions} functions`,
      found: { 'super-linear': wrong.length },
      wrong,
    }
  })
