import { allPhrases, commaPhrases, matchWithin } from '#lexicon/match.ts'
import { cut } from '#adapters/shared/outgoing.ts'
import type { Blocks } from './buttons.ts'
import { numbersIn } from './cell-numbers.ts'
import { escapeMentions } from './markup.ts'

/** Fewer rows need no pages and no sorting. */
const MIN_ROWS = 4
/** Two sums are compared already. */
const MIN_SUMS = 2
const MAX_ROWS = 100
const MAX_COLUMNS = 20
/** Characters of all cells; Slack refuses more than 10,000. */
const MAX_TABLE = 9_000
const MAX_CAPTION = 150
/** Rows of a page. */
const MAX_PAGE = 20
/** Limits of a chart: docs.slack.dev/reference/block-kit/blocks/data-visualization-block; bars: vercel/chat#696. */
const MAX_BARS = 20
const MAX_LABEL = 20
const MAX_TITLE = 50

/** A text with one table that Slack can show as a block of its own. */
interface Tabled {
  readonly before: string
  readonly after: string
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const FENCE = /^\s*(?:`{3,}|~{3,})/
const RULE = /^ {0,3}\|?(?=[\s:|]*-)[\s:|-]+$/
/** Markup that a cell of plain text would lose: code, links, addresses, escapes, entities, emphasis except bold. */
const STYLED = /[`\]]\(|`|<|https?:|(?<!\w)[*_](?=\w)|\p{L}\*\p{L}|~~|\\|&#?\w+;/u

const SUM = matchWithin(allPhrases('tables', 'sum'))
const COMMA_SUM = matchWithin(commaPhrases('tables', 'sum'))

const hasSums = (header: readonly string[]) => header.length === 2 && SUM.test(header[1] ?? '')

/** The numbers below a heading, which may tell how numbers are written there. */
const numbersBelow = ({ header, rows }: Pick<Tabled, 'header' | 'rows'>, at: number) =>
  numbersIn(
    rows.map((cells) => cells[at] ?? ''),
    COMMA_SUM.test(header[at] ?? ''),
  )

const isRow = (line: string | undefined): line is string => line !== undefined && line.includes('|')

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|').replaceAll('**', ''))

/** Undefined: no table, several ones, or one that is small, too large or more than plain text. */
function findTable(markdown: string): Tabled | undefined {
  const lines = markdown.split('\n')
  const starts: number[] = []
  let isCode = false
  for (const [at, line] of lines.entries()) {
    if (FENCE.test(line)) isCode = !isCode
    const next = lines[at + 1]
    if (!isCode && isRow(line) && !RULE.test(line) && next?.includes('|') === true && RULE.test(next)) starts.push(at)
  }
  const [start] = starts
  if (start === undefined || starts.length > 1) return undefined
  let end = start + 2
  while (isRow(lines[end])) end += 1
  const header = cellsOf(lines[start] ?? '')
  const rows = lines.slice(start + 2, end).map((line) => {
    const cells = cellsOf(line).slice(0, header.length)
    return [...cells, ...Array.from({ length: header.length - cells.length }, () => '')]
  })
  const all = [header, ...rows].flat()
  const isFitting =
    rows.length >= (hasSums(header) ? MIN_SUMS : MIN_ROWS) &&
    rows.length <= MAX_ROWS &&
    header.length <= MAX_COLUMNS &&
    all.reduce((sum, cell) => sum + cell.length, 0) <= MAX_TABLE &&
    !all.some((cell) => STYLED.test(cell))
  if (!isFitting) return undefined
  return { before: lines.slice(0, start).join('\n'), after: lines.slice(end).join('\n'), header, rows }
}

/** Whether the text has a table that Slack can show as a block of its own. */
export const hasDataTable = (markdown: string): boolean => markdown.includes('|') && findTable(markdown) !== undefined

const rawText = (text: string) => ({ type: 'raw_text', text: text === '' ? '-' : escapeMentions(text) })

/** Its columns: the words above the table stay in the text, and would be said twice. */
const captionOf = ({ header }: Tabled): string =>
  escapeMentions(cut(header.filter((name) => name !== '').join(', ') || '-', MAX_CAPTION))

/** Cells of a column are numbers only together: Slack sorts a mixed column by its letters. */
function tableBlock(table: Tabled) {
  const { header, rows } = table
  const columns = header.map((_, at) => numbersBelow(table, at))
  const toCell = (text: string, at: number, row: number) => {
    const value = columns[at]?.[row]
    return value === undefined ? rawText(text) : { type: 'raw_number', value, text: escapeMentions(text) }
  }
  return {
    type: 'data_table',
    caption: captionOf(table),
    rows: [header.map(rawText), ...rows.map((cells, row) => cells.map((text, at) => toCell(text, at, row)))],
    page_size: Math.min(rows.length, MAX_PAGE),
  }
}

/** Sums by group, as bars; a chart of other numbers would say what nobody asked. */
function chartBlocks(table: Tabled): Blocks {
  const { header, rows } = table
  const [group = '', sum = ''] = header
  if (!hasSums(header) || rows.length > MAX_BARS) return []
  const values = numbersBelow(table, 1)
  const bars = rows.map(([name = ''], at) => ({ label: escapeMentions(name), value: values?.[at] ?? -1 }))
  const labels = new Set(bars.map(({ label }) => label))
  // A total among its parts would be the longest bar.
  const isFitting = bars.every(
    ({ label, value }) => label !== '' && label.length <= MAX_LABEL && value >= 0 && !SUM.test(label),
  )
  if (!isFitting || labels.size !== bars.length) return []
  const series = [{ name: cut(escapeMentions(sum), MAX_LABEL), data: bars }]
  const axes = { categories: [...labels], x_label: cut(group === '' ? '-' : escapeMentions(group), MAX_TITLE) }
  const title = cut(escapeMentions(sum), MAX_TITLE)
  return [{ type: 'data_visualization', title, chart: { type: 'bar', series, axis_config: axes } } as Blocks[number]]
}

/** Whether its table has sums by group, which are a chart as well. */
export function hasChart(markdown: string): boolean {
  const table = findTable(markdown)
  return table !== undefined && chartBlocks(table).length > 0
}

/** The text around its table, the table, and the sums by group as a chart. Undefined: it has none that fits. */
export function tableBlocks(
  markdown: string,
  renderText: (text: string) => Blocks,
  withChart: boolean,
): Blocks | undefined {
  const table = markdown.includes('|') ? findTable(markdown) : undefined
  if (table === undefined) return undefined
  const charts = withChart ? chartBlocks(table) : []
  return [...renderText(table.before), tableBlock(table), ...charts, ...renderText(table.after)]
}
