import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { EngineError } from '../errors.ts'
import type { ConvertAnswer, ConvertCall } from './protocol.ts'

export interface LaneLimits {
  /** Wall-clock time of one document. */
  readonly timeoutMs: number
  /** Resident memory of the child. Watched where the system has `/proc`. */
  readonly memoryBytes: number
  /** The child is kept warm so long after a document. */
  readonly idleMs: number
}

/** One child process, started with its first document; documents go through it one after the other. */
export interface Lane {
  /** @throws {EngineError} `unsupported`, `too-large`, `aborted`; the child is killed and the next call starts another. */
  ask(call: ConvertCall, signal: AbortSignal | undefined): Promise<ConvertAnswer>
  stop(): void
}

const pageBytes = 4096
const watchMs = 50

const sentences = {
  late: 'The document takes too long to read: split it and upload the parts.',
  large: 'The document takes too much memory to read: split it and upload the parts.',
  crashed: 'The document crashed its reader: export it anew and send it again.',
  stopped: 'The conversion was stopped.',
} as const

function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1] ?? 0) * pageBytes
  } catch {
    return 0
  }
}

function startChild(): ChildProcess {
  return fork(new URL('./child.ts', import.meta.url), [], {
    execArgv: ['--max-old-space-size=512'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Nothing of the surroundings (keys, proxies) is a converter's business.
    env: {},
    serialization: 'json',
  })
}

/** Asks the child once and kills it when it takes too long, grows too big or is not wanted any more. */
function askChild(
  child: ChildProcess,
  call: ConvertCall,
  limits: LaneLimits,
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
      // V8 aborts when its own share of the memory is used up.
      const isMemory = exitSignal === 'SIGABRT' || code === 134
      reject(
        isMemory
          ? new EngineError('too-large', sentences.large)
          : new EngineError('unsupported', sentences.crashed),
      )
    }
    const onAbort = () => kill(new EngineError('aborted', sentences.stopped))
    const timer = setTimeout(() => kill(new EngineError('too-large', sentences.late)), limits.timeoutMs)
    const watch = setInterval(() => {
      if (child.pid !== undefined && residentBytes(child.pid) > limits.memoryBytes) {
        kill(new EngineError('too-large', sentences.large))
      }
    }, watchMs)
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

export function createLane(limits: LaneLimits): Lane {
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined

  const stop = () => {
    clearTimeout(idle)
    child?.kill('SIGKILL')
    child = undefined
  }
  const use = () => {
    clearTimeout(idle)
    // A killed child is known to be so before its end is reported.
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
  const rest = () => {
    child?.unref()
    child?.channel?.unref()
    idle = setTimeout(stop, limits.idleMs)
    idle.unref()
  }

  return {
    async ask(call, signal) {
      try {
        return await askChild(use(), call, limits, signal)
      } finally {
        rest()
      }
    },
    stop,
  }
}
