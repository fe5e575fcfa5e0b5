import { createHash, randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../../../src/bridge/port/platform.ts'

export const SESSION_MS = 30 * 24 * 60 * 60 * 1000

export interface Sessions {
  /** A new secret for the cookie; only its hash is kept. */
  create(): string
  valid(token: string): boolean
  end(token: string): void
}

export function createSessions(database: DatabaseSync, clock: Clock): Sessions {
  const insert = database.prepare('INSERT INTO sessions (token_hash, expires_at) VALUES (?, ?)')
  const one = database.prepare('SELECT 1 FROM sessions WHERE token_hash = ? AND expires_at > ?')
  const end = database.prepare('DELETE FROM sessions WHERE token_hash = ? OR expires_at <= ?')
  return {
    create() {
      const token = randomBytes(32).toString('base64url')
      insert.run(hash(token), clock() + SESSION_MS)
      return token
    },
    valid: (token) => one.get(hash(token), clock()) !== undefined,
    end: (token) => void end.run(hash(token), clock()),
  }
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
