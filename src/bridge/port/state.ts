/**
 * State with a lifetime: installations, states of a sign-in. Every method rejects when the store can't be reached or an
 * entry can't be decrypted: an empty answer means that no entry exists.
 */
export interface State {
  get(key: string): Promise<unknown>
  /** @param value survives `JSON.stringify`. @param lifetimeMs default: it stays until it is deleted */
  set(key: string, value: unknown, lifetimeMs?: number): Promise<void>
  /** True: it was there. Of several callers at once, one gets true. */
  delete(key: string): Promise<boolean>
  keys(): Promise<readonly string[]>
}
