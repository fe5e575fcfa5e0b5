import { rm } from 'node:fs/promises'
import type { TranscriptFormat, TranscriptionFields } from '#platform/wire/voice.ts'
import { EngineError } from '../errors.ts'
import type { EngineLog } from '../types.ts'
import type { Inspector } from './inspect.ts'
import {
  soundPathOf,
  type Hear,
  type Heard,
  type Question,
  type ReadRecording,
  type Recording,
  type Segment,
  type VoiceTask,
} from './recording.ts'

/** The answer as it goes out. */
export interface VoiceAnswer {
  readonly contentType: string
  readonly body: string
}

const JSON_TYPE = 'application/json'
const TEXT_TYPE = 'text/plain; charset=utf-8'

const two = (value: number) => String(Math.floor(value)).padStart(2, '0')

/** `00:01:02,345`, with the format's separator before the milliseconds. */
function toStamp(seconds: number, mark: ',' | '.'): string {
  const all = Math.max(0, Math.round(seconds * 1000))
  const clock = `${two(all / 3_600_000)}:${two((all / 60_000) % 60)}:${two((all / 1000) % 60)}`
  return `${clock}${mark}${String(all % 1000).padStart(3, '0')}`
}

/** One line: an empty line would end the cue, and an arrow would begin one. */
const toCueText = (text: string) =>
  text
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('-->', '→')

const cues = (segments: readonly Segment[]) =>
  segments.map((one) => ({ ...one, text: toCueText(one.text) })).filter(({ text }) => text !== '')

export function toSrt(segments: readonly Segment[]): string {
  return cues(segments)
    .map(
      ({ start, end, text }, index) =>
        `${index + 1}\n${toStamp(start, ',')} --> ${toStamp(Math.max(start, end), ',')}\n${text}\n\n`,
    )
    .join('')
}

export function toVtt(segments: readonly Segment[]): string {
  const said = cues(segments).map(
    ({ start, end, text }) =>
      `${toStamp(start, '.')} --> ${toStamp(Math.max(start, end), '.')}\n${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}\n\n`,
  )
  return `WEBVTT\n\n${said.join('')}`
}

function requireSegments(heard: Heard, format: TranscriptFormat): readonly Segment[] {
  if (heard.segments !== undefined) return heard.segments
  // Silence needs no times.
  if (heard.text.trim() === '') return []
  throw new EngineError(
    'invalid',
    `The speech model gives no times, so ${format} cannot be made: ask for json or text.`,
    { reason: 'no_segments' },
  )
}

/**
 * The transcript in the requested format. Fields that the speech model did not give are left out; only the duration is
 * measured here.
 *
 * @throws {EngineError} `invalid` when subtitles were asked for and the model gave no times
 */
function render(heard: Heard, recording: ReadRecording, question: Question): VoiceAnswer {
  const format = question.fields.response_format
  switch (format) {
    case 'text':
      return { contentType: TEXT_TYPE, body: `${heard.text.trim()}\n` }
    case 'srt':
      return { contentType: TEXT_TYPE, body: toSrt(requireSegments(heard, format)) }
    case 'vtt':
      return { contentType: 'text/vtt; charset=utf-8', body: toVtt(requireSegments(heard, format)) }
    case 'verbose_json': {
      const task = question.task === 'translations' ? 'translate' : 'transcribe'
      const duration = Math.round(recording.seconds * 1000) / 1000
      return { contentType: JSON_TYPE, body: JSON.stringify({ task, duration, ...heard.body }) }
    }
    case 'json':
    default:
      return { contentType: JSON_TYPE, body: JSON.stringify(heard.body) }
  }
}

/** @throws {EngineError} `not-configured`, `invalid`, `unsupported`, `too-large`, `upstream` … */
export type Transcribe = (
  task: VoiceTask,
  recording: Recording,
  fields: TranscriptionFields,
  signal?: AbortSignal,
) => Promise<VoiceAnswer>

export interface TranscribeParts {
  readonly inspector: Inspector
  /** The model server. */
  readonly upstream: Hear | undefined
  /** The speech model of this machine: used without a model server, or when it is down. */
  readonly local: Hear | undefined
  readonly log: EngineLog
}

const isDown = (error: unknown) =>
  error instanceof EngineError && (error.code === 'upstream' || error.code === 'upstream-timeout')

export function createTranscribe(parts: TranscribeParts): Transcribe {
  const { inspector, upstream, local, log } = parts

  async function hear(first: Hear, recording: ReadRecording, question: Question, signal: AbortSignal | undefined) {
    try {
      return render(await first(recording, question, signal), recording, question)
    } catch (error) {
      if (first === local || local === undefined || !isDown(error)) throw error
      log.warn(
        { err: error },
        'Model server could not transcribe a recording: the speech model of this machine transcribes it',
      )
      return render(await local(recording, question, signal), recording, question)
    }
  }

  return async (task, sent, fields, signal) => {
    const first = upstream ?? local
    if (first === undefined) {
      throw new EngineError(
        'not-configured',
        'Voice messages need a speech model: set UPSTREAM_BASE_URL and UPSTREAM_TRANSCRIPTION_MODEL, or TRANSCRIPTION_MODEL_FILE, then send the voice message again.',
        { reason: 'no_speech_model' },
      )
    }
    const times = !['json', 'text'].includes(fields.response_format)
    const question: Question = { task, fields, times }
    try {
      const recording = await inspector.inspect(sent)
      return await hear(first, recording, question, signal)
    } finally {
      await rm(soundPathOf(sent.path), { force: true })
    }
  }
}
