import { createHash, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import type { Clock } from '#bridge/port/platform.ts'
import type { Sql } from '#sql/sql.ts'

export const SESSION_MS = 30 * 24 * 60 * 60 * 1000
/** A device is remembered longer than its session, so that guesses of others cannot lock it out. */
export const DEVICE_MS = 365 * 24 * 60 * 60 * 1000

/** Cookie secrets, stored as hashes. */
export interface Sessions {
  create(): Promise<string>
  valid(token: string): Promise<boolean>
  end(token: string): Promise<void>
  /** Remembers a device that logged in. */
  createDevice(): Promise<string>
  knowsDevice(token: string): Promise<boolean>
  /**
   * Ends all sessions and forgets all devices when the password is not the one of the last start.
   * @param onChange ends what else the old one opened, before the new one is stored: a crash leaves nothing open
   */
  usePassword(password: string, onChange: () => Promise<void>): Promise<void>
}

export function createSessions(sql: Sql, clock: Clock): Sessions {
  const sessions = createTokens(sql, 'sessions', SESSION_MS, clock)
  const devices = createTokens(sql, 'devices', DEVICE_MS, clock)
  return {
    create: () => sessions.create(),
    valid: (token) => sessions.valid(token),
    end: sessions.end,
    createDevice: () => devices.create(),
    knowsDevice: (token) => devices.valid(token),
    async usePassword(password, onChange) {
      const row = await sql.get('SELECT salt, hash FROM password')
      const known = row && Buffer.from(row['hash'] as Uint8Array)
      if (known && timingSafeEqual(known, scryptSync(password, row['salt'] as Uint8Array, known.length))) return
      await onChange()
      const salt = randomBytes(16)
      await sql.write(
        [
          `INSERT INTO password (id, salt, hash) VALUES (1, ?, ?)
           ON CONFLICT (id) DO UPDATE SET salt = excluded.salt, hash = excluded.hash`,
          salt,
          scryptSync(password, salt, 32),
        ],
        // Sessions from before passwords were stored stay valid: the password may be the same.
        ...(known ? ([['DELETE FROM sessions'], ['DELETE FROM devices']] as const) : []),
      )
    },
  }
}

function createTokens(sql: Sql, table: 'sessions' | 'devices', lifeMs: number, clock: Clock) {
  return {
    async create() {
      const token = randomBytes(32).toString('base64url')
      await sql.write([`INSERT INTO ${table} (token_hash, expires_at) VALUES (?, ?)`, hash(token), clock() + lifeMs])
      return token
    },
    async valid(token: string) {
      const live = `SELECT 1 FROM ${table} WHERE token_hash = ? AND expires_at > ?`
      return (await sql.get(live, hash(token), clock())) !== undefined
    },
    end: (token: string) =>
      sql.write([`DELETE FROM ${table} WHERE token_hash = ? OR expires_at <= ?`, hash(token), clock()]),
  }
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
