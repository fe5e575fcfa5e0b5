import { normalized } from '#lib/unicode.ts'
import { estimateTokens } from '#lib/tokens.ts'
import { createLru } from '#lib/lru.ts'
import { type Origin, type Passage, toOrigin } from '#platform/engine/api/retrieve.ts'
import { CHUNK_TOKENS } from '#platform/engine/chunk/units.ts'
import type { Catalog, CollectionRow, FileRow } from '#platform/engine/storage/catalog.ts'
import type { Blobs } from '#platform/engine/storage/types.ts'
import { decodeText } from '#platform/engine/text/decode.ts'
import { readTables, type Table } from './read-tables.ts'

/** A file and its tables. */
export interface TableSource {
  readonly file: string
  readonly origin?: Origin | undefined
  /** Place of its tables where that is not their lines: a page. */
  readonly place?: string
  readonly tables: readonly Table[]
  /** Lines of it that were found for the question, as pairs of the first and the last one. */
  readonly found?: readonly (readonly [number, number])[]
}

/** Reads the tables that may answer a question: of the files found for it, and of spreadsheets. */
export type ReadTableFiles = (
  collections: readonly CollectionRow[],
  passages: readonly Passage[],
  filename: string | undefined,
) => Promise<readonly TableSource[]>

/** Converted by `src/platform/engine/convert`; the other spreadsheets are as their programs show them. */
const WORKBOOK = /\.(?:xls[xmb]?|xlt[xm])\.md$/i
const SPREADSHEET = /\.(?:csv|tsv|xlsx|xlsm|xls|xlsb|ods|numbers)(?:\.md)?$/i
const ROWS = /^\s{0,3}\|/m
const MAX_FILES = 12
/** Bytes of one file, and of all for one question. */
const MAX_BYTES = 2 * 1024 * 1024
const MAX_TOTAL = 8 * 1024 * 1024

/** Tables, columns and cells that one question looks at. */
export const MAX_ASKED = { tables: 200, columns: 2_000, cells: 200_000 } as const

/** The tables that a question looks at: first those of which a passage was found, then the others in their order. */
export function tablesToAsk(
  sources: readonly TableSource[],
): { readonly source: TableSource; readonly table: Table }[] {
  const left: Record<keyof typeof MAX_ASKED, number> = { ...MAX_ASKED }
  const taken = new Set<Table>()
  const isFound = ({ place, found = [] }: TableSource, { rows }: Table) => {
    const [first, last] = [rows[0]?.line ?? 0, rows.at(-1)?.line ?? 0]
    return place !== undefined || found.some(([from, to]) => from <= last && to >= first)
  }
  const take = (table: Table) => {
    const columns = table.header.length
    const cells = columns * (table.rows.length + 1)
    if (left.tables < 1 || columns > left.columns || cells > left.cells) return
    left.tables -= 1
    left.columns -= columns
    left.cells -= cells
    taken.add(table)
  }
  for (const wanted of [true, false]) {
    for (const source of sources) {
      if (wanted && source.place === undefined && source.found === undefined) continue
      for (const table of source.tables) {
        if (left.tables < 1) break
        if (!taken.has(table) && (!wanted || isFound(source, table))) take(table)
      }
    }
  }
  return sources.flatMap((source) => source.tables.flatMap((table) => (taken.has(table) ? [{ source, table }] : [])))
}

const LINES = /^L(\d+)(?:-(\d+))?$/

function linesOf(file: string, passages: readonly Passage[]): (readonly [number, number])[] {
  return passages.flatMap((passage) => {
    const match = passage.file === file ? LINES.exec(passage.place) : null
    return match === null ? [] : [[Number(match[1]), Number(match[2] ?? match[1])] as const]
  })
}

/** Tables by name of the stored bytes, which never change, over all collections. */
const known = createLru<readonly Table[]>(MAX_TOTAL * 2, (tables) =>
  tables.reduce((sum, { rows }) => sum + rows.reduce((part, { raw }) => part + raw.length * 6 + 200, 0), 1_000),
)

/** Tables of a page that its passage contains whole; of a longer table it contains only a part. */
function fromPassages(passages: readonly Passage[]): TableSource[] {
  return passages.flatMap(({ file, origin, place, lead, body }) =>
    !place.startsWith('p.') || lead !== '' || !ROWS.test(body) || estimateTokens(body) > CHUNK_TOKENS.enough
      ? []
      : [{ file, origin, place, tables: readTables(body) }],
  )
}

function toCandidates(files: readonly FileRow[], passages: readonly Passage[]): FileRow[] {
  const rank = new Map(passages.filter(({ body, lead }) => ROWS.test(lead + body)).map(({ file }, at) => [file, at]))
  const rankOf = ({ name }: FileRow) => rank.get(name) ?? Number.POSITIVE_INFINITY
  const fitting = files
    .filter((file) => file.status === 'INDEXED' && file.format === 'markdown' && file.sizeBytes <= MAX_BYTES)
    .filter((file) => rank.has(file.name) || SPREADSHEET.test(file.name))
    .toSorted((one, other) => Math.sign(rankOf(one) - rankOf(other)) || other.updatedAt - one.updatedAt)
    .slice(0, MAX_FILES)
  let bytes = 0
  return fitting.filter(({ sizeBytes }) => (bytes += sizeBytes) <= MAX_TOTAL)
}

export function createTableFiles({
  catalog,
  blobs,
}: {
  readonly catalog: Catalog
  readonly blobs: Blobs
}): ReadTableFiles {
  async function tablesOf(file: FileRow): Promise<readonly Table[]> {
    const isWorkbook = WORKBOOK.test(file.name)
    const key = `${file.blob}${isWorkbook ? ' workbook' : ''}`
    const before = known.get(key)
    if (before !== undefined) return before
    const tables = readTables(decodeText(await blobs.read(file.blob)), isWorkbook)
    known.set(key, tables)
    return tables
  }
  return async (collections, passages, filename) => {
    const names = filename === undefined ? undefined : [normalized(filename, 'NFC')]
    const files = await catalog.files.among(
      collections.map(({ id }) => id),
      names,
    )
    const sources = await Promise.all(
      toCandidates(files, passages).map(async (file) => ({
        file: file.name,
        origin: toOrigin(file),
        found: linesOf(file.name, passages),
        // A file that was replaced meanwhile gives no table.
        tables: await tablesOf(file).catch((): readonly Table[] => []),
      })),
    )
    return [...sources.filter(({ tables }) => tables.length > 0), ...fromPassages(passages)]
  }
}
