const MAX_FACTOR = 20
/** Between two lines of the log about one outage. */
const LINE_MS = 60_000

/**
 * Wait before a service is tried again: with defaults 1 s, doubled up to 20 s, each with up to a half more at random, so
 * that the next try comes at most half a minute after the service is back.
 *
 * @param failures tries that failed in a row; 0 or less: no wait
 * @param firstMs wait after the first failure, milliseconds: 1,000
 */
export const pauseBefore = (failures: number, firstMs = 1000): number =>
  failures < 1 ? 0 : Math.min(firstMs * 2 ** (failures - 1), firstMs * MAX_FACTOR) * (1 + Math.random() / 2)

/** Whether a line about an outage may be written: at most one a minute, however often it begins anew. */
export function createLinePace(everyMs = LINE_MS): { readonly isDue: () => boolean } {
  let toldAt = -Infinity
  return {
    isDue() {
      const isDue = performance.now() - toldAt >= everyMs
      if (isDue) toldAt = performance.now()
      return isDue
    },
  }
}
