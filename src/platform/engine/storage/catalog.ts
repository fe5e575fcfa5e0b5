/** Port of the store of users, keys, collections and files. Times are milliseconds since the epoch. */
export interface UserRow {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly firstName: string
  readonly surname: string
  readonly createdAt: number
  /** Requests of all keys of the user together; absent: no limit but those of the keys. */
  readonly quota?: Quota
}

/** Requests by window; absent: no limit in that window. */
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
  /** Id of the data folder whose first key it is, where several folders share the catalog. */
  readonly holder: string | null
  /** Purpose, as its creator wrote it. */
  readonly label: string
  /** Its first characters, to tell keys apart. Empty for old keys. */
  readonly hint: string
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  /** Undefined: the default quota. */
  readonly quota: Quota | undefined
  /** Undefined: a key for everything. */
  readonly scope: KeyScope | undefined
}

/** A key with a scope is for agents: it reads over MCP, and nothing else. */
export interface KeyScope {
  /** Full ids of the only collections. */
  readonly collections?: readonly string[]
  /** Names of the only tools. */
  readonly tools?: readonly string[]
}

export type NewUser = Omit<UserRow, 'id' | 'createdAt' | 'quota'>

/** Owner of the first key, and so of all collections of an embedded platform. */
export const FIRST_USER: NewUser = { name: 'local', email: 'local@localhost', firstName: 'Local', surname: 'User' }

export interface NewFirstKey {
  readonly hash: string
  /** The data folder whose first key it is; each process on a shared catalog has its own. */
  readonly holder: string
  /** Host name of its machine. */
  readonly machine: string
}

export interface NewKey {
  readonly hash: string
  readonly hint: string
  readonly label: string
  readonly expiresAt: number | null
  readonly quota: Quota | undefined
  readonly scope: KeyScope | undefined
}

/** Readers of a collection other than its owner. */
export interface Sharing {
  readonly visibility: 'private' | 'public'
  /** Their names. A user of such a name need not be there yet. */
  readonly users: readonly string[]
}

export interface CollectionRow {
  readonly id: number
  readonly ownerId: number
  readonly ownerName: string
  readonly name: string
  /** Name of its index: generated and never reused, so that a new collection starts empty. */
  readonly indexName: string
  readonly visibility: 'private' | 'public'
  /** Names of the users that it is shared with. */
  readonly readers: readonly string[]
  readonly createdAt: number
  readonly updatedAt: number
  /** End of the last pass. */
  readonly indexedAt: number | null
  /** Start of a pass without an end: it runs, failed, or died with its process. */
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
  /** Name of its stored bytes. */
  readonly blob: string
  readonly sizeBytes: number
  readonly sha256: string
  /** Number of replacements: chunks of an older revision are never retrieved. */
  readonly revision: number
  /** The source file of a derived file; it is deleted with its source. */
  readonly sourceId: number | null
  /** Null until the first pass. */
  readonly status: FileStatus | null
  readonly chunks: number
  /** Why `ERROR`; with `INDEXED`: which parts were not read. */
  readonly error: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

export type NewFile = Pick<FileRow, 'name' | 'format' | 'blob' | 'sizeBytes' | 'sha256' | 'sourceId'>

/** A file and its bytes. */
export type StoredFile = Pick<FileRow, 'id' | 'blob'>

export interface Users {
  /** The user who owns the first key; created when missing. */
  first(now: number): Promise<UserRow>
  get(name: string): Promise<UserRow | undefined>
  /** Undefined when the name is taken. */
  add(user: NewUser, now: number): Promise<UserRow | undefined>
  /** Undefined: no limit. */
  setQuota(id: number, quota: Quota | undefined): Promise<void>
  counts(userId: number): Promise<{ readonly collections: number; readonly files: number }>
}

export interface Keys {
  /** Makes it the only first key of its data folder. */
  setFirst(userId: number, key: NewFirstKey, now: number): Promise<void>
  byHash(hash: string): Promise<KeyRow | undefined>
  get(id: number): Promise<KeyRow | undefined>
  /** All of them, oldest first. */
  list(): Promise<readonly KeyRow[]>
  add(userId: number, key: NewKey, now: number): Promise<KeyRow>
  /** Null: never. */
  setExpiry(id: number, at: number | null): Promise<void>
  /** Permanent; a second call keeps the first time. */
  revoke(id: number, now: number): Promise<void>
  setQuota(id: number, quota: Quota | undefined): Promise<void>
}

export interface Collections {
  /** Undefined when the owner has a collection of that name. */
  create(ownerId: number, name: string, indexName: string, now: number): Promise<CollectionRow | undefined>
  get(ownerId: number, name: string): Promise<CollectionRow | undefined>
  list(ownerId: number): Promise<readonly CollectionRow[]>
  /** Collections of all owners. */
  all(): Promise<readonly CollectionRow[]>
  /** Collections of others that name this user as a reader. */
  sharedWith(user: Pick<UserRow, 'id' | 'name'>): Promise<readonly CollectionRow[]>
  /** Removes the collection and its files; returns the files, whose bytes have no record any more. */
  remove(id: number): Promise<readonly StoredFile[]>
  setSharing(id: number, sharing: Sharing, now: number): Promise<void>
  passStarted(id: number, now: number): Promise<void>
  passEnded(id: number, now: number): Promise<void>
}

export interface Files {
  list(collectionId: number): Promise<readonly FileRow[]>
  get(collectionId: number, name: string): Promise<FileRow | undefined>
  /** Files of these collections, by name; with `names`, those that have one of them. */
  among(collectionIds: readonly number[], names?: readonly string[]): Promise<readonly FileRow[]>
  /** Files derived from this one. */
  derived(id: number): Promise<readonly FileRow[]>
  /** Files with these ids; missing ones are left out. */
  byIds(ids: readonly number[]): Promise<readonly FileRow[]>
  /** Undefined when the name is taken, or the collection or the source file is gone. */
  add(collectionId: number, file: NewFile, now: number): Promise<FileRow | undefined>
  /** Undefined when there is no such file. Raises the revision and marks the file as not indexed. */
  replace(
    collectionId: number,
    file: Omit<NewFile, 'sourceId'>,
    now: number,
  ): Promise<{ readonly row: FileRow; readonly before: StoredFile } | undefined>
  /** Removes the file and its derived files; returns those that this call removed. */
  remove(id: number): Promise<readonly StoredFile[]>
  /** Records the result of indexing this revision; ignored when the file was replaced meanwhile. */
  indexed(
    file: FileRow,
    outcome: { readonly chunks: number; readonly note?: string } | { readonly error: string },
  ): Promise<void>
  /** Marks all files of the collection as not indexed. */
  resetIndex(collectionId: number, now: number): Promise<void>
  /** Not `INDEXED`, oldest first. */
  pending(collectionId: number): Promise<readonly FileRow[]>
}

/** One window of a key's quota, which starts at `startsAt`; a count with another start is over. */
export interface QuotaWindow {
  readonly span: string
  readonly startsAt: number
  /** Undefined: no limit. */
  readonly most: number | undefined
}

export interface QuotaUse {
  /** False: a window was full, so nothing was counted. */
  readonly taken: boolean
  /** Counts after the call, one for each window. */
  readonly used: readonly number[]
  /** The same of all keys of the user. */
  readonly together?: readonly number[]
}

/** Windows of a user, whom all keys count for. */
export interface UserWindows {
  readonly userId: number
  readonly windows: readonly QuotaWindow[]
}

/** Whether one of these windows has no request left. */
export const isFull = (windows: readonly QuotaWindow[], used: readonly number[]): boolean =>
  windows.some(({ most }, place) => most !== undefined && (used[place] ?? 0) >= most)

export interface Quotas {
  used(keyId: number, windows: readonly QuotaWindow[]): Promise<readonly number[]>
  /** The same of all keys of a user. */
  usedByUser(userId: number, windows: readonly QuotaWindow[]): Promise<readonly number[]>
  /** Counts one request in all windows, or in none when one is full; atomic, also between processes. */
  take(keyId: number, windows: readonly QuotaWindow[], together?: UserWindows): Promise<QuotaUse>
  /** Resolves when the counts of this turn of the event loop are stored. */
  stored(): Promise<void>
}

export interface Catalog {
  readonly users: Users
  readonly keys: Keys
  readonly collections: Collections
  readonly files: Files
  readonly quotas: Quotas
  close(): Promise<void>
}
