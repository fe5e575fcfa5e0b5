import type { Budgets } from '../channels/budgets.ts'
import type { ChannelMap } from '../channels/channel-map.ts'
import type { Models } from '../channels/models.ts'
import type { Adapter } from '../port/adapter.ts'
import type { Clock, Platform } from '../port/platform.ts'
import type { FileRecord } from '../port/records.ts'
import type { Store } from '../port/store.ts'
import type { IndexPass } from './collection/index-pass.ts'
import type { CollectionWatch } from './collection/missing-collection.ts'
import type { FileLock } from './file-lock.ts'
import type { Receipts } from './receipt/receipts.ts'

/** Made once by `createFiles`; a function names those that it uses. */
export interface FileServices {
  readonly store: Store
  /** The platform for background work, which leaves the last of the quota to questions. */
  readonly platform: Platform
  readonly channels: ChannelMap
  readonly models: Models
  readonly budgets: Budgets
  readonly indexPass: IndexPass
  readonly watch: CollectionWatch
  readonly receipts: Receipts
  readonly lock: FileLock
  /** Undefined: that chat service is not connected. */
  readonly adapterOf: (name: string) => Adapter | undefined
  readonly clock: Clock
  readonly maxFileBytes: number
  /** Text of a file on the platform, with spaces for line breaks. */
  readonly textOf: (file: Pick<FileRecord, 'collection' | 'fileName'>) => Promise<string | undefined>
  /** Names of the files in the reference block of an answer. */
  readonly filesCited: (answer: string) => readonly string[]
}
