import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rows } from './rows.ts'

const tablePath = fileURLToPath(new URL('../../../docs/conformance.md', import.meta.url))

export interface Statement {
  readonly id: string
  readonly text: string
  /** Titles of tests, `ours: ` before those that only our server is asked. */
  readonly tests: readonly string[]
}

/** The statements as docs/conformance.md has them. */
export function readTable(): readonly Statement[] {
  return readFileSync(tablePath, 'utf8')
    .split('\n')
    .flatMap((line): Statement[] => {
      const cells = /^\| (?<id>C-\d{3}) \| (?<text>.*?) \| (?<tests>.*) \|$/.exec(line)?.groups
      if (cells === undefined) return []
      const tests = (cells['tests'] ?? '').split('<br>').filter((one) => one !== '')
      return [{ id: cells['id'] ?? '', text: cells['text'] ?? '', tests }]
    })
}

/** The tests of a statement, for the table. */
export function testsOf(id: string): readonly string[] {
  return rows.filter((row) => row.ids.includes(id)).map((row) => (row.onlyOurs ? `ours: ${row.title}` : row.title))
}
