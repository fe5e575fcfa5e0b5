/**
 * The engine's memory of users, keys, collections and files: a port, so that another database can stand behind it.
 * Times are milliseconds since the epoch.
 */
export interface UserRow {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly firstName: string
  readonly surname: string
  readonly createdAt: number
}

/** Requests a window; absent: no limit of that window. */
export interface Quota {
  readonly minute?: number
  readonly hour?: number
  readonly day?: number
  readonly month?: number
}

export interface KeyRow {
  readonly id: number
  readonly user: UserRow
  readonly isFirst: boolean
  /** Id of the data folder whose first key it is, where several share the catalog. */
  readonly holder: string | null
  /** Purpose, in the words of the person who made it. */
  readonly label: string
  /** Its first characters: enough to tell keys apart, not to use one. Empty where they were never kept. */
  readonly hint: string
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  /** Undefined: the default quota. */
  readonly quota: Quota | undefined
}

export type NewUser = Omit<UserRow, 'id' | 'createdAt'>

/** Owner of the first key, and so of all collections of an embedded platform. */
export const FIRST_USER: NewUser = {
  name: 'local',
  email: 'local@localhost',
  firstName: 'Local',
  surname: 'User',
}

export interface NewFirstKey {
  readonly hash: string
  /** The data folder whose first key it is; where several processes share a catalog, each has its own. */
  readonly holder: string
  /** Name of its machine, for people. */
  readonly machine: string
}

export interface NewKey {
  readonly hash: string
  readonly hint: string
  readonly label: string
  readonly expiresAt: number | null
  readonly quota: Quota | undefined
}

/** Readers of a collection beside its owner. */
export interface Sharing {
  readonly visibility: 'private' | 'public'
  readonly userIds: readonly number[]
}

export interface CollectionRow {
  readonly id: number
  readonly ownerId: number
  readonly ownerName: string
  readonly name: string
  /** Name of its index: generated, never reused, so that a collection made anew starts empty. */
  readonly indexName: string
  readonly visibility: 'private' | 'public'
  readonly createdAt: number
  readonly updatedAt: number
  /** End of the last pass. */
  readonly indexedAt: number | null
  /** Start of a pass that has not ended: it runs, failed, or died with its process. */
  readonly passStartedAt: number | null
  readonly fileCount: number
  readonly sizeBytes: number
  readonly filesIndexed: number
  readonly filesFailed: number
  readonly chunks: number
  /** Reason of one failed file. */
  readonly firstError: string | null
}

export type FileFormat = 'pdf' | 'text' | 'markdown'
export type FileStatus = 'INDEXED' | 'NOT_INDEXED' | 'ERROR'

export interface FileRow {
  readonly id: number
  readonly collectionId: number
  readonly name: string
  readonly format: FileFormat
  /** Name of its bytes. */
  readonly blob: string
  readonly sizeBytes: number
  readonly sha256: string
  /** Counts the replacements: chunks of an older revision are never retrieved. */
  readonly revision: number
  /** The file that this one was derived from; they come and go together. */
  readonly sourceId: number | null
  /** Null until the first pass. */
  readonly status: FileStatus | null
  readonly chunks: number
  readonly error: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

export type NewFile = Pick<FileRow, 'name' | 'format' | 'blob' | 'sizeBytes' | 'sha256' | 'sourceId'>

/** A file and its bytes. */
export type StoredFile = Pick<FileRow, 'id' | 'blob'>

export interface Users {
  /** The user who owns the first key; made when missing. */
  first(now: number): Promise<UserRow>
  get(name: string): Promise<UserRow | undefined>
  /** Undefined when there is one of that name. */
  add(user: NewUser, now: number): Promise<UserRow | undefined>
  counts(userId: number): Promise<{ readonly collections: number; readonly files: number }>
}

export interface Keys {
  /** Makes it the one first key of its holder, in place of an earlier one. */
  setFirst(userId: number, key: NewFirstKey, now: number): Promise<void>
  byHash(hash: string): Promise<KeyRow | undefined>
  get(id: number): Promise<KeyRow | undefined>
  /** All of them, oldest first. */
  list(): Promise<readonly KeyRow[]>
  add(userId: number, key: NewKey, now: number): Promise<KeyRow>
  /** Null: never. */
  setExpiry(id: number, at: number | null): Promise<void>
  /** For good; the time of the first call stays. */
  revoke(id: number, now: number): Promise<void>
  setQuota(id: number, quota: Quota | undefined): Promise<void>
}

export interface Collections {
  /** Undefined when the owner has one of that name. */
  create(ownerId: number, name: string, indexName: string, now: number): Promise<CollectionRow | undefined>
  get(ownerId: number, name: string): Promise<CollectionRow | undefined>
  list(ownerId: number): Promise<readonly CollectionRow[]>
  /** Collections of others that name this user as a reader. */
  sharedWith(userId: number): Promise<readonly CollectionRow[]>
  /** With its files; their bytes belong to nothing then. */
  remove(id: number): Promise<readonly StoredFile[]>
  /** Names of the users it is shared with. */
  readers(id: number): Promise<readonly string[]>
  setSharing(id: number, sharing: Sharing, now: number): Promise<void>
  passStarted(id: number, now: number): Promise<void>
  passEnded(id: number, now: number): Promise<void>
}

export interface Files {
  list(collectionId: number): Promise<readonly FileRow[]>
  get(collectionId: number, name: string): Promise<FileRow | undefined>
  /** Files of these ids; missing ones are left out. */
  byIds(ids: readonly number[]): Promise<readonly FileRow[]>
  /** Undefined when there is one of that name, or when the collection or the source is gone. */
  add(collectionId: number, file: NewFile, now: number): Promise<FileRow | undefined>
  /** Undefined when there is none of that name. Raises the revision and takes the file out of the index. */
  replace(
    collectionId: number,
    file: Omit<NewFile, 'sourceId'>,
    now: number,
  ): Promise<{ readonly row: FileRow; readonly before: StoredFile } | undefined>
  /** With what was derived from it. What was removed by this very call. */
  remove(id: number): Promise<readonly StoredFile[]>
  /** Says how indexing this revision ended; nothing happens when it was replaced meanwhile. */
  indexed(file: FileRow, outcome: { readonly chunks: number } | { readonly error: string }): Promise<void>
  /** All files of the collection are to be indexed again. */
  resetIndex(collectionId: number, now: number): Promise<void>
  /** Not `INDEXED`, oldest first. */
  pending(collectionId: number): Promise<readonly FileRow[]>
}

/** One window of a key's quota: it counts from `startsAt` on; a count of another start is over. */
export interface QuotaWindow {
  readonly span: string
  readonly startsAt: number
  /** Undefined: counted, never refused. */
  readonly most: number | undefined
}

export interface QuotaUse {
  /** False: a window was full, and nothing was counted. */
  readonly taken: boolean
  /** After the call, one for each window. */
  readonly used: readonly number[]
}

export interface Quotas {
  used(keyId: number, windows: readonly QuotaWindow[]): Promise<readonly number[]>
  /** Counts one request in all windows, or in none when one of them is full: one step, also beside other processes. */
  take(keyId: number, windows: readonly QuotaWindow[]): Promise<QuotaUse>
}

export interface Catalog {
  readonly users: Users
  readonly keys: Keys
  readonly collections: Collections
  readonly files: Files
  readonly quotas: Quotas
  close(): Promise<void>
}
