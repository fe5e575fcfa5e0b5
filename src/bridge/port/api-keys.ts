/** Limits of a key for agents: it reads over MCP, and the API refuses it. */
export interface KeyScope {
  /** Full ids of the only collections; absent: all of the owner. */
  readonly collections?: readonly string[] | undefined
  /** Names of the only tools; absent: all. */
  readonly tools?: readonly string[] | undefined
}

/** All that a key for agents can be limited to. */
export interface KeyChoices {
  readonly collections: readonly string[]
  readonly tools: readonly string[]
}

/** Keys for the API of the embedded platform, made at the page; their collections are their own, not those of channels. */
export interface ApiKeys {
  /** Keys that are in use, oldest first. */
  list(): Promise<readonly ApiKeyInfo[]>
  choices(): Promise<KeyChoices>
  /**
   * The key, which is shown once; undefined: there is one of this name, or there are too many.
   *
   * @param scope default: the key is for the API
   */
  make(name: string, scope?: KeyScope): Promise<string | undefined>
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
  /** Absent: the key is for the API. */
  readonly scope?: KeyScope
}
