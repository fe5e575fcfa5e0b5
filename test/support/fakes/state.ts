import type { State } from '#bridge/port/state.ts'

/** State that nothing expires from. */
export function memoryState(): State {
  const entries = new Map<string, unknown>()
  return {
    get: async (key) => entries.get(key),
    set: async (key, value) => void entries.set(key, value),
    delete: async (key) => entries.delete(key),
    keys: async () => [...entries.keys()],
  }
}
