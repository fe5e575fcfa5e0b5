import { isSameWord } from './stems.ts'
import type { Column } from './column.ts'
import type { Comparison } from './comparisons.ts'
import type { Condition } from './conditions.ts'
import type { Prepared } from './prepare.ts'
import { type TableQuestion } from './table-question.ts'

/** A question without its limits in time, and the rows that lie within them. */
export interface Dated {
  readonly asked: TableQuestion
  readonly conditions: readonly Condition[]
}

/** Limits of time in milliseconds; a day, a month or a year is one of many. */
interface Span {
  readonly from: bigint
  readonly to: bigint
}

const yearOf = (time: bigint) => new Date(Number(time)).getUTCFullYear()

/** The days that a limit names; without its year that of all dates, where they have one. */
function toSpan({ when }: Comparison, times: readonly bigint[]): Span | undefined {
  if (when === undefined) return undefined
  const [first, ...more] = new Set(times.map(yearOf))
  const year = when.year ?? (more.length === 0 ? first : undefined)
  if (year === undefined) return undefined
  const { month, day } = when
  const from = Date.UTC(year, month ?? 0, day ?? 1)
  if (day !== undefined && new Date(from).getUTCDate() !== day) return undefined
  const to =
    day !== undefined
      ? Date.UTC(year, month ?? 0, day + 1)
      : Date.UTC(month === undefined ? year + 1 : year, (month ?? -1) + 1, 1)
  return { from: BigInt(from), to: BigInt(to) - 1n }
}

const holds = (time: bigint, { sign }: Comparison, { from, to }: Span): boolean =>
  sign === '>' ? time > to : sign === '>=' ? time >= from : sign === '<' ? time < from : time <= to

/** The column of dates that is meant: the one that the question names, or the only one. */
function columnOfDates({ stems }: TableQuestion, { columns, headers }: Prepared): Column | undefined {
  const dates = columns.filter(
    ({ kind, amounts }) => kind === 'date' && amounts.some((one) => (one?.digits ?? 0n) > 2000n),
  )
  if (dates.length === 1) return dates[0]
  const [only, ...more] = dates.filter((one) =>
    headers[columns.indexOf(one)]?.some((header) => stems.some((stem) => isSameWord(header, stem))),
  )
  return more.length === 0 ? only : undefined
}

/** `Visits after 1 May 2025`: limits in time choose rows by the dates of a table, and leave its amounts alone. */
export function readDated(asked: TableQuestion, data: Prepared): Dated {
  const limits = asked.comparisons.filter(({ when }) => when !== undefined)
  const column = limits.length === 0 ? undefined : columnOfDates(asked, data)
  if (column === undefined) return { asked, conditions: [] }
  const times = column.amounts.flatMap((amount) => amount?.digits ?? [])
  const spans = limits.map((limit) => ({ limit, span: toSpan(limit, times) }))
  if (spans.some(({ span }) => span === undefined)) return { asked, conditions: [] }
  const header = data.headers[data.columns.indexOf(column)] ?? []
  const isExtremeOfDate = asked.aggregate === 'max' || asked.aggregate === 'min'
  return {
    asked: {
      ...asked,
      comparisons: asked.comparisons.filter(({ when }) => when === undefined),
      topics: isExtremeOfDate ? asked.topics : new Set([...asked.topics].filter((topic) => topic !== 'date')),
    },
    conditions: [
      {
        isSaid: ({ stem }) => header.some((one) => isSameWord(one, stem)),
        takesNegation: false,
        isChosen(row) {
          const time = column.amounts[data.placeOf.get(row) ?? -1]?.digits
          return time !== undefined && spans.every(({ limit, span }) => span !== undefined && holds(time, limit, span))
        },
      },
    ],
  }
}
