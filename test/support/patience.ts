/**
 * How long a test waits for an event that must come, milliseconds. A patience, not a claim: a test goes on as soon as
 * the event comes, and a busy machine may take its time.
 */
export const PATIENCE_MS = 60_000

/** For `vi.waitFor`, whose own second is no patience. */
export const PATIENCE = { timeout: PATIENCE_MS, interval: 10 } as const
