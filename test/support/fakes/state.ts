import type { State } from '#bridge/port/state.ts'

/** State in memory, whose entries are gone after their lifetime. */
export function memoryState(clock: () => number = Date.now): State {
  const entries = new Map<string, { readonly value: unknown; readonly until: number }>()
  const live = (key: string) => {
    const entry = entries.get(key)
    return entry !== undefined && entry.until > clock() ? entry : undefined
  }
  return {
    get: async (key) => live(key)?.value,
    set: async (key, value, lifetimeMs = Infinity) => void entries.set(key, { value, until: clock() + lifetimeMs }),
    delete: async (key) => live(key) !== undefined && entries.delete(key),
    keys: async () => [...entries.keys()].filter((key) => live(key) !== undefined),
  }
}
