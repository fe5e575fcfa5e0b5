import { readFile } from 'node:fs/promises'
import { errorText } from '../../errors.ts'
import type { LocalAnswer, LocalCall, LocalFailure, LocalResult } from './process.ts'

// Holds the speech model in a process of its own, which is killed when native code hangs: stopping a job inside the
// package never settled. Calls run one after the other.

/** The used part of the package; it is an optional install, so its own types are missing. */
interface Whisper {
  initWhisper(options: { filePath: string; useGpu: boolean }): Promise<WhisperContext>
}
interface WhisperContext {
  transcribeData(
    pcm: ArrayBuffer,
    options: { language: string; translate: boolean; prompt?: string; temperature: number },
  ): { readonly promise: Promise<WhisperResult> }
}
interface WhisperResult {
  readonly result: string
  readonly language?: string
  /** Times in milliseconds. */
  readonly segments: readonly { readonly text: string; readonly t0: number; readonly t1: number }[]
}

const PACKAGE_NAME: string = '@fugood/whisper.node'
let loaded: { readonly model: string; readonly context: WhisperContext } | undefined

class Failure extends Error {
  readonly failure: LocalFailure
  constructor(failure: LocalFailure, cause: unknown) {
    super(errorText(cause), { cause })
    this.failure = failure
  }
}

const orFail =
  (failure: LocalFailure) =>
  (error: unknown): never => {
    throw new Failure(failure, error)
  }

async function load(call: LocalCall): Promise<WhisperContext> {
  if (loaded?.model === call.model) return loaded.context
  const startedAt = performance.now()
  const whisper = (await import(PACKAGE_NAME).catch(orFail('no-package'))) as Whisper
  const context = await whisper.initWhisper({ filePath: call.model, useGpu: false }).catch(orFail('no-model'))
  loaded = { model: call.model, context }
  send({ id: call.id, loadedMs: Math.round(performance.now() - startedAt) })
  return context
}

async function hear(call: LocalCall): Promise<LocalResult> {
  const context = await load(call)
  const file = await readFile(call.pcm)
  const samples = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength)
  const { promise } = context.transcribeData(samples, {
    language: call.language,
    translate: call.translate,
    temperature: call.temperature ?? 0,
    ...(call.prompt === undefined ? {} : { prompt: call.prompt }),
  })
  const { result, language, segments } = await promise
  return {
    text: result.trim(),
    ...(language === undefined ? {} : { language }),
    segments: segments.map(({ t0, t1, text }) => ({ start: t0 / 1000, end: t1 / 1000, text: text.trim() })),
  }
}

function send(answer: LocalAnswer): void {
  process.send?.(answer)
}

process.on('message', (call: LocalCall) => {
  void hear(call).then(
    (result) => send({ id: call.id, result }),
    (error: unknown) => {
      const failure = error instanceof Failure ? error.failure : 'failed'
      send({ id: call.id, failure, reason: errorText(error) })
    },
  )
})
// The parent has gone.
process.on('disconnect', () => process.exit())
