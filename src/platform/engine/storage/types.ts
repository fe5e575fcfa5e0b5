import type { Blobs } from './sqlite/blobs.ts'
import type { Catalog } from './catalog.ts'
import type { IndexStore } from './sqlite/index/store.ts'
import type { PassLocks } from './pass-locks.ts'

/** Everything that must survive a restart, behind ports. */
export interface Stores {
  readonly catalog: Catalog
  readonly blobs: Blobs
  readonly index: IndexStore
  /** Name and version of the kind of index. */
  readonly indexVersion: string
  readonly locks: PassLocks
  /** Of all but the index, which goes first, so that what is being put into it ends. */
  close(): Promise<void>
}
