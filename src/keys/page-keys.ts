import type { ApiKeys } from '#bridge/port/api-keys.ts'
import { createKeyedMutex } from '#lib/keyed-mutex.ts'
import type { KeyRing } from '#platform/engine/api/keys.ts'
import { LIMITS } from '#platform/wire/limits.ts'

/** The owner of the keys that are made at the page: its collections are not those of channels. */
const OWNER = 'web-page'
const MAX_KEYS = 20
const LIFETIME_MS = 365 * 86_400_000

/** Keys of one user of the platform, for the settings of the page. */
export function createPageKeys(
  ring: Pick<KeyRing, 'add' | 'list' | 'revoke'>,
  clock: () => number = Date.now,
): ApiKeys {
  const oneAtATime = createKeyedMutex()
  const own = async () => (await ring.list(OWNER)).filter(({ state }) => state === 'active').map(({ row }) => row)
  return {
    async list() {
      const rows = await own()
      return rows.map(({ id, label: name, hint, createdAt, expiresAt }) => ({
        id,
        name,
        hint,
        createdAt,
        ...(expiresAt !== null && { expiresAt }),
      }))
    },
    make: async (wanted) =>
      oneAtATime(OWNER, async () => {
        const name = wanted.trim()
        const rows = await own()
        const isTaken = rows.some(({ label }) => label.toLowerCase() === name.toLowerCase())
        if (name === '' || isTaken || rows.length >= MAX_KEYS) return undefined
        // A key of its own for each request would be no limit: all of them together have what one has.
        const order = { user: OWNER, label: name, expiresAt: clock() + LIFETIME_MS, together: LIMITS.quota }
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
