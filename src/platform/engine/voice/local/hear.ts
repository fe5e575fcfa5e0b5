import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AUDIO_LIMITS } from '#platform/wire/voice.ts'
import { EngineError } from '#platform/engine/errors.ts'
import type { EngineLog } from '#platform/engine/types.ts'
import type { Container, Hear } from '../recording.ts'
import { createModelFile, type ModelKind } from '#platform/engine/local-models/model-file.ts'
import { createModelProcess, type ModelProcessOptions } from '#platform/engine/local-models/model-process.ts'
import type { LocalCall, LocalResult } from './child.ts'

const DEMUXERS: Readonly<Record<Container, string>> = {
  ogg: 'ogg',
  mp4: 'mov',
  webm: 'matroska',
  wav: 'wav',
  mp3: 'mp3',
  flac: 'flac',
}

/** Samples of the longest recording: packets may hold far more sound than their times tell. */
const MAX_PCM_BYTES = String((AUDIO_LIMITS.seconds + 10) * 32_000)

export interface ToPcm {
  readonly from: string
  readonly to: string
  readonly container: Container
  readonly timeoutMs: number
  /** Default: the one on PATH. */
  readonly ffmpeg?: string
  /** Folders in which ffmpeg is looked up; default those of the system. */
  readonly searchPath?: string
  readonly signal?: AbortSignal | undefined
}

/**
 * Decodes a recording by ffmpeg into 16-bit samples, mono, 16 kHz. ffmpeg may read the detected container and this one
 * file only, no other file or address.
 *
 * @throws {EngineError} `not-configured` without ffmpeg; `no-resources`; `invalid` when it cannot read the recording
 */
export async function toPcm({
  from,
  to,
  container,
  timeoutMs,
  ffmpeg = 'ffmpeg',
  searchPath,
  signal,
}: ToPcm): Promise<void> {
  const input = ['-f', DEMUXERS[container], '-protocol_whitelist', 'file', '-i', from]
  const output = ['-map', '0:a:0', '-ac', '1', '-ar', '16000', '-f', 's16le', '-fs', MAX_PCM_BYTES, '-y', to]
  const stop = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])])
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = spawn(ffmpeg, ['-nostdin', '-v', 'error', ...input, ...output], {
    stdio: 'ignore',
    // ffmpeg reads hostile bytes: it sees no keys.
    env: { PATH: searchPath },
    signal: stop,
    killSignal: 'SIGKILL',
  })
  child.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') {
      reject(
        new EngineError(
          'not-configured',
          'TRANSCRIPTION_MODEL_FILE needs ffmpeg, which is not installed: install it (Debian: apt-get install ffmpeg), or set UPSTREAM_TRANSCRIPTION_MODEL instead.',
          { reason: 'no_ffmpeg', cause: error },
        ),
      )
    } else if (signal?.aborted === true) reject(new EngineError('aborted', 'The request was stopped.'))
    else if (child.pid === undefined) reject(toUnstarted(error))
    else reject(broken())
  })
  child.once('close', (code) => (code === 0 ? resolve() : reject(broken())))
  await promise
}

const toUnstarted = (cause: unknown) =>
  new EngineError('no-resources', 'ffmpeg cannot be started now to decode the recording: try again in a minute.', {
    cause,
    retryAfterMs: 5000,
  })

const broken = () =>
  new EngineError('invalid', 'The recording is damaged and cannot be heard: record it again.', {
    reason: 'audio_broken',
  })

export interface LocalSpeechOptions {
  /** Path or http(s) address of a model in whisper.cpp's format. */
  readonly modelFile: string
  /** Time limit of one recording, loading the model included; default 10 min. */
  readonly timeoutMs?: number
  /** Longest wait of a request for the download of the model; default 30 s. */
  readonly modelWaitMs?: number
  /** Program that decodes; default `ffmpeg` on PATH. */
  readonly ffmpeg?: string
  /** Folders in which ffmpeg is looked up; default those of the system. */
  readonly searchPath?: string
}

export interface LocalSpeech {
  readonly hear: Hear
  close(): Promise<void>
}

/** `en` of `en-US`: models know some languages only by the short code. */
function toLanguage(language: string | undefined): string {
  const code = language?.trim().toLowerCase().split(/[-_]/)[0] ?? ''
  if (code === '' || code === 'auto') return 'auto'
  if (/^[a-z]{2,3}$/.test(code)) return code
  throw new EngineError('invalid', 'The language is a code of two letters: en, de, fr …', {
    reason: 'unknown_language',
  })
}

/** First bytes of a model in whisper.cpp's format. */
const MAGIC = 'lmgg'
export const SPEECH_MODEL: ModelKind = {
  name: 'speech model',
  setting: 'TRANSCRIPTION_MODEL_FILE',
  reason: 'speech_model',
  format: 'in the format of whisper.cpp (ggml)',
  isModel: (head) => head.toString('latin1', 0, 4) === MAGIC,
  later: 'send the voice message again in a minute',
}

/** The process of the speech model, without its time limit. */
export const SPEECH_PROCESS: Omit<ModelProcessOptions, 'log' | 'timeoutMs'> = {
  child: new URL('./child.ts', import.meta.url),
  name: 'Speech model',
  idleMs: 300_000,
  tooSlow: 'send a shorter recording, or set a smaller model',
  failed: {
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
    failed: (reason) =>
      new EngineError('upstream', `The speech model failed: ${reason}. Try again, or record it anew.`),
  },
}

/**
 * Speech recognition on this machine: ffmpeg decodes, whisper.cpp transcribes in a process that starts with the first
 * recording. Nothing is loaded or downloaded before.
 */
export function createLocalSpeech(
  options: LocalSpeechOptions,
  parts: { readonly log: EngineLog; readonly work: string; readonly models: string },
): LocalSpeech {
  const { log, work } = parts
  const timeoutMs = options.timeoutMs ?? 600_000
  const model = createModelFile({
    kind: SPEECH_MODEL,
    source: options.modelFile,
    folder: parts.models,
    log,
    waitMs: options.modelWaitMs,
  })
  const speech = createModelProcess<LocalCall, LocalResult>({ ...SPEECH_PROCESS, timeoutMs, log })
  return {
    async hear(recording, { task, fields }, signal) {
      const language = toLanguage(fields.language)
      const path = await model.path()
      await mkdir(work, { recursive: true })
      const pcm = join(work, `${randomUUID()}.pcm`)
      try {
        const { container, path: from } = recording
        const { ffmpeg } = options
        await toPcm({ from, to: pcm, container, timeoutMs, signal, ffmpeg, searchPath: options.searchPath })
        const call = {
          model: path,
          pcm,
          language,
          translate: task === 'translations',
          prompt: fields.prompt,
          temperature: fields.temperature,
        }
        const { text, segments, language: heard } = await speech.call(call, { signal })
        const body = {
          text,
          ...(fields.response_format === 'verbose_json'
            ? { language: heard ?? language, segments: segments.map((one, id) => ({ id, ...one })) }
            : {}),
        }
        return { text, segments, body }
      } finally {
        await rm(pcm, { force: true })
      }
    },
    async close() {
      await model.close()
      await speech.close()
    },
  }
}
