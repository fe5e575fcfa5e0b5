/** Numbers that look random and are the same for the same seed (mulberry32). */
export interface Random {
  /** From 0 up to, not including, `below`. */
  int(below: number): number
  pick<Item>(items: readonly Item[]): Item
  bytes(count: number): Buffer
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const int = (below: number) => next() % below
  return {
    int,
    pick(items) {
      const item = items[int(items.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => int(256))),
  }
}
