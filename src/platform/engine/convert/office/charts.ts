import { toMarkdownTable } from '../markdown/table.ts'
import { child, descendants, elements, textOf, type XmlElement } from './xml.ts'

/** Points of a series by their index. */
function pointsOf(series: XmlElement, ...names: readonly string[]): Map<number, string> {
  const part = elements(series).find(({ name }) => names.includes(name))
  return new Map(
    (part === undefined ? [] : descendants(part, 'pt')).map((point) => [
      Number(point.attributes['idx'] ?? 0),
      descendants(point, 'v').map(textOf).join(' ').trim(),
    ]),
  )
}

/** A chart: its titles, and a table with a row for each category and a column for each series. */
export function chartToMarkdown(root: XmlElement): string {
  const titles = descendants(root, 'title').map((title) => textOf(title).replace(/\s+/g, ' ').trim())
  const series = descendants(root, 'ser').map((one) => ({
    name: descendants(child(one, 'tx'), 'v').map(textOf).join(' ').trim(),
    categories: pointsOf(one, 'cat', 'xVal'),
    values: pointsOf(one, 'val', 'yVal'),
  }))
  const categories = series[0]?.categories ?? new Map<number, string>()
  const indexes = [...new Set(series.flatMap(({ values }) => [...values.keys()]))].toSorted((one, other) => one - other)
  const rows = indexes.map((index) => [
    categories.get(index) ?? String(index + 1),
    ...series.map(({ values }) => values.get(index) ?? ''),
  ])
  const table = rows.length === 0 ? '' : toMarkdownTable([['', ...series.map(({ name }) => name)], ...rows])
  return [...titles, table].filter((part) => part !== '').join('\n\n')
}
