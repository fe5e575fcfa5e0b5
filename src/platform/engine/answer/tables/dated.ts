import type { Comparison } from './comparisons.ts'
import type { Condition } from './condition.ts'
import { yearOf } from './period.ts'
import { columnOfDates, namesColumn, type Prepared } from './prepare.ts'
import type { TableQuestion } from './table-question.ts'

/** A question without its limits in time, and the rows that lie within them. */
export interface Dated {
  readonly asked: TableQuestion
  readonly conditions: readonly Condition[]
}

/** The first and the last millisecond of a day, a month or a year. */
interface Span {
  readonly from: bigint
  readonly to: bigint
}

/** The time that a limit names. Without a year it is that of the dates, where all are of one year. */
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
      : month !== undefined
        ? Date.UTC(year, month + 1, 1)
        : Date.UTC(year + 1, 0, 1)
  return { from: BigInt(from), to: BigInt(to) - 1n }
}

const holds = (time: bigint, { sign }: Comparison, { from, to }: Span): boolean =>
  sign === '>' ? time > to : sign === '>=' ? time >= from : sign === '<' ? time < from : time <= to

/** `Visits after 1 May 2025`: limits in time choose rows by the dates of a table, and leave its amounts alone. */
export function readDated(asked: TableQuestion, data: Prepared): Dated {
  const limits = asked.comparisons.filter(({ when }) => when !== undefined)
  const column = limits.length === 0 ? undefined : columnOfDates(asked.stems, data)
  if (column === undefined) return { asked, conditions: [] }
  const times = column.amounts.flatMap((amount) => amount?.digits ?? [])
  // A month is neither before nor after one of its days.
  const isOfMonths = times.every((time) => new Date(Number(time)).getUTCDate() === 1)
  if (isOfMonths && limits.some(({ when }) => when?.day !== undefined)) return { asked, conditions: [] }
  const spans = limits.map((limit) => ({ limit, span: toSpan(limit, times) }))
  if (spans.some(({ span }) => span === undefined)) return { asked, conditions: [] }
  const isExtremeOfDate = asked.aggregate === 'max' || asked.aggregate === 'min'
  return {
    asked: {
      ...asked,
      comparisons: asked.comparisons.filter(({ when }) => when === undefined),
      topics: isExtremeOfDate ? asked.topics : new Set([...asked.topics].filter((topic) => topic !== 'date')),
    },
    conditions: [
      {
        isSaid: ({ stem }) => namesColumn(data, column, stem),
        takesNegation: false,
        isChosen(row) {
          const time = column.amounts[data.placeOf.get(row) ?? -1]?.digits
          return time !== undefined && spans.every(({ limit, span }) => span !== undefined && holds(time, limit, span))
        },
      },
    ],
  }
}
