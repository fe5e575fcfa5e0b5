/**
 * PostgreSQL arrays in its binary form, as `pg` sends any Buffer: made in the thread, so that thousands of values cost the
 * event loop nothing. (Format: dimensions, whether there are nulls, type, length, first index; then length and bytes of
 * each, −1 for null.)
 */
const TYPES = { bytea: 17, int8: 20, int4: 23, text: 25 } as const

interface Codec<Item> {
  readonly type: number
  sizeOf(item: Item): number
  write(into: Buffer, item: Item, at: number, size: number): void
}

const HEAD_LENGTH = 20

function encode<Item>(codec: Codec<Item>, items: readonly (Item | null)[]): Uint8Array {
  const sizes = items.map((item) => (item === null ? 0 : codec.sizeOf(item)))
  // Of its own, not part of a shared pool: a thread hands on the whole of what lies under a view.
  const buffer = Buffer.allocUnsafeSlow(sizes.reduce((sum, size) => sum + 4 + size, HEAD_LENGTH))
  const head = [1, items.includes(null) ? 1 : 0, codec.type, items.length, 1]
  head.forEach((value, at) => buffer.writeInt32BE(value, at * 4))
  let at = HEAD_LENGTH
  for (const [index, item] of items.entries()) {
    const size = sizes[index] ?? 0
    buffer.writeInt32BE(item === null ? -1 : size, at)
    at += 4
    if (item !== null) codec.write(buffer, item, at, size)
    at += size
  }
  return buffer
}

const text: Codec<string> = {
  type: TYPES.text,
  sizeOf: (item) => Buffer.byteLength(item),
  write: (into, item, at, size) => into.write(item, at, size),
}
const int4: Codec<number> = {
  type: TYPES.int4,
  sizeOf: () => 4,
  write: (into, item, at) => into.writeInt32BE(item, at),
}
const int8: Codec<number> = {
  type: TYPES.int8,
  sizeOf: () => 8,
  write: (into, item, at) => into.writeBigInt64BE(BigInt(item), at),
}
const bytea: Codec<Uint8Array> = {
  type: TYPES.bytea,
  sizeOf: (item) => item.length,
  write: (into, item, at) => into.set(item, at),
}

/** PostgreSQL's text holds no NUL; it stands for nothing, so it is shown as what can't be shown. */
const withoutNul = (item: string) => (item.includes('\0') ? item.replaceAll('\0', '\uFFFD') : item)

export const toTextArray = (items: readonly string[]) => encode(text, items.map(withoutNul))
export const toIntArray = (items: readonly (number | null)[]) => encode(int4, items)
export const toBigintArray = (items: readonly number[]) => encode(int8, items)
export const toByteaArray = (items: readonly Uint8Array[]) => encode(bytea, items)
