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

const wordsOf = (element: XmlElement | undefined) => textOf(element).replace(/\s+/g, ' ').trim()

/** Points of one dimension of a chart of Office 2016, by their index; of several levels the innermost. */
const dimensionOf = (data: XmlElement, name: string): Map<number, string> =>
  new Map(
    elements(child(data, name, 'lvl'), 'pt').map((point) => [Number(point.attributes['idx'] ?? 0), wordsOf(point)]),
  )

/** Charts of Office 2016, such as waterfalls and treemaps: a table for the data of each series. */
function newChartTables(root: XmlElement): string[] {
  const names = new Map(
    descendants(root, 'series').map((series) => [
      child(series, 'dataId')?.attributes['val'],
      wordsOf(descendants(child(series, 'tx'), 'v')[0]),
    ]),
  )
  return descendants(root, 'data').map((data) => {
    const [categories, values] = [dimensionOf(data, 'strDim'), dimensionOf(data, 'numDim')]
    const indexes = [...new Set([...categories.keys(), ...values.keys()])]
    const rows = indexes.map((index) => [categories.get(index) ?? '', values.get(index) ?? ''])
    return rows.length === 0 ? '' : toMarkdownTable([['', names.get(data.attributes['id']) ?? ''], ...rows])
  })
}

/** A chart: its titles, and a table with a row for each category and a column for each series. */
export function chartToMarkdown(root: XmlElement): string {
  const titles = descendants(root, 'title').map(wordsOf)
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
  return [...titles, table, ...newChartTables(root)].filter((part) => part !== '').join('\n\n')
}
