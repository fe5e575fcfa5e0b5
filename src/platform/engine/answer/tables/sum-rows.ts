import { type Amount, type Column, compare, sumOf } from './column.ts'
import type { TableRow } from './read-tables.ts'

/** Fewer rows are no sum, and fewer digits that agree may agree by chance. */
const MIN_SUMMED = 2
const MIN_DIGITS = { ofTwo: 4, ofMore: 3 } as const

/** Digits that can agree by chance only seldom: 1,200 has two, since round numbers are common. */
const digitsOf = ({ digits }: Amount): number => String(digits < 0n ? -digits : digits).replace(/0+$/, '').length

/** Whether a number is the sum of others. Numbers of a sheet are shown rounded: the sum of them may be off by half of the last place for each. */
export function isSum(amount: Amount, amounts: readonly Amount[]): boolean {
  const sum = sumOf(amounts)
  const [least, most] = [-1n, 1n].map((sign): Amount => ({
    digits: sum.digits * 2n + sign * BigInt(amounts.length),
    scale: sum.scale,
  }))
  const twice: Amount = { digits: amount.digits * 2n, scale: amount.scale }
  if (amount.scale < sum.scale || least === undefined || most === undefined) return compare(amount, sum) === 0
  return compare(twice, least) >= 0 && compare(twice, most) <= 0
}

/**
 * Rows that sum up rows above them, told by their numbers: subtotals of the rows since the last one, sums of subtotals, and sums of
 * everything above. Each number of such a row has to be the sum of its column.
 *
 * @param isSaid whether a row says that it is a sum: then fewer digits have to agree
 * @returns `groups`: places of the rows that one of them sums up
 */
export function findSumRows(
  rows: readonly TableRow[],
  columns: readonly Column[],
  isSaid: (row: TableRow) => boolean,
): { readonly sums: ReadonlySet<TableRow>; readonly groups: readonly (readonly number[])[] } {
  const numbers = columns.filter(({ kind }) => kind === 'number')
  const sums = new Set<TableRow>()
  const groups: number[][] = []
  const parts: number[] = []
  let group: number[] = []
  let subtotals: number[] = []

  function isSumOf(at: number, summed: readonly number[], says: boolean): boolean {
    if (summed.length < MIN_SUMMED) return false
    let digits = 0
    for (const { amounts } of numbers) {
      const amount = amounts[at]
      if (amount === undefined) continue
      const of = summed.flatMap((row) => amounts[row] ?? [])
      if (of.length === 0 || !isSum(amount, of)) return false
      digits += digitsOf(amount)
    }
    const least = summed.length === MIN_SUMMED ? MIN_DIGITS.ofTwo : MIN_DIGITS.ofMore
    return digits >= (says ? 1 : least)
  }

  for (const [at, row] of rows.entries()) {
    const says = isSaid(row)
    if (isSumOf(at, group, says) || (says && group.length === 1)) {
      subtotals.push(at)
      groups.push(group)
      group = []
    } else if (isSumOf(at, subtotals, says) || isSumOf(at, parts, says)) {
      subtotals = []
      group = []
    } else if (says) {
      group = []
    } else {
      group.push(at)
      parts.push(at)
      continue
    }
    sums.add(row)
  }
  return { sums, groups }
}

/** The column that sums up the other ones of each row, such as a year of four quarters. */
export function findSumColumn(columns: readonly Column[], rows: number): Column | undefined {
  return columns.find((column) => {
    const others = columns.filter((other) => other !== column)
    return (
      others.length >= MIN_SUMMED &&
      Array.from({ length: rows }, (_, row) => row).every((row) => {
        const amount = column.amounts[row]
        return (
          amount !== undefined &&
          isSum(
            amount,
            others.flatMap(({ amounts }) => amounts[row] ?? []),
          )
        )
      })
    )
  })
}
