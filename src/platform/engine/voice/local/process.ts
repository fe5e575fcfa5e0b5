import { type ChildProcess, fork } from 'node:child_process'
import { EngineError } from '../../errors.ts'
import type { EngineLog } from '../../types.ts'

/** Messages to and from the process that holds the speech model: plain data. */
export interface LocalCall {
  readonly id: number
  readonly model: string
  /** File of 16-bit samples, mono, 16 kHz. */
  readonly pcm: string
  /** ISO 639-1, or `auto`. */
  readonly language: string
  readonly translate: boolean
  readonly prompt?: string
  readonly temperature?: number
}

export interface LocalResult {
  readonly text: string
  readonly language?: string
  /** Seconds. */
  readonly segments: readonly { readonly start: number; readonly end: number; readonly text: string }[]
}

/** `no-package`: not installed. `no-model`: the file cannot be loaded. `failed`: while it heard. */
export type LocalFailure = 'no-package' | 'no-model' | 'failed'

export type LocalAnswer =
  | { readonly id: number; readonly loadedMs: number }
  | { readonly id: number; readonly result: LocalResult }
  | { readonly id: number; readonly failure: LocalFailure; readonly reason: string }

export interface SpeechProcess {
  /**
   * Calls run one after the other.
   *
   * @throws {EngineError}
   */
  hear(call: Omit<LocalCall, 'id'>, signal: AbortSignal | undefined): Promise<LocalResult>
  close(): Promise<void>
}

export interface SpeechProcessOptions {
  /** Time limit of one recording, loading the model included. */
  readonly timeoutMs: number
  /** Time that the idle model stays in memory. */
  readonly idleMs: number
  readonly log: EngineLog
  /** Address of the child's program; a test gives its own. */
  readonly child?: URL
}

const FAILURES: Readonly<Record<LocalFailure, (reason: string) => EngineError>> = {
  'no-package': () =>
    new EngineError(
      'not-configured',
      'TRANSCRIPTION_MODEL_FILE needs a package that is not installed: run "npm i --no-save @fugood/whisper.node@1.1.3", or set UPSTREAM_TRANSCRIPTION_MODEL instead.',
      { reason: 'no_speech_package' },
    ),
  'no-model': () =>
    new EngineError(
      'not-configured',
      'The speech model cannot be loaded: TRANSCRIPTION_MODEL_FILE has to name a whole model in the format of whisper.cpp (ggml).',
      { reason: 'speech_model_broken' },
    ),
  failed: (reason) => new EngineError('upstream', `The speech model failed: ${reason}. Try again, or record it anew.`),
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createSpeechProcess(options: SpeechProcessOptions): SpeechProcess {
  const { log } = options
  let child: ChildProcess | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined
  let closed = false
  let lastId = 0

  const stop = () => {
    clearTimeout(idle)
    child?.kill('SIGKILL')
    child = undefined
  }

  function use(): ChildProcess {
    clearTimeout(idle)
    if (child !== undefined) return child
    const started = fork(options.child ?? new URL('./child.ts', import.meta.url), [], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // The child gets no environment: keys and proxies are none of its business.
      env: {},
    })
    started.on('exit', () => {
      if (child === started) child = undefined
    })
    started.on('error', () => undefined)
    child = started
    return started
  }

  function ask(call: LocalCall, signal: AbortSignal | undefined): Promise<LocalResult> {
    const { promise, resolve, reject } = Promise.withResolvers<LocalResult>()
    if (closed) reject(new EngineError('closed', 'Footbridge is stopping: try again in a moment.'))
    else if (signal?.aborted === true) reject(new EngineError('aborted', 'The request was stopped.'))
    if (closed || signal?.aborted === true) return promise
    const process = use()
    const end = (error: EngineError) => {
      reject(error)
      if (child === process) stop()
    }
    const onMessage = (answer: LocalAnswer) => {
      if (answer.id !== call.id) return
      if ('loadedMs' in answer) log.info({ durationMs: answer.loadedMs }, 'Speech model is loaded')
      else if ('result' in answer) resolve(answer.result)
      else {
        if (answer.failure !== 'no-package') log.warn({ reason: answer.reason }, 'Speech model of this machine failed')
        reject(FAILURES[answer.failure](answer.reason))
      }
    }
    const onExit = () => end(FAILURES.failed('its process ended'))
    const onAbort = () => end(new EngineError('aborted', 'The request was stopped.'))
    const onTime = () =>
      end(
        new EngineError(
          'upstream-timeout',
          `The speech model took longer than ${Math.ceil(options.timeoutMs / 1000)} seconds: send a shorter recording, or set a smaller model.`,
        ),
      )
    const timer = setTimeout(onTime, options.timeoutMs)
    process.on('message', onMessage).once('exit', onExit)
    signal?.addEventListener('abort', onAbort)
    process.send(call)
    return promise.finally(() => {
      clearTimeout(timer)
      process.off('message', onMessage).off('exit', onExit)
      signal?.removeEventListener('abort', onAbort)
      idle = setTimeout(stop, options.idleMs)
      idle.unref()
    })
  }

  return {
    hear(call, signal) {
      const result = queue.then(() => {
        lastId += 1
        return ask({ ...call, id: lastId }, signal)
      })
      queue = result.catch(() => undefined)
      return result
    },
    async close() {
      closed = true
      stop()
      await queue
    },
  }
}
