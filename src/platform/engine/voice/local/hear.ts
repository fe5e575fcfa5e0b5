import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineError } from '../../errors.ts'
import type { EngineLog } from '../../types.ts'
import type { Hear } from '../recording.ts'
import { createModelFile } from './model-file.ts'
import { toPcm } from './pcm.ts'
import { createSpeechProcess } from './process.ts'

export interface LocalSpeechOptions {
  /** Path or http(s) address of a model in whisper.cpp's format. */
  readonly modelFile: string
  /** Of one recording, loading the model included; default 10 min. */
  readonly timeoutMs?: number
  /** A request waits so long for a model that is being fetched; default 30 s. */
  readonly modelWaitMs?: number
  /** Program that decodes; default `ffmpeg` on PATH. */
  readonly ffmpeg?: string
}

export interface LocalSpeech {
  readonly hear: Hear
  close(): Promise<void>
}

/** `en` of `en-US`; every model knows some languages by their codes alone. */
function toLanguage(language: string | undefined): string {
  const code = language?.trim().toLowerCase().split(/[-_]/)[0] ?? ''
  if (code === '' || code === 'auto') return 'auto'
  if (/^[a-z]{2,3}$/.test(code)) return code
  throw new EngineError('invalid', 'The language is a code of two letters: en, de, fr …', {
    reason: 'unknown_language',
  })
}

/**
 * Speech recognition on this machine, without a server: ffmpeg decodes, whisper.cpp hears, in a process of its own that
 * starts with the first recording. Nothing is loaded or fetched before.
 */
export function createLocalSpeech(
  options: LocalSpeechOptions,
  parts: { readonly log: EngineLog; readonly work: string; readonly models: string },
): LocalSpeech {
  const { log, work } = parts
  const timeoutMs = options.timeoutMs ?? 600_000
  const model = createModelFile({
    source: options.modelFile,
    folder: parts.models,
    log,
    ...(options.modelWaitMs === undefined ? {} : { waitMs: options.modelWaitMs }),
  })
  const speech = createSpeechProcess({ timeoutMs, idleMs: 300_000, log })
  return {
    async hear(recording, { task, fields }, signal) {
      const language = toLanguage(fields.language)
      const path = await model.path()
      await mkdir(work, { recursive: true })
      const from = join(work, randomUUID())
      const pcm = `${from}.pcm`
      try {
        await writeFile(from, recording.bytes, { mode: 0o600 })
        const { container } = recording
        const { ffmpeg } = options
        await toPcm({
          from,
          to: pcm,
          container,
          timeoutMs,
          signal,
          ...(ffmpeg === undefined ? {} : { ffmpeg }),
        })
        const call = {
          model: path,
          pcm,
          language,
          translate: task === 'translations',
          ...(fields.prompt === undefined ? {} : { prompt: fields.prompt }),
          ...(fields.temperature === undefined ? {} : { temperature: fields.temperature }),
        }
        const { text, segments, language: heard } = await speech.hear(call, signal)
        const body = {
          text,
          ...(fields.response_format === 'verbose_json'
            ? { language: heard ?? language, segments: segments.map((one, id) => ({ id, ...one })) }
            : {}),
        }
        return { text, segments, body }
      } finally {
        await Promise.all([rm(from, { force: true }), rm(pcm, { force: true })])
      }
    },
    async close() {
      await model.close()
      await speech.close()
    },
  }
}
