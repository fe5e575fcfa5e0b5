import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { EngineError } from '../errors.ts'
import { threadEnvironment } from '../storage/thread.ts'
import type { ConvertAnswer, ConvertCall, ConvertProgress } from './protocol.ts'

export interface ProcessLimits {
  /** Resident memory that one document may add to its child; watched where the system has `/proc`. */
  readonly memoryBytes: number
  /** A child that holds more after a document is replaced before the next one. */
  readonly renewBytes: number
  /** How long a child without work is kept warm. */
  readonly idleMs: number
}

interface AskLimits {
  readonly timeoutMs: number
  /** Time of each page whose text is recognized. */
  readonly pageTimeoutMs: number
  readonly mayGoOn: () => boolean
  /** Called when text recognition begins with a page. */
  readonly onPage?: ((page: number, pages: number) => void) | undefined
}

/** One child process, started with its first document; it reads one document at a time. */
export interface ConverterProcess {
  /**
   * The answer; `undefined` when its turn ended (`mayGoOn` said no): the document must be read again.
   *
   * @throws {EngineError} `unsupported`, `too-large`, `aborted`, `no-resources`; the next call starts another child.
   */
  ask(call: ConvertCall, limits: AskLimits, signal: AbortSignal | undefined): Promise<ConvertAnswer | undefined>
  stop(): void
}

const WATCH_MS = 50
/** Hint to callers while no child can be started. */
const RETRY_AFTER_MS = 5000

const SENTENCES = {
  late: 'The document takes too long to read: split it and upload the parts.',
  large: 'The document takes too much memory to read: split it and upload the parts.',
  crashed: 'The document crashed its reader: export it anew and send it again.',
  stopped: 'The conversion was stopped.',
  unstarted:
    'The document could not be read, since this machine cannot start another process now: try again in a minute.',
} as const

function residentBytes(pid: number | undefined): number {
  try {
    // In kB; `statm` counts pages, which have 16 or 64 kB on some machines.
    return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

const toUnstarted = (cause: unknown) =>
  new EngineError('no-resources', SENTENCES.unstarted, { cause, retryAfterMs: RETRY_AFTER_MS })

function forkChild(): ChildProcess {
  return fork(new URL('./child.ts', import.meta.url), [], {
    execArgv: ['--max-old-space-size=512'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // The child sees no keys and no proxies. With Node's compile cache it starts in two thirds of the time.
    env: threadEnvironment(),
    serialization: 'json',
  })
}

/** @throws {EngineError} `no-resources` */
async function startChild(): Promise<ChildProcess> {
  let child: ChildProcess
  try {
    // Some failures are thrown; others come as an event, from a child without a number.
    child = forkChild()
  } catch (error) {
    throw toUnstarted(error)
  }
  if (child.pid === undefined) throw toUnstarted((await once(child, 'error'))[0])
  child.on('error', () => undefined)
  return child
}

/** Sends one request; kills the child when it takes too long, grows too large or the caller leaves. */
function askChild(
  child: ChildProcess,
  call: ConvertCall,
  { timeoutMs, pageTimeoutMs, memoryBytes, mayGoOn, onPage }: AskLimits & { readonly memoryBytes: number },
  signal: AbortSignal | undefined,
): Promise<ConvertAnswer | undefined> {
  const before = residentBytes(child.pid)
  return new Promise((resolve, reject) => {
    const stop = () => {
      settle()
      child.kill('SIGKILL')
    }
    const kill = (error: unknown) => {
      stop()
      reject(error)
    }
    const onMessage = (answer: ConvertAnswer | ConvertProgress) => {
      if (answer.id !== call.id) return
      if ('page' in answer) {
        clearTimeout(timer)
        timer = setTimeout(onLate, pageTimeoutMs)
        onPage?.(answer.page, answer.pages)
        return
      }
      if (answer.isStuck === true) stop()
      else settle()
      resolve(answer)
    }
    const onExit = (code: number | null, exitSignal: NodeJS.Signals | null) => {
      settle()
      // V8 aborts at its heap limit; the system kills the process when the machine has no memory left.
      const isMemory = exitSignal === 'SIGABRT' || exitSignal === 'SIGKILL' || code === 134
      reject(
        isMemory ? new EngineError('too-large', SENTENCES.large) : new EngineError('unsupported', SENTENCES.crashed),
      )
    }
    const onAbort = () => kill(new EngineError('aborted', SENTENCES.stopped))
    const onLate = () => kill(new EngineError('too-large', SENTENCES.late))
    let timer = setTimeout(onLate, timeoutMs)
    const watch = setInterval(() => {
      if (residentBytes(child.pid) - before > memoryBytes) {
        kill(new EngineError('too-large', SENTENCES.large))
      } else if (!mayGoOn()) {
        stop()
        resolve(undefined)
      }
    }, WATCH_MS)
    const settle = () => {
      clearTimeout(timer)
      clearInterval(watch)
      child.off('message', onMessage)
      child.off('exit', onExit)
      signal?.removeEventListener('abort', onAbort)
    }
    child.on('message', onMessage)
    child.once('exit', onExit)
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted === true) onAbort()
    else child.send(call)
  })
}

function createConverterProcess(limits: ProcessLimits): ConverterProcess {
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined

  const stop = () => {
    clearTimeout(idle)
    child?.kill('SIGKILL')
    child = undefined
  }
  const use = async () => {
    clearTimeout(idle)
    if (residentBytes(child?.pid) > limits.renewBytes) stop()
    // `killed` is set before the end of the child is reported.
    if (child === undefined || child.killed || child.exitCode !== null) {
      child = undefined
      const started = await startChild()
      started.on('exit', () => {
        if (child === started) child = undefined
      })
      child = started
    }
    child.ref()
    child.channel?.ref()
    return child
  }
  const release = () => {
    child?.unref()
    child?.channel?.unref()
    idle = setTimeout(stop, limits.idleMs)
    idle.unref()
  }

  return {
    async ask(call, own, signal) {
      try {
        return await askChild(await use(), call, { ...own, memoryBytes: limits.memoryBytes }, signal)
      } finally {
        release()
      }
    },
    stop,
  }
}

/** The right to use one child. */
export interface Turn {
  readonly process: ConverterProcess
  /** False: its time is over and somebody waits. Few documents go on, so that one child stays for short ones. */
  mayGoOn(): boolean
  release(): void
}

export interface ProcessPool {
  /** Waits for a free child. Owners take turns. `isLong`: it had its turn, and waits for the place of a long document. */
  take(owner: string, isLong?: boolean): Promise<Turn>
  stop(): void
}

interface PoolLimits extends ProcessLimits {
  readonly processes: number
  /** Time after which a document gives way to those that wait, milliseconds. */
  readonly turnMs: number
}

/** Waiting calls by owner; the first key is served next. */
function createQueue() {
  const waiting = new Map<string, (() => void)[]>()
  return {
    isEmpty: () => waiting.size === 0,
    add: (owner: string, start: () => void) => void waiting.set(owner, [...(waiting.get(owner) ?? []), start]),
    startNext() {
      const [next] = waiting
      if (next === undefined) return
      const [owner, [start, ...others]] = next
      waiting.delete(owner)
      if (others.length > 0) waiting.set(owner, others)
      start?.()
    },
  }
}

export function createProcessPool(limits: PoolLimits, clock = () => performance.now()): ProcessPool {
  const all = Array.from({ length: limits.processes }, () => createConverterProcess(limits))
  const free = [...all]
  const [short, long] = [createQueue(), createQueue()]
  const longPlaces = Math.max(1, all.length - 1)
  let longTurns = 0

  function toTurn(process: ConverterProcess, isLong: boolean): Turn {
    const endsAt = clock() + limits.turnMs
    let hasLongPlace = isLong
    if (hasLongPlace) longTurns += 1
    return {
      process,
      mayGoOn() {
        if (hasLongPlace || clock() < endsAt) return true
        if (longTurns >= longPlaces) return short.isEmpty()
        hasLongPlace = true
        longTurns += 1
        return true
      },
      release() {
        if (hasLongPlace) longTurns -= 1
        free.push(process)
        serve()
      },
    }
  }
  function serve(): void {
    if (free.length > 0 && longTurns < longPlaces) long.startNext()
    if (free.length > 0) short.startNext()
  }

  return {
    take: (owner, isLong = false) =>
      new Promise((resolve) => {
        const queue = isLong ? long : short
        queue.add(owner, () => {
          // The child used last is the warm one.
          const process = free.pop()
          if (process !== undefined) resolve(toTurn(process, isLong))
        })
        serve()
      }),
    stop() {
      for (const process of all) process.stop()
    },
  }
}
