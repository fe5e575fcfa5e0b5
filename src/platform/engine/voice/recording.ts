import type { TranscriptionFields } from '../../wire/voice.ts'

/** A recording as it was sent. */
export interface Recording {
  readonly name: string
  readonly mimeType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Containers that are taken. `adts` (bare AAC) and Matroska are made into one of the others first. */
export type Container = 'ogg' | 'mp4' | 'webm' | 'wav' | 'mp3' | 'flac'

/** A recording that was looked into: its name and type fit its content, and nothing but sound is in it. */
export interface ReadRecording extends Recording {
  readonly container: Container
  readonly seconds: number
}

export type VoiceTask = 'transcriptions' | 'translations'

export interface Question {
  readonly task: VoiceTask
  readonly fields: TranscriptionFields
  /** Segments are needed: for subtitles and `verbose_json`. */
  readonly times: boolean
}

export interface Segment {
  /** Seconds. */
  readonly start: number
  readonly end: number
  readonly text: string
}

/** What was heard. `body` is the answer of the one who heard it, with all that it says beside the text. */
export interface Heard {
  readonly text: string
  readonly segments?: readonly Segment[]
  readonly body: object
}

/** @throws {EngineError} */
export type Hear = (recording: ReadRecording, question: Question, signal?: AbortSignal) => Promise<Heard>
