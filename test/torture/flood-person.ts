/** A thread of its own: other work of its process, such as sending a flood, does not delay it. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { Agent, request } from 'undici'

/** Data of the thread: where to ask, and with which cookie. */
export interface PersonData {
  readonly url: string
  readonly cookie: string
  /** Of the service. */
  readonly pid: number
}

/** The experience of a person. */
export interface Felt {
  readonly asked: number
  /** The longest wait, without what the machine kept from the service. */
  readonly longestMs: number
  /** The longest by the clock. */
  readonly longestWallMs: number
  readonly failures: readonly string[]
}

/** A request that waits for nothing that is done ends then. */
const MOST_MS = 60_000
const PAUSE_MS = 50
const PATHS = ['/api/web/state', '/assets/page.js']
const NANOSECONDS = 1e6

const { url, cookie, pid } = workerData as PersonData

/** How long a thread was ready and got no core, so far (`run_delay`, in the kernel's sched-stats.rst). */
function delayMsOf(task: string): number {
  try {
    return Number(readFileSync(`${task}/schedstat`, 'utf8').split(' ')[1]) / NANOSECONDS
  } catch {
    // The thread has ended, or the system does not tell.
    return 0
  }
}

const delays = () =>
  new Map([
    ['self', delayMsOf('/proc/thread-self')],
    ...readdirSync(`/proc/${pid}/task`).map((task) => [task, delayMsOf(`/proc/${pid}/task/${task}`)] as const),
  ])

let isOver = false
parentPort?.once('message', () => (isOver = true))

/** On a connection of its own each time, as from a browser that was just opened. */
async function ask(path: string): Promise<string | undefined> {
  const dispatcher = new Agent({ pipelining: 0 })
  try {
    const signal = AbortSignal.timeout(MOST_MS)
    const { statusCode, body } = await request(`${url}${path}`, { headers: { cookie }, dispatcher, signal })
    await body.dump({ limit: 10_000_000 })
    return statusCode === 200 ? undefined : `${path} was answered with ${statusCode}`
  } catch (error) {
    return `${path}: ${error instanceof Error ? error.message : String(error)}`
  } finally {
    await dispatcher.destroy()
  }
}

async function live(): Promise<Felt> {
  const failures: string[] = []
  let [asked, longestMs, longestWallMs] = [0, 0, 0]
  while (!isOver) {
    for (const path of PATHS) {
      const before = delays()
      const begun = performance.now()
      // oxlint-disable-next-line no-await-in-loop -- one person
      const failure = await ask(path)
      const wallMs = performance.now() - begun
      const kept = [...delays()].map(([task, ms]) => ms - (before.get(task) ?? ms))
      if (failure !== undefined) failures.push(failure)
      asked += 1
      longestMs = Math.max(longestMs, wallMs - Math.max(...kept))
      longestWallMs = Math.max(longestWallMs, wallMs)
    }
    // oxlint-disable-next-line no-await-in-loop -- one person
    await sleep(PAUSE_MS)
  }
  return { asked, longestMs: Math.round(longestMs), longestWallMs: Math.round(longestWallMs), failures }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(await live())
