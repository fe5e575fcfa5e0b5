/** Why work on a message is aborted. */
export type AbortReason =
  /** The person pressed stop: say so. */
  | 'stopped'
  /** The question was edited or deleted: the job behind it takes over. */
  | 'changed'
  /** The process stops: the job is taken up again at the next start. */
  | 'shutdown'

export function isStopped(signal: AbortSignal): boolean {
  return signal.reason === ('stopped' satisfies AbortReason)
}
