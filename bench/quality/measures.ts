const gains = (grades: readonly number[]) =>
  grades.reduce((total, grade, rank) => total + grade / Math.log2(rank + 2), 0)

/** nDCG at 10 of documents in the order found, against graded judgements. */
export function ndcg(found: readonly string[], judged: Readonly<Record<string, number>>): number {
  const best = gains(
    Object.values(judged)
      .toSorted((one, other) => other - one)
      .slice(0, 10),
  )
  return best === 0 ? 0 : gains(found.slice(0, 10).map((id) => judged[id] ?? 0)) / best
}

/** One over the rank of the right one among the first ten; 0 when it is not there. */
export function reciprocalRank<Item>(found: readonly Item[], right: Item): number {
  const rank = found.slice(0, 10).indexOf(right)
  return rank === -1 ? 0 : 1 / (rank + 1)
}

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
