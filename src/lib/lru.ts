/** A map that forgets its oldest entries, so that a process that runs for months does not grow. */
export function createLru<Value>(size: number) {
  const entries = new Map<string, Value>()
  return {
    get: (key: string): Value | undefined => entries.get(key),
    has: (key: string): boolean => entries.has(key),
    delete: (key: string): boolean => entries.delete(key),
    set(key: string, value: Value): void {
      entries.delete(key)
      entries.set(key, value)
      const oldest = entries.keys().next()
      if (entries.size > size && oldest.done !== true) entries.delete(oldest.value)
    },
  }
}
