import { createLru } from '#lib/lru.ts'

/** Texts that are remembered, and letters of one. */
const MAX_TEXTS = 4_000
const MAX_LETTERS = 200

/** A function of a text that remembers: headers and names are the same for each question. */
export function byText<Value>(read: (text: string) => Value): (text: string) => Value {
  const known = createLru<{ readonly value: Value }>(MAX_TEXTS)
  return (text) => {
    if (text.length > MAX_LETTERS) return read(text)
    const before = known.get(text)
    if (before !== undefined) return before.value
    const value = read(text)
    known.set(text, { value })
    return value
  }
}
