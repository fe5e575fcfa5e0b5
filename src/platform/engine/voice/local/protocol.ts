/** What the process that holds the speech model is asked and answers: plain data. */
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
