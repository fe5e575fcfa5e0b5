import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { openSqlite } from '#sql/sqlite/file.ts'
import { FILE_STEPS } from './schema.ts'

/**
 * Opens `web.sqlite` in the data folder, and makes or migrates it.
 * @throws {Error} a sentence, when the file was written by a newer version.
 */
export function openDatabase(dataDir: string): DatabaseSync {
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, 'web.sqlite')
  // FULL: an answer to the browser means that the message is on the disk.
  const pragmas = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000'
  return openSqlite(file, pragmas, {
    steps: FILE_STEPS,
    toNewerError: (version) =>
      new Error(
        `${file} was written by a newer Footbridge (schema ${version}, this one knows ${FILE_STEPS.length}). ` +
          'Start the newer version, or set DATA_DIR to another folder.',
      ),
  })
}
