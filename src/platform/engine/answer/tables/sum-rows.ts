import { type Amount, type Column, compare, sumOf } from './column.ts'
import type { TableRow } from './read-tables.ts'

/** Fewer rows are no sum, and fewer digits that agree may agree by chance. */
const MIN_SUMMED = 2
const MIN_DIGITS = { ofTwo: 4, ofMore: 3 } as const
/** So many columns and digits agree by no chance: takings of each month. */
const SURE = { columns: 4, digits: 12 } as const

/** Digits that can agree by chance only seldom: 1,200 has two, since round numbers are common. */
const digitsOf = ({ digits }: Amount): number => String(digits < 0n ? -digits : digits).replace(/0+$/, '').length

/** Whether a number is a sum. Numbers of a sheet are shown rounded: their sum may be off by half of the last place for each. */
function isNear(amount: Amount, sum: Amount, count: number): boolean {
  const [least, most] = [-1n, 1n].map((sign): Amount => ({
    digits: sum.digits * 2n + sign * BigInt(count),
    scale: sum.scale,
  }))
  const twice: Amount = { digits: amount.digits * 2n, scale: amount.scale }
  if (amount.scale < sum.scale || least === undefined || most === undefined) return compare(amount, sum) === 0
  return compare(twice, least) >= 0 && compare(twice, most) <= 0
}

const isSum = (amount: Amount, amounts: readonly Amount[]): boolean => isNear(amount, sumOf(amounts), amounts.length)

/** Whether a number is the sum of the last ones, however many. */
export function isSumOfLast(amount: Amount, amounts: readonly Amount[]): boolean {
  let sum = sumOf([])
  return amounts.toReversed().some((one, at) => {
    sum = sumOf([sum, one])
    return isNear(amount, sum, at + 1)
  })
}

/** Rows that are added up on the way down: a long table is read once. */
function createSums(numbers: readonly Column[]) {
  let columns = numbers.map(() => ({ sum: sumOf([]), count: 0 }))
  let rows = 0
  return {
    rows: () => rows,
    of: (column: number) => columns[column] ?? { sum: sumOf([]), count: 0 },
    add(at: number): void {
      rows += 1
      columns = columns.map(({ sum, count }, column) => {
        const amount = numbers[column]?.amounts[at]
        return amount === undefined ? { sum, count } : { sum: sumOf([sum, amount]), count: count + 1 }
      })
    },
    clear(): void {
      rows = 0
      columns = numbers.map(() => ({ sum: sumOf([]), count: 0 }))
    },
  }
}

interface SumRows {
  readonly sums: ReadonlySet<TableRow>
  /** Sums that no word names, of two rows or after rounding: prices and counts may agree in this way, too. */
  readonly doubtful: ReadonlySet<TableRow>
  /** Places of the rows that one of them sums up. */
  readonly groups: readonly (readonly number[])[]
}

/**
 * Rows that sum up rows above them, told by their numbers: subtotals of the rows since the last one, sums of subtotals, and sums of
 * everything above. Each number of such a row has to be the sum of its column.
 *
 * @param isSaid whether a row says that it is a sum: then fewer digits have to agree
 */
export function findSumRows(
  rows: readonly TableRow[],
  columns: readonly Column[],
  isSaid: (row: TableRow) => boolean,
): SumRows {
  const numbers = columns.filter(({ kind }) => kind === 'number')
  const sums = new Set<TableRow>()
  const doubtful = new Set<TableRow>()
  const groups: number[][] = []
  const [inGroup, inParts, inSubtotals] = [createSums(numbers), createSums(numbers), createSums(numbers)]
  let group: number[] = []

  /** Undefined: the row is no sum of these. */
  function sumOfRows(at: number, summed: typeof inGroup, says: boolean): 'sure' | 'exact' | 'near' | undefined {
    if (summed.rows() < MIN_SUMMED) return undefined
    let [digits, agreed] = [0, 0]
    let isExact = true
    for (const [column, { amounts }] of numbers.entries()) {
      const amount = amounts[at]
      if (amount === undefined) continue
      const { sum, count } = summed.of(column)
      if (count === 0 || !isNear(amount, sum, count)) return undefined
      isExact &&= compare(amount, sum) === 0
      digits += digitsOf(amount)
      agreed += 1
    }
    const least = summed.rows() === MIN_SUMMED ? MIN_DIGITS.ofTwo : MIN_DIGITS.ofMore
    if (digits < (says ? 1 : least)) return undefined
    if (isExact && agreed >= SURE.columns && digits >= SURE.digits) return 'sure'
    return isExact ? 'exact' : 'near'
  }

  for (const [at, row] of rows.entries()) {
    const says = isSaid(row)
    const ofGroup = sumOfRows(at, inGroup, says)
    const ofSums = ofGroup === undefined ? sumOfRows(at, inSubtotals, says) : undefined
    const ofParts = ofGroup === undefined && ofSums === undefined ? sumOfRows(at, inParts, says) : undefined
    if (ofGroup !== undefined || (says && group.length === 1)) {
      inSubtotals.add(at)
      groups.push(group)
    } else if (ofSums !== undefined || ofParts !== undefined) {
      inSubtotals.clear()
    } else if (!says) {
      group.push(at)
      inGroup.add(at)
      inParts.add(at)
      continue
    }
    const isOfTwo =
      (ofGroup !== undefined && inGroup.rows() === MIN_SUMMED) ||
      (ofParts !== undefined && inParts.rows() === MIN_SUMMED)
    const found = ofGroup ?? ofSums ?? ofParts
    if (!says && found !== 'sure' && (isOfTwo || found === 'near')) doubtful.add(row)
    sums.add(row)
    group = []
    inGroup.clear()
  }
  return { sums, doubtful, groups }
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
