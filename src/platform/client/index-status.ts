const known = ['INDEXED', 'NOT_INDEXED', 'ERROR', 'PENDING', 'PROCESSING'] as const

export type IndexStatus = (typeof known)[number]

/**
 * A status that we do not know is taken for one on its way: whoever polls goes on to its own deadline instead of
 * telling somebody that the file is ready or has failed.
 */
export function toIndexStatus(status: string | null | undefined): IndexStatus {
  if (status === null || status === undefined) return 'NOT_INDEXED'
  return known.find((one) => one === status.toUpperCase()) ?? 'PENDING'
}
