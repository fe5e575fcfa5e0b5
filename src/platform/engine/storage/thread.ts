import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker, parentPort } from 'node:worker_threads'
import { EngineError, errorText, toRoomError } from '../errors.ts'
import { troubleCode } from '#lib/storage-trouble.ts'

/** A thread that answers calls. It starts with the first call; while idle it keeps no process alive. */
export interface Thread {
  /** @param call plain data; `id` is added to it. */
  ask(call: object): Promise<unknown>
  close(): Promise<void>
}

interface Answer {
  readonly id: number
  /** The thread has started this call. */
  readonly working?: true
  /** The work that the call is about, as the owner of the thread knows it. */
  readonly about?: number
  /** A thread of its own does that work. */
  readonly isElsewhere?: boolean
  readonly result?: unknown
  /** The message of the error. */
  readonly error?: string
  /** It failed for want of room on the disk: an error loses its code between threads. */
  readonly trouble?: string
}

interface Waiting {
  readonly call: object
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** The thread yields many times a second; a thread that is silent for this long is stuck. */
const STALL_MS = 120_000

/**
 * A thread needs the path of Node's compile cache: with it, it starts in half the time with 20 MB less. It gets no
 * other environment.
 */
export function threadEnvironment(): Record<string, string> {
  const ownFolder = getCompileCacheDir()
  // Node adds a folder for its version to the given path.
  return ownFolder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(ownFolder) }
}

function toStalled(stallMs: number): EngineError {
  const seconds = Math.round(stallMs / 1000)
  return new EngineError(
    'unsupported',
    `Reading it for the index took longer than ${seconds} seconds: divide the file, or leave out what is no prose.`,
  )
}

type Worked = Pick<Answer, 'id' | 'isElsewhere'>

/** Watches over the call that a thread works on, and over the one that a thread of its own works on. */
function createWatch(stallMs: number, onStall: (id: number) => void) {
  const watched = new Map<boolean, { readonly id: number; readonly timer: NodeJS.Timeout }>()
  const clear = (isElsewhere: boolean) => {
    clearTimeout(watched.get(isElsewhere)?.timer)
    watched.delete(isElsewhere)
  }
  return {
    begin({ id, isElsewhere = false }: Worked) {
      clear(isElsewhere)
      watched.set(isElsewhere, { id, timer: setTimeout(() => onStall(id), stallMs) })
    },
    /** A thread that answers does not hang; the other one still may. */
    answered(id: number) {
      clear(false)
      if (watched.get(true)?.id === id) clear(true)
    },
    /** @returns the calls that were watched. */
    end(): number[] {
      const ids = [...watched.values()].map((one) => one.id)
      clear(false)
      clear(true)
      return ids
    },
  }
}

interface ThreadOptions {
  /** The `workerData` of the thread. */
  readonly data?: unknown
  /** Default: two minutes. */
  readonly stallMs?: number
  /** It ends after this long without a call, and starts again with the next one. Default: it stays. */
  readonly idleMs?: number
  /** It answers one call after the other: then it need not say which one it works on. */
  readonly isInOrder?: boolean
  /** Called when the thread reports its work. */
  readonly onWorking?: (about: number) => void
}

/** A call in which the thread hangs or dies fails; a new thread answers the calls that waited for it. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createThread(script: URL, options: ThreadOptions = {}): Thread {
  const { data, stallMs = STALL_MS, idleMs, isInOrder = false, onWorking } = options
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  const watch = createWatch(stallMs, (stuck) => void replace(stuck))
  let idle: NodeJS.Timeout | undefined
  let closed = false
  /** A thread is ending: calls wait for that, since it may hold a file lock. */
  let ending: Promise<unknown> | undefined
  let lastId = 0

  function start(): Worker {
    // The thread must not inherit the other flags of the process (debugger, test runner).
    const execArgv = process.execArgv.filter((flag) => flag.startsWith('--cpu-prof'))
    const started = new Worker(script, { workerData: data, execArgv, env: threadEnvironment() })
    started.unref()
    started.on('message', (answer: Answer) => {
      if (started === worker) take(answer)
    })
    const fail = (error: unknown) => {
      if (started !== worker) return
      worker = undefined
      const atFault = watch.end().filter((id) => waiting.has(id))
      // Where the faulty call is unknown, all of them fail: else a thread that can't start would be started for ever.
      for (const id of atFault.length > 0 && !closed ? atFault : waiting.keys()) settle(id)?.reject(error)
      for (const [id, { call }] of waiting) post(id, call)
    }
    let cause: unknown = new EngineError('closed', 'The index stopped: try again.')
    started.on('error', (error) => (cause = error))
    // Messages of the thread arrive before its exit.
    started.on('exit', () => fail(cause))
    return started
  }

  function settle(id: number): Waiting | undefined {
    const call = waiting.get(id)
    waiting.delete(id)
    return call
  }

  function take(answer: Answer): void {
    if (answer.working === true) {
      if (answer.about !== undefined) onWorking?.(answer.about)
      if (waiting.has(answer.id)) watch.begin(answer)
      return
    }
    watch.answered(answer.id)
    const call = settle(answer.id)
    if (answer.error === undefined) call?.resolve(answer.result)
    else call?.reject(toRoomError(Object.assign(new Error(answer.error), { code: answer.trouble })))
    const [next] = waiting.keys()
    if (next !== undefined && isInOrder) watch.begin({ id: next })
    if (next !== undefined || closed) return
    worker?.unref()
    if (idleMs !== undefined) idle = setTimeout(() => void end(stop), idleMs).unref()
  }

  function post(id: number, call: object): void {
    if (ending !== undefined) return
    clearTimeout(idle)
    worker ??= start()
    worker.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage({ ...call, id })
    if (isInOrder && id === waiting.keys().next().value) watch.begin({ id })
  }

  async function replace(stuck: number): Promise<void> {
    settle(stuck)?.reject(toStalled(stallMs))
    watch.end()
    await end((old) => old.terminate())
  }

  /** Ends the thread; a new one takes the calls that come meanwhile. */
  async function end(how: (old: Worker) => Promise<unknown>): Promise<void> {
    const old = worker
    if (old === undefined) return
    worker = undefined
    await (ending = how(old))
    ending = undefined
    if (!closed) for (const [id, { call }] of waiting) post(id, call)
  }

  return {
    ask: (call) =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(toStopping())
          return
        }
        lastId += 1
        waiting.set(lastId, { call, resolve, reject })
        post(lastId, call)
      }),
    async close() {
      closed = true
      clearTimeout(idle)
      await (worker === undefined ? ending : stop(worker))
      for (const call of waiting.values()) call.reject(toStopping())
    },
  }
}

const toStopping = () => new EngineError('closed', 'Footbridge is stopping: try again in a moment.')

/** Lets a thread close its open files. @returns its end. */
function stop(running: Worker): Promise<void> {
  const exited = new Promise<void>((resolve) => running.once('exit', () => resolve()))
  running.ref()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  running.postMessage('close')
  return exited
}

/**
 * Reports from inside the thread which call it runs, before each stretch without a yield.
 *
 * @param more the subject of the work; whether a thread of its own does it
 */
export function sayWorking(id: number, more: Pick<Answer, 'about' | 'isElsewhere'> = {}): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage({ id, working: true, ...more } satisfies Answer)
}

interface ServeOptions extends Pick<ThreadOptions, 'isInOrder'> {
  /** Calls that only wait at first: `answer` says when their work begins. Default: none. */
  readonly waitsFirst?: (call: never) => boolean
}

/**
 * The thread's side: answers each call as soon as it can. `answer` maps call names to functions.
 *
 * @param options `isInOrder` as the other side has it
 */
export function serveCalls(
  answer: (call: never) => Promise<unknown>,
  close: () => void = () => undefined,
  { isInOrder = false, waitsFirst = () => false }: ServeOptions = {},
): void {
  parentPort?.on('message', (call: { readonly id: number } | 'close') => {
    if (call === 'close') {
      close()
      parentPort?.close()
      return
    }
    if (!isInOrder && !waitsFirst(call as never)) sayWorking(call.id)
    void answer(call as never)
      .then(
        (result): Answer => ({ id: call.id, result }),
        (error: unknown): Answer => ({ id: call.id, error: errorText(error), trouble: troubleCode(error) }),
      )
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      .then((said) => parentPort?.postMessage(said))
  })
}
