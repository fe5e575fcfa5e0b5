import { EngineError } from '../../errors.ts'
import { tablesRefused } from './database-errors.ts'
import { openPool } from './pool.ts'

/**
 * Connects, and looks whether tables can be made; makes none.
 *
 * @throws {EngineError} `unavailable`, a sentence with a remedy
 */
export async function tryDatabase(url: string): Promise<void> {
  const pool = await openPool(url)
  try {
    const { rows } = await pool.query<{ may: boolean | null }>(
      "SELECT has_schema_privilege(current_schema(), 'CREATE') AS may",
    )
    if (rows[0]?.may === true) return
    throw new EngineError('unavailable', tablesRefused(url))
  } finally {
    await pool.end()
  }
}
