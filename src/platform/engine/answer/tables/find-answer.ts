import { computeFrom } from './compute.ts'
import type { Computed } from './computed.ts'
import { type Contrast, readContrast, toContrast } from './contrast.ts'
import { toPlainQuestion } from './plain-question.ts'
import { readForm } from './forms.ts'
import { flowOf } from './flow.ts'
import type { Formed } from './form.ts'
import { type JoinedTable, joinTables } from './joins.ts'
import { withMonthsAsRows } from './months.ts'
import { withNames } from './named-groups.ts'
import { isCellOf, nameOfFirst, type Nested, readNested } from './nested.ts'
import { saySoFar } from './limits.ts'
import type { Table } from './read-tables.ts'
import { isSameWord, stemsOf } from './stems.ts'
import { prepare } from './prepare.ts'
import { isHeader } from './understand.ts'
import { asksSubtotal, findSubtotal } from './subtotals.ts'
import { type TableSource, tablesToAsk } from './table-files.ts'
import { readWish, withWish } from './wanted-names.ts'
import { ADDED, readTableQuestion, type TableQuestion } from './table-question.ts'

/** A value, and the file that it comes from. */
export interface Found {
  readonly source: TableSource
  readonly made: Computed
}

/** `The expenses per month` are sums, `how much more` may be of two sums. */
function readFormed({ base, form }: Formed): readonly TableQuestion[] {
  const read = { ...readTableQuestion(base), form }
  const isOpen = read.aggregate === 'value' && ['by', 'difference'].includes(form.kind)
  return isOpen ? [read, { ...read, aggregate: 'sum' }] : [read]
}

const nameOf = ({ headings }: Table) => stemsOf(headings.at(-1) ?? '').join(' ')

/** `The largest invoice` is no room where another table has a column of invoices, and a van no room where another one has vans. */
function isOfAnother(asked: TableQuestion, { source, made }: Found, tables: readonly JoinedTable[]): boolean {
  const { table, chosen = [] } = made
  const data = prepare(table).point
  const others = tables.flatMap((other) => (other.table === table ? [] : [prepare(other.table).point]))
  const isOpen = (stem: string) => !chosen.includes(stem) && !isHeader(data, { stem, next: undefined })
  const isOwn = (stem: string) => data.title.some((word) => isSameWord(word, stem)) || data.columnsOfValue.has(stem)
  const named = asked.words.flatMap((word) => ((word.isName || word.isHead) && !word.isPlace ? [word.stem] : []))
  // `To Oakley` of a file Oakley Road: the town of another table.
  const said = asked.words.flatMap(({ isLight, isLimit, stem }) => (isLight || isLimit ? [] : [stem]))
  const isElsewhere = (stem: string) =>
    isOpen(stem) && !isOwn(stem) && others.some(({ columnsOfValue }) => columnsOfValue.has(stem))
  const heads = [...new Set([...asked.heads, ...named])]
  // A fee is no donation, though both come in.
  const flowing = asked.words.flatMap(({ text, stem }) => (flowOf(text) === undefined ? [] : [stem]))
  const isOther = (stem: string) =>
    isOpen(stem) && !isOwn(stem) && others.some(({ headers }) => headers.some((of) => of.includes(stem)))
  // `Hires` are those of the sheet Hires, not of the sheet Pool hire.
  const names = new Set(others.map((other) => nameOf(other.table)))
  const isOwnSaid = stemsOf(table.headings.at(-1) ?? '').every((stem) => asked.stems.includes(stem))
  const isSheetOf = (stem: string) =>
    table.wide !== undefined && !isOwnSaid && !chosen.includes(stem) && names.has(stem) && nameOf(table) !== stem
  return (
    asked.words.some(({ stem }) => isSheetOf(stem)) ||
    flowing.some(isOther) ||
    heads.some((stem) => isOpen(stem) && others.some(({ headers }) => headers.some((of) => of.includes(stem)))) ||
    [...heads, ...(source.tables.length > 1 ? said : [])].some(isElsewhere)
  )
}

const MONTHS_OF_YEAR = 12

/** Asks all tables; the answer is that of the one which knows most words of the question. */
function createFindBest(sources: readonly TableSource[], language: string) {
  const titles = new Map(
    sources.map((one) => {
      const name = one.file.replace(/\.\w{1,5}(?:\.md)?$/, '')
      return [one, { words: stemsOf(name), name, isOnly: one.tables.length === 1 }]
    }),
  )
  const tables = tablesToAsk(sources)
  function inMonths({ source, table }: JoinedTable): JoinedTable | undefined {
    const rows = withMonthsAsRows(table, titles.get(source)?.name ?? '')
    return rows === undefined ? undefined : { source, table: rows }
  }
  return (asked: TableQuestion): Found | undefined => {
    if (asked.isUnclear) return undefined
    const found: Found[] = []
    let declined = 0
    const look = ({ source, table }: JoinedTable) => {
      const made = computeFrom(table, asked, titles.get(source) ?? { words: [], name: '', isOnly: false }, language)
      if (made === undefined) return
      if ('declines' in made) declined = Math.max(declined, made.known)
      else if (made.rows.length > 0) found.push({ source, made })
    }
    // Columns of months are read as rows where the question names one of them.
    const isOfMonth = asked.period !== undefined && asked.period.months.size < MONTHS_OF_YEAR
    tables.map((one) => (isOfMonth ? (inMonths(one) ?? one) : one)).forEach(look)
    // Months are rows, and two tables are asked together, where none of them knows all words.
    const isOpen = () => found.every(({ made }) => made.known < declined)
    if (isOpen() && !isOfMonth) tables.flatMap((one) => inMonths(one) ?? []).forEach(look)
    if (isOpen()) joinTables(tables).forEach(look)
    // On a tie the better ranked file.
    const [best, next] = found.toSorted((one, other) => other.made.known - one.made.known)
    if (best === undefined || best.made.known < declined || isOfAnother(asked, best, tables)) return undefined
    // No word of it chooses the table: `how much have we spent?`
    const isUnnamed = best.made.named === 0 || best.made.table.wide !== undefined
    const isAny = ADDED.has(best.made.aggregate) && isUnnamed && best.made.choices === 0
    if (isAny && best.made.known === next?.made.known) return undefined
    return { ...best, made: withNames(best.made, tables) }
  }
}

/** A cell of the one that another question tells. */
function findNested({ inner, outerOf }: Nested, find: (question: string) => Found | undefined): Found | undefined {
  const names = new Set(
    inner.flatMap((one) => {
      const made = find(one)?.made
      return (made && nameOfFirst(made)) ?? []
    }),
  )
  const [name, ...more] = names
  const found = name === undefined || more.length > 0 ? undefined : find(outerOf(name))
  return found !== undefined && isCellOf(found.made) ? found : undefined
}

/** The value that a question asks for, and its file; undefined where no table fits, or nothing can be computed exactly. */
export function findAnswer(text: string, sources: readonly TableSource[], language: string): Found | undefined {
  const wish = readWish(text)
  // `The names of …` is no column Name; a text after the question may be a part of it.
  const found = wish?.words.length === 0 ? undefined : findWhole(text, sources, language)
  if (wish === undefined) return found
  if (found !== undefined) return { source: found.source, made: withWish(found.made, wish) ?? found.made }
  const again = findWhole(wish.question, sources, language)
  const made = again === undefined ? undefined : withWish(again.made, wish)
  return again && made && { source: again.source, made }
}

function findWhole(text: string, sources: readonly TableSource[], language: string): Found | undefined {
  if (sources.length === 0) return undefined
  const question = toPlainQuestion(saySoFar(text))
  if (asksSubtotal(question)) return findSubtotal(question, tablesToAsk(sources))
  const formed = readForm(question)
  const findBest = createFindBest(sources, language)
  const findOne = (one: Formed) => {
    for (const asked of readFormed(one)) {
      const best = findBest(asked)
      if (best !== undefined) return best
    }
    return undefined
  }
  const findFormed = () =>
    formed === undefined
      ? undefined
      : (findOne(formed) ?? (formed.otherwise === undefined ? undefined : findOne(formed.otherwise)))
  const findPlain = () => findBest(readTableQuestion(question))
  // `By department`: without its groups the sum would be that of all.
  const isFormed = formed !== undefined && ['by', 'difference', 'spread', 'nth'].includes(formed.form.kind)
  const contrast = readContrast(question)
  // A count alone would be half of the answer, and its sum that of other rows.
  if (formed?.form.kind === 'counted-sum') return findFormed()
  const findContrast = ({ one: first, otherOf }: Contrast) => {
    const one = findBest(readTableQuestion(first))
    const words = one && otherOf(one.made)
    const other = words === undefined ? undefined : findBest(readTableQuestion(words))
    const made = one && other && toContrast(one.made, other.made)
    return one && made && { source: one.source, made }
  }
  const nested = readNested(question)
  if (nested !== undefined) return findNested(nested, (one) => findAnswer(one, sources, language))
  const findAny = () => (isFormed ? (findFormed() ?? findPlain()) : (findPlain() ?? findFormed()))
  // The difference of two sums is no sum: nothing else is computed then.
  return contrast === undefined ? findAny() : ((isFormed ? findFormed() : undefined) ?? findContrast(contrast))
}
