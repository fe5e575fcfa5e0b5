import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { EngineError } from '../errors.ts'
import type { Catalog, KeyRow, NewUser, Quota } from '../storage/catalog.ts'
import { openCatalogBeside } from '../storage/open-storage.ts'
import type { EngineClock } from '../types.ts'
import { quotaOf, toWindows } from './quotas.ts'

/** It stands before the slash of a collection's id, in paths and in lists. */
const USER_NAME = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/i

/** @throws {EngineError} `invalid` */
function userName(name: string): string {
  if (USER_NAME.test(name)) return name
  throw new EngineError(
    'invalid',
    'A user name has 1 to 64 letters, digits, dots, hyphens and underscores, and begins and ends with a letter or digit.',
  )
}

/** Keys have 256 random bits, so one plain SHA-256 is enough to keep them unreadable at rest. */
function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Shown beside a key in lists: its form and five of its 43 characters. */
const HINT_LENGTH = 8

/** A fresh key, with what is kept of it. */
function makeKey(): { readonly key: string; readonly hash: string; readonly hint: string } {
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

/** Id of this data folder among those that share a catalog; empty before its first start. */
const readHolder = (dataDir: string) => readKept(holderPath(dataDir))

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

/** The owner of a key; undefined when it is unknown, expired or revoked. */
export async function identify(catalog: Catalog, key: string, now: number): Promise<KeyRow | undefined> {
  const row = await catalog.keys.byHash(hashKey(key))
  if (row === undefined || row.revokedAt !== null) return undefined
  return row.expiresAt !== null && row.expiresAt <= now ? undefined : row
}

export interface KeyOrder {
  /** Made when there is none of that name. */
  readonly user: string
  /** Only with a user who is made now. */
  readonly about?: Partial<Pick<NewUser, 'email' | 'firstName' | 'surname'>>
  readonly label: string
  /** Milliseconds since the epoch; null: never. */
  readonly expiresAt: number | null
  readonly quota?: Quota
}

export interface ListedKey {
  readonly row: KeyRow
  readonly state: 'active' | 'expired' | 'revoked'
  readonly quota: Quota
  readonly usedThisMonth: number
}

/**
 * The keys of a platform, for whoever runs the platform. It may run meanwhile, in another process: each change is
 * one transaction on the same database, and the next request sees it.
 */
export interface KeyRing {
  /** `key` is nowhere else: show it. @throws {EngineError} `invalid`, `conflict` */
  add(order: KeyOrder): Promise<{ readonly key: string; readonly listed: ListedKey }>
  list(): Promise<readonly ListedKey[]>
  /** Null: never. @throws {EngineError} `not-found`, `conflict` (first key, revoked key) */
  expire(id: number, at: number | null): Promise<ListedKey>
  /** For good. @throws {EngineError} `not-found`, `conflict` (first key) */
  revoke(id: number): Promise<ListedKey>
  /** Undefined: the default. @throws {EngineError} `not-found` */
  limit(id: number, quota: Quota | undefined): Promise<ListedKey>
  close(): Promise<void>
}

/**
 * @param databaseUrl where the keys are, in place of the data folder
 * @throws {EngineError} `conflict` when a running process is of another version, `unavailable` when the database is away
 */
export async function openKeyRing(
  dataDir: string,
  clock: EngineClock = Date.now,
  databaseUrl?: string,
): Promise<KeyRing> {
  const catalog = await openCatalogBeside({ folder: join(dataDir, 'platform'), databaseUrl })

  async function toListed(row: KeyRow): Promise<ListedKey> {
    const now = clock()
    const quota = quotaOf(row)
    const used = await catalog.quotas.used(row.id, toWindows(quota, now))
    const isExpired = row.expiresAt !== null && row.expiresAt <= now
    const state = row.revokedAt !== null ? 'revoked' : isExpired ? 'expired' : 'active'
    return { row, state, quota, usedThisMonth: used.at(-1) ?? 0 }
  }

  async function requireKey(id: number): Promise<KeyRow> {
    const row = await catalog.keys.get(id)
    if (row !== undefined) return row
    throw new EngineError('not-found', `There is no key ${id}: the list shows which there are.`)
  }

  /** The first key is the one that the running process itself comes in with. */
  async function requireOther(id: number): Promise<KeyRow> {
    const row = await requireKey(id)
    // On a shared database one of another data folder, whose machine may be gone, can be ended from here.
    if (!row.isFirst || (row.holder !== null && row.holder !== (await readHolder(dataDir)))) return row
    throw new EngineError(
      'conflict',
      `Key ${id} is the first key, which Footbridge itself uses: to change it, delete the file platform-key in the ` +
        'data folder (or set another PLATFORM_API_KEY) and restart.',
    )
  }

  const again = async (id: number) => toListed(await requireKey(id))

  return {
    async add({ user, about, label, expiresAt, quota }) {
      const owner = await findUser(catalog, user, about, clock())
      const { key, hash, hint } = makeKey()
      const row = await catalog.keys.add(owner.id, { hash, hint, label, expiresAt, quota }, clock())
      return { key, listed: await toListed(row) }
    },
    async list() {
      return Promise.all((await catalog.keys.list()).map(toListed))
    },
    async expire(id, at) {
      const row = await requireOther(id)
      if (row.revokedAt !== null) {
        throw new EngineError('conflict', `Key ${id} was revoked, for good: add another one.`)
      }
      await catalog.keys.setExpiry(id, at)
      return again(id)
    },
    async revoke(id) {
      await requireOther(id)
      await catalog.keys.revoke(id, clock())
      return again(id)
    },
    async limit(id, quota) {
      await requireKey(id)
      await catalog.keys.setQuota(id, quota)
      return again(id)
    },
    close: () => catalog.close(),
  }
}

async function findUser(catalog: Catalog, name: string, about: KeyOrder['about'], now: number) {
  const known = await catalog.users.get(name)
  if (known !== undefined) {
    if (about === undefined) return known
    throw new EngineError('conflict', `The user ${name} is there already: e-mail and name go with a new user only.`)
  }
  const { email = `${name}@localhost`, firstName = name, surname = '' } = about ?? {}
  const made = await catalog.users.add({ name: userName(name), email, firstName, surname }, now)
  if (made === undefined) throw new EngineError('conflict', `The user ${name} was made meanwhile: try again.`)
  return made
}
