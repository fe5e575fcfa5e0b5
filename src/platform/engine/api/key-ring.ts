import { join } from 'node:path'
import type { Catalog, KeyRow, NewUser, Quota } from '../storage/catalog.ts'
import { EngineError } from '../errors.ts'
import { makeKey, readHolder } from './keys.ts'
import { userName } from './names.ts'
import type { EngineClock } from '../types.ts'
import { quotaOf, toWindows } from './quotas.ts'
import { openCatalogBeside } from '../storage/open-storage.ts'

export interface KeyOrder {
  /** Made when there is none of that name. */
  readonly user: string
  /** Of a user who is made now. */
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
    throw new EngineError(
      'conflict',
      `The user ${name} is there already: e-mail and name go with a new user only.`,
    )
  }
  const { email = `${name}@localhost`, firstName = name, surname = '' } = about ?? {}
  const made = await catalog.users.add({ name: userName(name), email, firstName, surname }, now)
  if (made === undefined) throw new EngineError('conflict', `The user ${name} was made meanwhile: try again.`)
  return made
}
