/** Every wait of the client is bounded. Milliseconds. */
export interface TimeLimits {
  /** Until a connection stands. Default 10,000. */
  readonly connectMs: number
  /** From the start of a request to the head of its answer. Default 30,000. */
  readonly firstByteMs: number
  /**
   * Between two pieces of an answer's body. Default 45,000. Comments of an event stream (`: ping`) count: they show
   * that the other side lives. What never ends is ended by `totalMs`.
   */
  readonly betweenBytesMs: number
  /** The whole call, retries, waits for the rate limit and slow readers included. Default 300,000. */
  readonly totalMs: number
  /** First byte of an answer that is not streamed: it comes when the whole text is there. Default 120,000. */
  readonly answerMs: number
  /** First byte of an index trigger; after it the pass counts as accepted. Default 60,000. */
  readonly indexMs: number
  /** First byte of a conversion. Default 300,000. */
  readonly conversionMs: number
  /** First byte of a transcription or translation. Default 300,000. */
  readonly transcriptionMs: number
  /** What an upload gets on top of its first-byte and total limits, for each started MiB. Default 4,000. */
  readonly perUploadedMiBMs: number
}

export const defaultTimeLimits: TimeLimits = {
  connectMs: 10_000,
  firstByteMs: 30_000,
  betweenBytesMs: 45_000,
  totalMs: 300_000,
  answerMs: 120_000,
  indexMs: 60_000,
  conversionMs: 300_000,
  transcriptionMs: 300_000,
  perUploadedMiBMs: 4_000,
}

/** Further time that sending this many bytes may take. */
export function uploadAllowanceMs(sizeBytes: number, limits: TimeLimits): number {
  return Math.ceil(sizeBytes / 1_048_576) * limits.perUploadedMiBMs
}
