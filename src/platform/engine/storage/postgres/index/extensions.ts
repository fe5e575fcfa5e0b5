import type { Pool } from 'pg'
import { errorText } from '../../../errors.ts'
import type { EngineLog } from '../../../types.ts'
import { transaction } from '../pool.ts'

/** Any number that stays the same: processes that start at once take turns by it. */
const EXTENSION_LOCK = 0x66_62_65_78

/** Runs it while no other process does the like. */
export function inTurn(pool: Pool, sql: string): Promise<void> {
  return transaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [EXTENSION_LOCK])
    await client.query(sql)
  })
}

interface Extension {
  readonly name: string
  /** What it must be able to do. */
  readonly proof: string
}

/**
 * Whether an extension is in this database and works; it is added where the server has it and the user may. Said once in
 * the log, whichever way it is.
 */
export async function hasExtension(pool: Pool, log: EngineLog, { name, proof }: Extension): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT 1 FROM pg_available_extensions WHERE name = $1', [name])
  if (rowCount === 0) {
    log.debug({ extension: name }, 'the server does not have this extension')
    return false
  }
  try {
    await inTurn(pool, `CREATE EXTENSION IF NOT EXISTS ${name}; ${proof}`)
    log.info({ extension: name }, 'the index uses this extension of the server')
    return true
  } catch (error) {
    log.warn(
      { extension: name, reason: errorText(error) },
      'the server has this extension, but it cannot be used',
    )
    return false
  }
}
