const SIZES = [8000, 16_000, 32_000] as const
const REPEATS = 5
/** The clock of a thread ticks every few milliseconds. A time that grows with the square of 32,000 is far longer. */
const FLOOR_MS = 20
const MOST = 2.5
/** A time that grows with the square is below the floor with 32,000 if 2,000 take less than this. */
const QUICK_MS = FLOOR_MS / 256
/** The same of 8,000, where 1.5 times what 16,000 take has to be more than the floor: a square is not told below that. */
const STILL_QUICK_MS = FLOOR_MS / 6

/** Time on the wall: never less than what the thread took, and exact where its clock is not. Once more, if it had to wait. */
function isQuick(work: () => unknown, mostMs: number): boolean {
  return [1, 2].some(() => {
    const begun = performance.now()
    work()
    return performance.now() - begun < mostMs
  })
}

/** Time of this thread alone: other work on the machine does not count. */
export function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/**
 * The times of 8,000, 16,000 and 32,000 characters, in milliseconds, where one is more than 2.5 times the one before; else
 * undefined. Only the time of this thread is counted, the least of several runs. One time alone: 2,000 took too long.
 */
export function growsFaster(work: (text: string) => unknown, make: (length: number) => string) {
  // A short text first: a time that grows with the cube would never end.
  const text = make(2000)
  if (isQuick(() => work(text), QUICK_MS)) return undefined
  const short = cpuMs(() => work(text))
  if (short > 500) return [Math.round(short)]
  const texts = SIZES.map(make)
  const [first = '', middleText = '', last = ''] = texts
  if (isQuick(() => work(first), STILL_QUICK_MS)) return undefined
  const longest = cpuMs(() => work(last))
  if (longest < FLOOR_MS) return undefined
  const least = [cpuMs(() => work(first)), cpuMs(() => work(middleText)), longest]
  for (let round = 1; ; round += 1) {
    const [small = 0, middle = 0, large = 0] = least
    if (middle <= MOST * small + FLOOR_MS && large <= MOST * middle + FLOOR_MS) return undefined
    if (round === REPEATS) return least.map(Math.round)
    for (const [index, each] of texts.entries())
      least[index] = Math.min(
        least[index] ?? Infinity,
        cpuMs(() => work(each)),
      )
  }
}

/** A piece, repeated to this length, between two others. */
export const repeated = (prefix: string, piece: string, suffix: string) => (length: number) =>
  prefix + piece.repeat(Math.ceil(length / piece.length)) + suffix
