/** The value below which this part (0 to 1) of the samples lies, between two samples by their distance. */
export function quantile(samples: readonly number[], part: number): number {
  if (samples.length === 0) throw new Error('There is no quantile of no samples.')
  const sorted = samples.toSorted((one, other) => one - other)
  const position = (sorted.length - 1) * Math.min(1, Math.max(0, part))
  const below = sorted[Math.floor(position)] ?? Number.NaN
  const above = sorted[Math.ceil(position)] ?? Number.NaN
  return below + (above - below) * (position - Math.floor(position))
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5)
