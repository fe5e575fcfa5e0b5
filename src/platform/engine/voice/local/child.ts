import { readFile } from 'node:fs/promises'
import { ModelError, type ModelFailure, serveModel } from '#platform/engine/local-models/model-process.ts'

// Holds the speech model in a process of its own, which is killed when native code hangs: stopping a job inside the
// package never settled.

export interface LocalCall {
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

const orFail =
  (failure: ModelFailure) =>
  (error: unknown): never => {
    throw new ModelError(failure, error)
  }

async function load(model: string, tell: (loadedMs: number) => void): Promise<WhisperContext> {
  if (loaded?.model === model) return loaded.context
  const startedAt = performance.now()
  const whisper = (await import(PACKAGE_NAME).catch(orFail('no-package'))) as Whisper
  const context = await whisper.initWhisper({ filePath: model, useGpu: false }).catch(orFail('no-model'))
  loaded = { model, context }
  tell(Math.round(performance.now() - startedAt))
  return context
}

serveModel(async (call: LocalCall, tell): Promise<LocalResult> => {
  const context = await load(call.model, tell)
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
})
