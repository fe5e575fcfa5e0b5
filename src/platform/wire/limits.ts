/** Every limit of the contract. Where the interface says "not shown", the certainty stands beside the figure. */
export const LIMITS = {
  /** Characters. Shown. */
  collectionName: { min: 1, max: 100 },
  /** Characters. Guess (C): "about 150". */
  fileName: { min: 1, max: 150 },
  /** Bytes of one uploaded file. Guess (U): as for conversion. */
  fileBytes: 100 * 1024 * 1024,
  /** Bytes of a document to convert; over it 413. Guess (B). */
  conversionBytes: 100 * 1024 * 1024,
  /** Guess (B). */
  imageResolutionScale: { min: 1, max: 4 },
  /** Length of a recording, seconds. Guess (B). */
  audioSeconds: 600,
  /** Streams of one key at once before further ones are dropped silently. Guess (C): "about 9". */
  streamsPerKey: 9,
  /** Requests a window, fixed windows, one count for all endpoints. Guess (B): a usual quota. */
  quota: { minute: 30, hour: 200, day: 1000, month: 3000 },
} as const
