/**
 * A map of at most `maxSize` entries, or of that total size with `sizeOf`. The least recently used entry is removed
 * first; an entry used while the map was less than half full counts as unused.
 */
export function createLru<Value, Key = string>(maxSize: number, sizeOf: (value: Value) => number = () => 1) {
  const entries = new Map<Key, Value>()
  let size = 0
  function remove(key: Key): boolean {
    const value = entries.get(key)
    if (value !== undefined) size -= sizeOf(value)
    return entries.delete(key)
  }
  return {
    get(key: Key): Value | undefined {
      const value = entries.get(key)
      // A new place costs more than all else, and is needed only where something may have to go.
      if (value === undefined || size * 2 < maxSize) return value
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    has: (key: Key): boolean => entries.has(key),
    delete: remove,
    set(key: Key, value: Value): void {
      remove(key)
      entries.set(key, value)
      size += sizeOf(value)
      for (const oldest of entries.keys()) {
        if (size <= maxSize) break
        remove(oldest)
      }
    },
  }
}

/** Loads a value with the first call; after a failure, with the next one again. */
export function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined
  return () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    }))
}
