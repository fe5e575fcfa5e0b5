import type { Gap } from '#bridge/port/person-access.ts'
import type { UserRow } from '#platform/engine/storage/catalog.ts'

/** A collection that somebody may read at this moment. */
export interface Readable {
  /** Its name in tools and addresses. */
  readonly id: string
  /** For people. */
  readonly name: string
  /** Full id on the platform, `<owner>/<name>`. */
  readonly platformId: string
}

/** A caller: a key of the platform, or a person with a token. */
export interface Asker {
  /** The person or user that it acts for: all credentials of one owner share its limits. */
  readonly owner: string
  /** For the log: which credential, never the credential. */
  readonly who: string
  /** The user of the platform on whose behalf the engine reads. */
  readonly user: UserRow
  /** Names of the only tools that it may use; absent: all. */
  readonly tools?: readonly string[] | undefined
  /** Counts a call beyond the first one of its request, as a request. @throws {EngineError} `rate-limited` */
  count(): Promise<void>
  /** Every collection that may be read now; rights are asked anew with each call. */
  collections(): Promise<readonly Readable[]>
  /** One of them by its id; undefined: it does not exist, or may not be read now. */
  find(id: string): Promise<Readable | undefined>
  /**
   * Counts a question in collections that `collections` or `find` gave, and returns those with budget left.
   *
   * @throws {EngineError} `rate-limited`
   */
  charge(collections: readonly Readable[]): Promise<readonly Readable[]>
  /** Questions that a collection did not answer; undefined as with `find`. Absent: only people have channels. */
  gaps?(id: string): Promise<readonly Gap[] | undefined>
}
