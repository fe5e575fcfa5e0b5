import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Rows of every table; counts of requests are not part of people's data. */
function readTables(path: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const tables = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name")
      .all()
      .map((row) => String(row['name']))
      .filter((name) => name !== 'fb_quota_count')
    return tables.flatMap((name) => [
      `table ${name}`,
      ...database
        .prepare(`SELECT * FROM "${name}"`)
        .all()
        .map((row) => JSON.stringify(row))
        .toSorted(),
    ])
  } finally {
    database.close()
  }
}

/** A digest of everything that the platform keeps: rows of its databases, names and bytes of all other files. */
export async function digestStore(dataDir: string): Promise<string> {
  const hash = createHash('sha256')
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  for (const path of paths.toSorted()) {
    if (/\.sqlite-(wal|shm|journal)$|lock\.sqlite/.test(path)) continue
    hash.update(`${relative(dataDir, path)}\n`)
    hash.update(path.endsWith('.sqlite') ? readTables(path).join('\n') : await readFile(path))
  }
  return hash.digest('hex')
}
