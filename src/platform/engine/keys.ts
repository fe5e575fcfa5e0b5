import { createHash, randomBytes } from 'node:crypto'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Catalog, KeyRow } from './catalog/catalog.ts'

/** Keys have 256 random bits, so one plain SHA-256 is enough to keep them unreadable at rest. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Shown beside a key in lists: its form and five of its 43 characters. */
const hintLength = 8

/** A fresh key, with what is kept of it. */
export function makeKey(): { readonly key: string; readonly hash: string; readonly hint: string } {
  const key = `fb-${randomBytes(32).toString('base64url')}`
  return { key, hash: hashKey(key), hint: key.slice(0, hintLength) }
}

export interface FirstKey {
  readonly key: string
  /** Made in this very start: show it once. */
  readonly created: boolean
}

/**
 * The key that an embedded platform is reached with: given from outside, else the one kept in `platform-key` (mode
 * 0600) of the data folder, else made and kept there now.
 */
export async function readFirstKey(dataDir: string, given: string | undefined): Promise<FirstKey> {
  if (given !== undefined && given !== '') return { key: given, created: false }
  const path = join(dataDir, 'platform-key')
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  if (kept.trim() !== '') {
    await chmod(path, 0o600)
    return { key: kept.trim(), created: false }
  }
  const { key } = makeKey()
  await writeFile(path, `${key}\n`, { mode: 0o600, flush: true })
  return { key, created: true }
}

/** Who a key belongs to; undefined when it is unknown, expired or revoked. */
export async function identify(catalog: Catalog, key: string, now: number): Promise<KeyRow | undefined> {
  const row = await catalog.keys.byHash(hashKey(key))
  if (row === undefined || row.revokedAt !== null) return undefined
  return row.expiresAt !== null && row.expiresAt <= now ? undefined : row
}
