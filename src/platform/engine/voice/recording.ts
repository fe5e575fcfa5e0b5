import type { TranscriptionFields } from '#platform/wire/voice.ts'

/** A recording as it was sent. */
export interface Recording {
  readonly name: string
  readonly mimeType: string
  /** File that holds it; its bytes are in the memory of this thread at no time. */
  readonly path: string
  readonly sizeBytes: number
}

/** Containers that are taken. `adts` (bare AAC) and Matroska are made into one of the others first. */
export type Container = 'ogg' | 'mp4' | 'webm' | 'wav' | 'mp3' | 'flac'

/** An inspected recording: name and type fit its content, and it holds only sound. */
export interface ReadRecording extends Omit<Recording, 'sizeBytes'> {
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

/** A transcript. `body` is the whole answer of the speech model. */
export interface Heard {
  readonly text: string
  readonly segments?: readonly Segment[]
  readonly body: object
}

/** @throws {EngineError} */
export type Hear = (recording: ReadRecording, question: Question, signal?: AbortSignal) => Promise<Heard>

/** Messages between the main thread and the inspecting thread: plain data. */
export interface InspectionCall {
  readonly id: number
  readonly path: string
}

/** File next to a recording for its sound alone. */
export const soundPathOf = (path: string): string => `${path}.sound`

export type Inspection =
  | {
      readonly kind: 'read'
      readonly container: Container
      readonly seconds: number
      /** The sound alone was written next to it: the recording was a video or had another container. */
      readonly isRemade: boolean
    }
  /** Not a recording; cut off; unreadable; silent. */
  | { readonly kind: 'unknown' | 'cut-off' | 'broken' | 'silent' }

export interface InspectionAnswer {
  readonly id: number
  /** Absent: the inspection of this recording begins, and with it its time limit. */
  readonly inspection?: Inspection
}
