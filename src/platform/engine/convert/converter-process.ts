import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { EngineError } from '../errors.ts'
import type { ConvertAnswer, ConvertCall } from './protocol.ts'

export interface ProcessLimits {
  /** Resident memory of one child; watched where the system has `/proc`. */
  readonly memoryBytes: number
  /** How long a child without work is kept warm. */
  readonly idleMs: number
}

/** One child process, started with its first document; it reads one document at a time. */
export interface ConverterProcess {
  /** @throws {EngineError} `unsupported`, `too-large`, `aborted`; the next call starts another child. */
  ask(call: ConvertCall, timeoutMs: number, signal: AbortSignal | undefined): Promise<ConvertAnswer>
  stop(): void
}

const PAGE_BYTES = 4096
const WATCH_MS = 50

const SENTENCES = {
  late: 'The document takes too long to read: split it and upload the parts.',
  large: 'The document takes too much memory to read: split it and upload the parts.',
  crashed: 'The document crashed its reader: export it anew and send it again.',
  stopped: 'The conversion was stopped.',
} as const

function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1] ?? 0) * PAGE_BYTES
  } catch {
    return 0
  }
}

function startChild(): ChildProcess {
  return fork(new URL('./child.ts', import.meta.url), [], {
    execArgv: ['--max-old-space-size=512'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // The child sees no keys and no proxies.
    env: {},
    serialization: 'json',
  })
}

/** Sends one request; kills the child when it takes too long, grows too large or the caller leaves. */
function askChild(
  child: ChildProcess,
  call: ConvertCall,
  { timeoutMs, memoryBytes }: { timeoutMs: number; memoryBytes: number },
  signal: AbortSignal | undefined,
): Promise<ConvertAnswer> {
  return new Promise((resolve, reject) => {
    const kill = (error: unknown) => {
      settle()
      child.kill('SIGKILL')
      reject(error)
    }
    const onMessage = (answer: ConvertAnswer) => {
      if (answer.id !== call.id) return
      settle()
      resolve(answer)
    }
    const onExit = (code: number | null, exitSignal: NodeJS.Signals | null) => {
      settle()
      // V8 aborts when its heap limit is reached.
      const isMemory = exitSignal === 'SIGABRT' || code === 134
      reject(
        isMemory ? new EngineError('too-large', SENTENCES.large) : new EngineError('unsupported', SENTENCES.crashed),
      )
    }
    const onAbort = () => kill(new EngineError('aborted', SENTENCES.stopped))
    const timer = setTimeout(() => kill(new EngineError('too-large', SENTENCES.late)), timeoutMs)
    const watch = setInterval(() => {
      if (child.pid !== undefined && residentBytes(child.pid) > memoryBytes) {
        kill(new EngineError('too-large', SENTENCES.large))
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
  const use = () => {
    clearTimeout(idle)
    // `killed` is set before the end of the child is reported.
    if (child === undefined || child.killed || child.exitCode !== null) {
      const started = startChild()
      started.on('exit', () => {
        if (child === started) child = undefined
      })
      started.on('error', () => undefined)
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
    async ask(call, timeoutMs, signal) {
      try {
        return await askChild(use(), call, { timeoutMs, memoryBytes: limits.memoryBytes }, signal)
      } finally {
        release()
      }
    },
    stop,
  }
}

export interface ProcessPool {
  /** Waits for a free child. Owners take turns, however many documents each has waiting. */
  take(owner: string): Promise<ConverterProcess>
  release(process: ConverterProcess): void
  stop(): void
}

export function createProcessPool(limits: ProcessLimits & { readonly processes: number }): ProcessPool {
  const all = Array.from({ length: limits.processes }, () => createConverterProcess(limits))
  const free = [...all]
  /** Waiting calls by owner; the first key is served next. */
  const waiting = new Map<string, ((process: ConverterProcess) => void)[]>()
  return {
    take(owner) {
      // The child used last is the warm one.
      const process = free.pop()
      if (process !== undefined) return Promise.resolve(process)
      return new Promise((resolve) => {
        waiting.set(owner, [...(waiting.get(owner) ?? []), resolve])
      })
    },
    release(process) {
      const [next] = waiting
      if (next === undefined) {
        free.push(process)
        return
      }
      const [owner, [resolve, ...others]] = next
      waiting.delete(owner)
      if (others.length > 0) waiting.set(owner, others)
      resolve?.(process)
    },
    stop() {
      for (const process of all) process.stop()
    },
  }
}
