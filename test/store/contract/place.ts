import type { SharedStore } from '#store/postgres/open-store.ts'
import type { OpenStore } from '#store/store.ts'

/** A store under the contract suite, empty at the beginning of each test. */
export interface StorePlace {
  readonly store: OpenStore | SharedStore
  /** Closes it and opens it on the same data. */
  reopen(): Promise<void>
  /** The same, and takes up what was running. */
  crash(): Promise<void>
}

/** @param open on the same data each time */
export function createPlace(
  open: () => Promise<OpenStore | SharedStore>,
): StorePlace & { begin(): Promise<void>; end(): Promise<void> } {
  let store: OpenStore | SharedStore | undefined
  const place = {
    get store() {
      if (store === undefined) throw new Error('the store is not open')
      return store
    },
    async begin() {
      store ??= await open()
    },
    async end() {
      await store?.close()
      store = undefined
    },
    async reopen() {
      await place.end()
      await place.begin()
    },
    async crash() {
      await place.reopen()
      await place.store.inbox.recover(0)
    },
  }
  return place
}
