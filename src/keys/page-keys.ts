import type { ApiKeys } from '#bridge/port/api-keys.ts'
import { createKeyedMutex } from '#lib/keyed-mutex.ts'
import { AGENT_TOOLS } from '#platform/engine/api/keys.ts'
import type { Engine } from '#platform/engine/engine.ts'
import { LIMITS } from '#platform/wire/limits.ts'
import { toCollectionId } from '#platform/wire/names.ts'

/** The owner of the keys that are made at the page: its collections are not those of channels. */
const OWNER = 'web-page'
const MAX_KEYS = 20
const LIFETIME_MS = 365 * 86_400_000

/** Keys of one user of the platform, for the settings of the page. */
export function createPageKeys(
  { keys: ring, collections }: Pick<Engine, 'keys' | 'collections'>,
  clock: () => number = Date.now,
): ApiKeys {
  const oneAtATime = createKeyedMutex()
  const own = async () => (await ring.list(OWNER)).filter(({ state }) => state === 'active').map(({ row }) => row)
  return {
    async list() {
      const rows = await own()
      return rows.map(({ id, label: name, hint, createdAt, expiresAt, scope }) => ({
        id,
        name,
        hint,
        createdAt,
        ...(expiresAt !== null && { expiresAt }),
        ...(scope && { scope }),
      }))
    },
    async choices() {
      const [first] = await ring.list(OWNER)
      // The owner is there from its first key on.
      const rows = first === undefined ? [] : await collections.rows(first.row.user)
      return { tools: AGENT_TOOLS, collections: rows.map(({ ownerName, name }) => toCollectionId(ownerName, name)) }
    },
    make: async (wanted, scope) =>
      oneAtATime(OWNER, async () => {
        const name = wanted.trim()
        const rows = await own()
        const isTaken = rows.some(({ label }) => label.toLowerCase() === name.toLowerCase())
        if (name === '' || isTaken || rows.length >= MAX_KEYS) return undefined
        // A key of its own for each request would be no limit: all of them together have what one has.
        const order = { user: OWNER, label: name, expiresAt: clock() + LIFETIME_MS, together: LIMITS.quota, scope }
        return (await ring.add(order)).key
      }),
    async revoke(id) {
      if (!(await own()).some((row) => row.id === id)) return false
      await ring.revoke(id)
      return true
    },
    async revokeAll() {
      const rows = await own()
      await Promise.all(rows.map(({ id }) => ring.revoke(id)))
      return rows.length
    },
  }
}
