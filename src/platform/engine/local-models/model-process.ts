import { type ChildProcess, fork } from 'node:child_process'
import { EngineError, errorText } from '../errors.ts'
import { threadEnvironment } from '../storage/thread.ts'
import type { EngineLog } from '../types.ts'

/** `no-package`: not installed. `no-model`: the file cannot be loaded. `failed`: while it worked. */
export type ModelFailure = 'no-package' | 'no-model' | 'failed'

type ToError = (reason: string) => EngineError

/** A message from the process: plain data. */
export type ModelAnswer<Result> =
  | { readonly id: number; readonly loadedMs: number }
  | { readonly id: number; readonly result: Result }
  | { readonly id: number; readonly failure: ModelFailure; readonly reason: string }

export interface ModelProcess<Call, Result> {
  /**
   * Calls run one after the other, urgent ones first.
   *
   * @throws {EngineError}
   */
  call(call: Call, options?: { readonly signal?: AbortSignal; readonly urgent?: boolean }): Promise<Result>
  close(): Promise<void>
}

export interface ModelProcessOptions {
  /** The program of the process; calls `serveModel`. */
  readonly child: URL
  /** `Speech model`: begins log lines and sentences. */
  readonly name: string
  /** Time limit of one call in milliseconds, loading the model included. */
  readonly timeoutMs: number
  /** Time that the idle model stays in memory, milliseconds. */
  readonly idleMs: number
  readonly log: EngineLog
  /** The error of a failure. */
  readonly failed: Readonly<Record<'no-model' | 'failed', ToError> & Partial<Record<ModelFailure, ToError>>>
  /** Advice about a call that took too long. */
  readonly tooSlow: string
}

interface Waiting {
  readonly urgent: boolean
  readonly run: () => Promise<void>
}

/** Holds a model in a process of its own, which is killed when native code hangs, and when it is idle. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createModelProcess<Call extends object, Result>(
  options: ModelProcessOptions,
): ModelProcess<Call, Result> {
  const { log, name, failed } = options
  const queue: Waiting[] = []
  let running: Promise<void> | undefined
  let child: ChildProcess | undefined
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
    const started = fork(options.child, [], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Typed arrays arrive as such.
      serialization: 'advanced',
      // The process needs no keys and proxies.
      env: threadEnvironment(),
    })
    const forget = () => {
      if (child === started) child = undefined
    }
    // A process that cannot be started has no exit.
    started.on('exit', forget).on('error', forget)
    child = started
    return started
  }

  async function ask(call: Call, signal: AbortSignal | undefined): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    if (closed) reject(new EngineError('closed', 'Footbridge is stopping: try again in a moment.'))
    else if (signal?.aborted === true) reject(new EngineError('aborted', 'The request was stopped.'))
    if (closed || signal?.aborted === true) return promise
    lastId += 1
    const id = lastId
    const process = use()
    const end = (error: EngineError) => {
      reject(error)
      if (child === process) stop()
    }
    const onMessage = (answer: ModelAnswer<Result>) => {
      if (answer.id !== id) return
      if ('loadedMs' in answer) log.info({ durationMs: answer.loadedMs }, `${name} is loaded`)
      else if ('result' in answer) resolve(answer.result)
      else {
        if (answer.failure !== 'no-package') log.warn({ reason: answer.reason }, `${name} of this machine failed`)
        const toError = failed[answer.failure] ?? failed.failed
        reject(toError(answer.reason))
      }
    }
    const onExit = () => end(failed.failed('its process ended'))
    const onAbort = () => end(new EngineError('aborted', 'The request was stopped.'))
    const onTime = () => {
      const seconds = Math.ceil(options.timeoutMs / 1000)
      const what = `The ${name.toLowerCase()} took longer than ${seconds} seconds: ${options.tooSlow}.`
      end(new EngineError('upstream-timeout', what))
    }
    const timer = setTimeout(onTime, options.timeoutMs)
    process.on('message', onMessage).once('exit', onExit).once('error', onExit)
    signal?.addEventListener('abort', onAbort)
    process.send({ ...call, id })
    return promise.finally(() => {
      clearTimeout(timer)
      process.off('message', onMessage).off('exit', onExit).off('error', onExit)
      signal?.removeEventListener('abort', onAbort)
      idle = setTimeout(stop, options.idleMs)
      idle.unref()
    })
  }

  async function work(): Promise<void> {
    while (queue.length > 0) {
      const urgent = queue.findIndex((one) => one.urgent)
      const [next] = queue.splice(Math.max(0, urgent), 1)
      // oxlint-disable-next-line no-await-in-loop -- one after the other: the model uses every core
      await next?.run()
    }
    running = undefined
  }

  return {
    call(call, { signal, urgent = false } = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      queue.push({ urgent, run: () => ask(call, signal).then(resolve, reject) })
      running ??= work()
      return promise
    },
    async close() {
      closed = true
      stop()
      await running
    },
  }
}

/** A failure that the process tells its parent. */
export class ModelError extends Error {
  readonly failure: ModelFailure
  constructor(failure: ModelFailure, cause: unknown) {
    super(errorText(cause), { cause })
    this.failure = failure
  }
}

const send = (message: ModelAnswer<unknown>) => process.send?.(message)

/**
 * In the child: answers each call.
 *
 * @param answer tells `loaded` how long the model took to load, milliseconds
 */
export function serveModel(answer: (call: never, loaded: (loadedMs: number) => void) => Promise<unknown>): void {
  process.on('message', (call: { readonly id: number }) => {
    const { id } = call
    void answer(call as never, (loadedMs) => send({ id, loadedMs })).then(
      (result) => send({ id, result }),
      (error: unknown) => {
        const failure = error instanceof ModelError ? error.failure : 'failed'
        send({ id, failure, reason: errorText(error) })
      },
    )
  })
  // The parent has gone.
  process.on('disconnect', () => process.exit())
}
