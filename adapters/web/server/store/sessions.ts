import { createHash, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../../../src/bridge/port/platform.ts'

export const SESSION_MS = 30 * 24 * 60 * 60 * 1000
/** A device is remembered longer than its session, so that guesses of others cannot lock it out. */
export const DEVICE_MS = 365 * 24 * 60 * 60 * 1000

/** Cookie secrets, stored as hashes. */
export interface Sessions {
  create(): string
  valid(token: string): boolean
  end(token: string): void
  /** Remembers a device that logged in. */
  createDevice(): string
  knowsDevice(token: string): boolean
  /** Ends all sessions and forgets all devices when the password is not the one of the last start. */
  usePassword(password: string): void
}

export function createSessions(database: DatabaseSync, clock: Clock): Sessions {
  const sessions = createTokens(database, 'sessions', SESSION_MS, clock)
  const devices = createTokens(database, 'devices', DEVICE_MS, clock)
  const salted = database.prepare('SELECT salt, hash FROM password')
  const save = database.prepare('INSERT OR REPLACE INTO password (id, salt, hash) VALUES (1, ?, ?)')
  return {
    create: sessions.create,
    valid: sessions.valid,
    end: sessions.end,
    createDevice: devices.create,
    knowsDevice: devices.valid,
    usePassword(password) {
      const row = salted.get()
      const known = row && Buffer.from(row['hash'] as Uint8Array)
      if (known && timingSafeEqual(known, scryptSync(password, row['salt'] as Uint8Array, known.length))) return
      const salt = randomBytes(16)
      save.run(salt, scryptSync(password, salt, 32))
      // Sessions from before passwords were stored stay valid: the password may be the same.
      if (known) database.exec('DELETE FROM sessions; DELETE FROM devices')
    },
  }
}

function createTokens(database: DatabaseSync, table: 'sessions' | 'devices', lifeMs: number, clock: Clock) {
  const insert = database.prepare(`INSERT INTO ${table} (token_hash, expires_at) VALUES (?, ?)`)
  const one = database.prepare(`SELECT 1 FROM ${table} WHERE token_hash = ? AND expires_at > ?`)
  const end = database.prepare(`DELETE FROM ${table} WHERE token_hash = ? OR expires_at <= ?`)
  return {
    create: () => {
      const token = randomBytes(32).toString('base64url')
      insert.run(hash(token), clock() + lifeMs)
      return token
    },
    valid: (token: string) => one.get(hash(token), clock()) !== undefined,
    end: (token: string) => void end.run(hash(token), clock()),
  }
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
