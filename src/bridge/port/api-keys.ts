/** Keys for the API of the embedded platform, made at the page; their collections are their own, not those of channels. */
export interface ApiKeys {
  /** Keys that are in use, oldest first. */
  list(): Promise<readonly ApiKeyInfo[]>
  /** The key, which is shown once; undefined: there is one of this name, or there are too many. */
  make(name: string): Promise<string | undefined>
  /** False: there is no such key. */
  revoke(id: number): Promise<boolean>
  /** Number of keys that were revoked. */
  revokeAll(): Promise<number>
}

export interface ApiKeyInfo {
  readonly id: number
  readonly name: string
  /** Its first characters, to tell keys apart. */
  readonly hint: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly expiresAt?: number
}
