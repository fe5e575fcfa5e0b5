import { readTables } from '#platform/engine/answer/tables/read-tables.ts'

/** A markdown table of rows whose cells have `;` between them; the first row is the header. */
export function toMarkdown(...rows: readonly string[]): string {
  const [head = '', ...others] = rows.map((row) => `| ${row.split(';').join(' | ')} |`)
  return [head, `|${' --- |'.repeat(head.split('|').length - 2)}`, ...others, ''].join('\n')
}

export const toTable = (...rows: readonly string[]) => readTables(toMarkdown(...rows))
