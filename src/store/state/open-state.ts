import { Keyv, type KeyvEncryptionAdapter, type KeyvStorageAdapter } from 'keyv'
import type { State } from '#bridge/port/state.ts'

interface Choices {
  /** Separates uses of one table. */
  readonly namespace: string
  readonly encryption?: KeyvEncryptionAdapter
}

/**
 * Keyv over a storage adapter. It has no listener for errors, and must get none: Keyv then throws them, and with a
 * listener returns as if the entry were not there.
 *
 * @throws {TypeError} for anything but a storage adapter: Keyv would keep the entries in memory, and lose them
 */
export function openState(storage: KeyvStorageAdapter, { namespace, encryption }: Choices): State {
  if (typeof storage !== 'object' || storage.capabilities?.expires !== true)
    throw new TypeError('A storage adapter of Keyv 6 is needed here; an address is none.')
  const keyv = new Keyv({ store: storage, namespace, encryption })
  if (keyv.store !== storage) throw new TypeError('Keyv did not take the storage adapter.')
  return {
    get: (key) => keyv.get(key),
    async set(key, value, lifetimeMs) {
      if (!(await keyv.set(key, value, lifetimeMs))) throw new Error('The state was not stored.')
    },
    delete: (key) => keyv.delete(key),
    async keys() {
      const keys: string[] = []
      for await (const [key] of storage.iterator?.() ?? []) keys.push(String(key))
      return keys
    },
  }
}
