import type { Container } from './recording.ts'

/** What the main thread asks the thread that looks into recordings, and what it answers: plain data. */
export interface InspectionCall {
  readonly id: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

export type Inspection =
  | {
      readonly kind: 'read'
      readonly container: Container
      readonly seconds: number
      /** The sound alone, where the recording had more (a video clip) or another container. */
      readonly bytes?: Uint8Array<ArrayBuffer>
    }
  /** No recording at all; one that breaks off; one that cannot be read; one without sound. */
  | { readonly kind: 'unknown' | 'cut-off' | 'broken' | 'silent' }

export interface InspectionAnswer {
  readonly id: number
  /** Absent: the recording is taken up, and its time begins. */
  readonly inspection?: Inspection
}
