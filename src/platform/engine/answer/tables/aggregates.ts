import { countsValues } from './months.ts'
import { CURRENCY } from './measure.ts'
import type { Prepared } from './prepare.ts'
import type { AskedWord, TableQuestion } from './table-question.ts'

/** The question with one aggregate: others are names of columns, as in `highest total`. Undefined: it asks for several. */
function withOneAggregate(asked: TableQuestion, data: Prepared): TableQuestion | undefined {
  const computing = [...asked.aggregates].filter(([one]) => one !== 'count' && one !== 'rows')
  if (computing.length < 2) return asked
  // `The top 2 departments by total`.
  const isOfSums = asked.form?.kind === 'first' && computing.length === 2 && asked.aggregates.has('sum')
  if (isOfSums) return { ...asked, aggregate: asked.aggregates.has('min') ? 'min' : 'max' }
  const isColumn = (stems: readonly string[]) =>
    data.headers.some(
      (header, at) =>
        data.columns[at]?.kind === 'number' && stems.every((stem) => header.some((word) => word === stem)),
    )
  const [first, ...more] = computing.filter(([, stems]) => !isColumn(stems))
  if (first === undefined || more.length > 0) return undefined
  const named = computing.filter((each) => each !== first).flatMap(([, stems]) => stems)
  const words = named.map((stem): AskedWord => ({ ...PLAIN, text: stem, stem }))
  return { ...asked, aggregate: first[0], words: [...asked.words, ...words] }
}

const PLAIN = {
  isPlace: false,
  isHead: false,
  isNegated: false,
  isLimit: false,
  isName: false,
  isCounted: false,
  isGroup: false,
  isLight: false,
  next: undefined,
} as const

/** The question with one aggregate; the worth of several things, and the values of several months, are added up. */
export function withSums(data: Prepared, question: TableQuestion) {
  const said = data.rows.length === 0 ? undefined : withOneAggregate(question, data)
  // `How many tonnes` of a sheet of tonnes by month.
  // `How many hires` of a sheet of costs asks for no money.
  const isOfMoney = data.columns.some((column) => column.kind === 'number' && CURRENCY.test(column.unit))
  if (said !== undefined && countsValues(said, data) && !isOfMoney) {
    const aggregates = new Map([...said.aggregates].filter(([one]) => one !== 'count'))
    return { isOfAll: false, one: { ...said, aggregate: 'sum' as const, aggregates } }
  }
  const isAdded = said?.asksWorth === true || data.table.wide !== undefined
  const isOfAll = isAdded && said?.aggregate === 'value' && said.form?.kind !== 'difference'
  return { isOfAll, one: said !== undefined && isOfAll ? { ...said, aggregate: 'sum' as const } : said }
}
