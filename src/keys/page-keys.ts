import type { ApiKeys } from '#bridge/port/api-keys.ts'
import type { KeyRing } from '#platform/engine/api/keys.ts'

/** The owner of the keys that are made at the page: its collections are not those of channels. */
const OWNER = 'web-page'
const MAX_KEYS = 20
const LIFETIME_MS = 365 * 86_400_000

/** Keys of one user of the platform, for the settings of the page. */
export function createPageKeys(
  ring: Pick<KeyRing, 'add' | 'list' | 'revoke'>,
  clock: () => number = Date.now,
): ApiKeys {
  const own = async () =>
    (await ring.list()).filter(({ row, state }) => row.user.name === OWNER && state === 'active').map(({ row }) => row)
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
    async make(wanted) {
      const name = wanted.trim()
      const rows = await own()
      const isTaken = rows.some(({ label }) => label.toLowerCase() === name.toLowerCase())
      if (name === '' || isTaken || rows.length >= MAX_KEYS) return undefined
      const { key } = await ring.add({ user: OWNER, label: name, expiresAt: clock() + LIFETIME_MS })
      return key
    },
    async revoke(id) {
      if (!(await own()).some((row) => row.id === id)) return false
      await ring.revoke(id)
      return true
    },
    async revokeAll() {
      await Promise.all((await own()).map(({ id }) => ring.revoke(id)))
    },
  }
}
