import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Catalog, KeyRow } from '../storage/catalog.ts'
import { EngineError } from '../errors.ts'

/** Keys have 256 random bits, so one plain SHA-256 is enough to keep them unreadable at rest. */
function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Shown beside a key in lists: its form and five of its 43 characters. */
const HINT_LENGTH = 8

/** A fresh key, with what is kept of it. */
export function makeKey(): { readonly key: string; readonly hash: string; readonly hint: string } {
  const key = `fb-${randomBytes(32).toString('base64url')}`
  return { key, hash: hashKey(key), hint: key.slice(0, HINT_LENGTH) }
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
async function readFirstKey(dataDir: string, given: string | undefined): Promise<FirstKey> {
  if (given !== undefined && given !== '') return { key: given, created: false }
  const path = join(dataDir, 'platform-key')
  const kept = await readKept(path)
  if (kept !== '') {
    await chmod(path, 0o600)
    return { key: kept, created: false }
  }
  const { key } = makeKey()
  await writeFile(path, `${key}\n`, { mode: 0o600, flush: true })
  return { key, created: true }
}

/** Empty when there is no such file. */
async function readKept(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text.trim()
}

const holderPath = (dataDir: string) => join(dataDir, 'platform', 'holder')

/** What tells this data folder from others that share a catalog with it; empty before its first start. */
export const readHolder = (dataDir: string) => readKept(holderPath(dataDir))

async function settleHolder(dataDir: string): Promise<string> {
  const kept = await readHolder(dataDir)
  if (kept !== '') return kept
  const holder = randomUUID()
  await writeFile(holderPath(dataDir), `${holder}\n`, { mode: 0o600, flush: true })
  return holder
}

/**
 * Makes the first key of this data folder good.
 *
 * @throws {EngineError} `conflict` when it was revoked: from another data folder, which shares the catalog
 */
export async function settleFirstKey(
  catalog: Catalog,
  dataDir: string,
  given: string | undefined,
  now: number,
): Promise<FirstKey> {
  const firstKey = await readFirstKey(dataDir, given)
  const user = await catalog.users.first(now)
  const holder = await settleHolder(dataDir)
  await catalog.keys.setFirst(user.id, { hash: hashKey(firstKey.key), holder, machine: hostname() }, now)
  if ((await identify(catalog, firstKey.key, now)) !== undefined) return firstKey
  throw new EngineError(
    'conflict',
    'The first key of this data folder was revoked: delete the file platform-key in it (or set another ' +
      'PLATFORM_API_KEY) and start again.',
  )
}

/** Who a key belongs to; undefined when it is unknown, expired or revoked. */
export async function identify(catalog: Catalog, key: string, now: number): Promise<KeyRow | undefined> {
  const row = await catalog.keys.byHash(hashKey(key))
  if (row === undefined || row.revokedAt !== null) return undefined
  return row.expiresAt !== null && row.expiresAt <= now ? undefined : row
}
