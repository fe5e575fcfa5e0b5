import { existsSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { createStatements, schemaVersion, transaction } from '#sql/sqlite/file.ts'
import type { Statements } from './lists/segments.ts'

/**
 * Version of the index file. A file of another version is deleted on opening and made again from the stored files; its
 * collection counts as not indexed.
 */
const INDEX_VERSION = 1

/** The first and the last connection of a file lock it for a moment. */
const BUSY_MS = 5_000

/** The chunks that hold a term, by segments of chunks: `lists/segments.ts`. */
const LISTS = `
  CREATE TABLE segment (
    first INTEGER PRIMARY KEY,
    last INTEGER NOT NULL,
    chunks INTEGER NOT NULL,
    dead INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE posting (
    segment INTEGER NOT NULL,
    term TEXT NOT NULL,
    found INTEGER NOT NULL,
    list BLOB NOT NULL,
    PRIMARY KEY (segment, term)
  ) STRICT, WITHOUT ROWID;`

// `lengths`: the terms of each chunk's body, two bytes a chunk from `first_chunk` on.
const SCHEMA = `
  CREATE TABLE file (
    id INTEGER PRIMARY KEY,
    revision INTEGER NOT NULL,
    name TEXT NOT NULL,
    language TEXT NOT NULL,
    chunks INTEGER NOT NULL,
    terms INTEGER NOT NULL,
    first_chunk INTEGER NOT NULL,
    lengths BLOB NOT NULL,
    analyser INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE chunk (
    id INTEGER PRIMARY KEY,
    file_id INTEGER NOT NULL,
    body TEXT NOT NULL,
    lead TEXT NOT NULL,
    headings TEXT NOT NULL,
    page INTEGER,
    line_from INTEGER NOT NULL,
    line_to INTEGER NOT NULL,
    start_at INTEGER NOT NULL,
    end_at INTEGER NOT NULL,
    terms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE vector (chunk_id INTEGER PRIMARY KEY, file_id INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
  CREATE INDEX vector_file ON vector (file_id);
  CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE INDEX chunk_file ON chunk (file_id);
  ${LISTS}
  PRAGMA user_version = ${INDEX_VERSION};`

/** Connection of the writing thread, one transaction a file. */
export interface IndexWriter {
  readonly writer: DatabaseSync
  /** Cached prepared statements. */
  readonly write: Statements
  close(): void
}

/** Connection of the searching thread, which sees whole files only. */
export interface IndexReader {
  /** Cached prepared statements. */
  read(sql: string): StatementSync
  /** Runs `work` on one state of the index; `version` changes with each change of it. */
  atOnce<Result>(work: (version: number) => Result): Result
  close(): void
}

/** Opens the index file; creates it when missing. `stale`: it is of another version and must be deleted. */
export function openIndexWriter(path: string): IndexWriter | 'stale' {
  const writer = new DatabaseSync(path, { timeout: BUSY_MS })
  writer.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8000')
  // Without a limit the write-ahead log keeps the size of the largest transaction.
  writer.exec('PRAGMA journal_size_limit = 8388608')
  const version = schemaVersion(writer)
  if (version === 0) writer.exec(`BEGIN; ${SCHEMA} COMMIT`)
  else if (version !== INDEX_VERSION) {
    writer.close()
    return 'stale'
  }
  return { writer, write: createStatements(writer), close: () => writer.close() }
}

/** Opens the index file for questions; undefined while it is missing or of another version. */
export function openIndexReader(path: string): IndexReader | undefined {
  if (!existsSync(path)) return undefined
  const reader = new DatabaseSync(path, { timeout: BUSY_MS })
  // Pages are memory-mapped; a page cache would hold them twice, for every open collection.
  reader.exec('PRAGMA query_only = ON; PRAGMA cache_size = -500; PRAGMA mmap_size = 268435456')
  const version = schemaVersion(reader)
  if (version !== INDEX_VERSION) {
    reader.close()
    return undefined
  }
  const read = createStatements(reader)
  return {
    read,
    atOnce: (work) =>
      // A read transaction: the writing thread may commit between two statements.
      transaction(reader, () => work(Number(read('PRAGMA data_version').get()?.['data_version'])), 'DEFERRED'),
    close: () => reader.close(),
  }
}
