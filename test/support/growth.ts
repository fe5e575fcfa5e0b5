const SIZES = [8000, 16_000, 32_000] as const
const REPEATS = 5
/** The clock of a thread ticks every few milliseconds. What grows with the square of 32,000 takes far longer. */
const FLOOR_MS = 20
const MOST = 2.5

function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/**
 * The times of 8,000, 16,000 and 32,000 characters, in milliseconds, where one is more than 2.5 times the one before; else
 * undefined. Only the time of this thread is counted, the least of several runs.
 */
export function growsFaster(work: (text: string) => unknown, make: (length: number) => string) {
  const least = SIZES.map(() => Infinity)
  const texts = SIZES.map(make)
  for (let round = 0; round < REPEATS; round += 1) {
    for (const [index, text] of texts.entries())
      least[index] = Math.min(
        least[index] ?? Infinity,
        cpuMs(() => work(text)),
      )
    const [small = 0, middle = 0, large = 0] = least
    if (middle <= MOST * small + FLOOR_MS && large <= MOST * middle + FLOOR_MS) return undefined
  }
  return least.map(Math.round)
}

/** A piece, repeated to this length, between two others. */
export const repeated = (prefix: string, piece: string, suffix: string) => (length: number) =>
  prefix + piece.repeat(Math.ceil(length / piece.length)) + suffix
