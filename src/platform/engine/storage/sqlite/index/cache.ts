/** Values of many owners, at most so much of them all together; what was not asked for the longest goes first. */
export interface Cache<Value> {
  get(owner: object, key: string | number): Value | undefined
  set(owner: object, key: string | number, value: Value): void
}

export function createCache<Value>(most: number, sizeOf: (value: Value) => number): Cache<Value> {
  const numbers = new WeakMap<object, number>()
  const known = new Map<string, Value>()
  let lastNumber = 0
  let size = 0
  const nameOf = (owner: object, key: string | number) => {
    const number = numbers.get(owner) ?? (lastNumber += 1)
    numbers.set(owner, number)
    return `${number} ${key}`
  }
  return {
    get(owner, key) {
      const name = nameOf(owner, key)
      const value = known.get(name)
      if (value === undefined) return undefined
      // Last in the map is last used.
      known.delete(name)
      known.set(name, value)
      return value
    },
    set(owner, key, value) {
      known.set(nameOf(owner, key), value)
      size += sizeOf(value)
      for (const [name, one] of known) {
        if (size <= most) break
        known.delete(name)
        size -= sizeOf(one)
      }
    },
  }
}
