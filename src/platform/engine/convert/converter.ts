import { fork, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineError } from '../errors.ts'
import type { ConvertAnswer, ConvertCall, ConvertFailure } from './protocol.ts'

export interface ConvertLimits {
  /** Wall-clock time of one document. */
  readonly timeoutMs: number
  /** Resident memory of the child. Watched where the system has `/proc`. */
  readonly memoryBytes: number
  readonly pages: number
  /** The child is kept warm so long after a document. */
  readonly idleMs: number
}

export const convertLimits: ConvertLimits = {
  timeoutMs: 120_000,
  memoryBytes: 1_500_000_000,
  pages: 10_000,
  idleMs: 30_000,
}

const sentences: Readonly<Record<ConvertFailure, string>> = {
  encrypted: 'The PDF is protected by a password: save it without one and upload it again.',
  broken: 'The PDF is damaged and cannot be read: export it anew and upload it again.',
  empty:
    'The PDF holds no text, perhaps only scanned images: run text recognition on it and upload it again.',
  'too-many-pages': 'The PDF has too many pages: split it and upload the parts.',
}

export interface Converter {
  /**
   * Converts a PDF; the pages go into a file, one JSON line each, which the caller removes with `done`.
   *
   * @throws {EngineError} `unsupported` with a sentence for people.
   */
  convertPdf(
    path: string,
    signal?: AbortSignal,
  ): Promise<{ path: string; pages: number; done(): Promise<void> }>
  close(): Promise<void>
}

const pageBytes = 4096

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
function ask(child: ChildProcess, call: ConvertCall, limits: ConvertLimits, signal: AbortSignal | undefined) {
  return new Promise<ConvertAnswer>((resolve, reject) => {
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
    const onExit = () => {
      settle()
      reject(
        new EngineError(
          'unsupported',
          'The document crashed its reader: export it anew and upload it again.',
        ),
      )
    }
    const onAbort = () => kill(new EngineError('aborted', 'The conversion was stopped.'))
    const timer = setTimeout(() => {
      kill(
        new EngineError('unsupported', 'The document takes too long to read: split it and upload the parts.'),
      )
    }, limits.timeoutMs)
    const watch = setInterval(() => {
      if (child.pid !== undefined && residentBytes(child.pid) > limits.memoryBytes) {
        kill(
          new EngineError(
            'unsupported',
            'The document takes too much memory to read: split it and upload the parts.',
          ),
        )
      }
    }, 50)
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

/** One child, started with the first document and kept warm; documents go through it one after the other. */
export function createConverter(folder: string, limits: ConvertLimits = convertLimits): Converter {
  let child: ChildProcess | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined
  let lastId = 0

  const stop = () => {
    child?.kill('SIGKILL')
    child = undefined
  }
  const use = () => {
    clearTimeout(idle)
    if (child === undefined) {
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

  async function convert(path: string, signal: AbortSignal | undefined) {
    await mkdir(folder, { recursive: true })
    const out = join(folder, `${randomUUID()}.pages`)
    const done = () => rm(out, { force: true })
    lastId += 1
    try {
      const answer = await ask(use(), { id: lastId, path, out, maxPages: limits.pages }, limits, signal)
      if (answer.failure !== undefined) throw new EngineError('unsupported', sentences[answer.failure])
      return { path: out, pages: answer.pages ?? 0, done }
    } catch (error) {
      await done()
      throw error
    } finally {
      rest()
    }
  }

  return {
    convertPdf(path, signal) {
      const result = queue.then(() => convert(path, signal))
      queue = result.catch(() => undefined)
      return result
    },
    async close() {
      clearTimeout(idle)
      stop()
      await queue
    },
  }
}
