import { Session, url as inspectorUrl } from 'node:inspector'

/** A stretch in which the main loop did nothing else. */
export interface Standstill {
  readonly ms: number
  /** CPU time of the main thread in it: far less than `ms` when it waited for the disk or the machine was busy. */
  readonly cpuMs: number
  /** File and function, as far as they could be seen. */
  readonly at: string
}

const BEAT_MS = 50
const STANDSTILL_MS = 200
/** Least time between two looks at the stack of the main thread. */
const LOOK_MS = 2_000

const nowMs = () => Number(process.hrtime.bigint() / 1_000_000n)

/** The main thread's side: a beat with time and CPU time. Returns a function that ends it. */
export function beat(memory: SharedArrayBuffer): () => void {
  const cells = new BigInt64Array(memory)
  const write = () => {
    const { user, system } = process.threadCpuUsage()
    Atomics.store(cells, 1, BigInt(Math.round((user + system) / 1000)))
    Atomics.store(cells, 0, BigInt(nowMs()))
  }
  write()
  const timer = setInterval(write, BEAT_MS).unref()
  return () => clearInterval(timer)
}

export const createBeatMemory = () => new SharedArrayBuffer(16)

interface Frame {
  readonly functionName: string
  readonly url: string
}

/** The innermost function of our own code; without one, the innermost of all. `root`: address of the repository. */
function nameOf(frames: readonly Frame[], root: string): string {
  const own = frames.find(({ url }) => url.startsWith(root) && !url.includes('/node_modules/')) ?? frames[0]
  if (own === undefined) return 'unknown'
  const file = own.url.startsWith(root) ? own.url.slice(root.length) : own.url.replace(/^.*\/node_modules\//, '')
  return own.functionName === '' ? file : `${file} ${own.functionName}`
}

/** Pauses the main thread for the moment that it takes to read its stack. */
function lookAtMain(root: string, take: (at: string) => void): void {
  // A debugger is attached: its user stops the loop on purpose.
  if (inspectorUrl() !== undefined) return
  const session = new Session()
  session.connectToMainThread()
  const urls = new Map<string, string>()
  session.on('Debugger.scriptParsed', ({ params }) => void urls.set(params.scriptId, params.url))
  session.on('Debugger.paused', ({ params }) => {
    const frames = params.callFrames.map(({ functionName, location }) => ({
      functionName,
      url: urls.get(location.scriptId) ?? '',
    }))
    take(nameOf(frames, root))
    session.post('Debugger.resume')
    session.post('Debugger.disable')
    session.disconnect()
  })
  session.post('Debugger.enable')
  session.post('Debugger.pause')
}

/** Watches the beat from another thread. `root`: address of the repository. */
export function watch(memory: SharedArrayBuffer, root: string, tell: (standstill: Standstill) => void) {
  const cells = new BigInt64Array(memory)
  let [last, lastCpu] = [Number(Atomics.load(cells, 0)), Number(Atomics.load(cells, 1))]
  let at: string | undefined
  let lookedAt = -Infinity
  let isLooking = false
  /** How long the main loop has hung. */
  const lateMs = () => Math.max(0, nowMs() - Number(Atomics.load(cells, 0)) - BEAT_MS)
  const look = () => {
    const [time, cpu] = [Number(Atomics.load(cells, 0)), Number(Atomics.load(cells, 1))]
    if (time !== last) {
      const ms = time - last - BEAT_MS
      if (ms >= STANDSTILL_MS) tell({ ms, cpuMs: cpu - lastCpu, at: at ?? 'unknown' })
      ;[last, lastCpu, at] = [time, cpu, undefined]
      return
    }
    if (lateMs() < STANDSTILL_MS || isLooking || nowMs() - lookedAt < LOOK_MS) return
    lookedAt = nowMs()
    isLooking = true
    lookAtMain(root, (seen) => {
      isLooking = false
      if (Number(Atomics.load(cells, 0)) === last) at = seen
    })
  }
  setInterval(look, BEAT_MS)
  return { lateMs }
}
