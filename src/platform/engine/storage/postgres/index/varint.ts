/** Whole numbers from 0 in as few bytes as they need, seven bits each, the lowest first. */
export function pushNumber(bytes: number[], value: number): void {
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80)
    rest = Math.floor(rest / 0x80)
  }
  bytes.push(rest)
}

/** Reads them again, one after the other. */
export interface NumberReader {
  readonly atEnd: boolean
  next(): number
}

export function readNumbers(bytes: Uint8Array): NumberReader {
  let at = 0
  return {
    get atEnd() {
      return at >= bytes.length
    },
    next() {
      let value = 0
      for (let factor = 1; ; factor *= 0x80) {
        const byte = bytes[at] ?? 0
        at += 1
        if (byte < 0x80) return value + byte * factor
        value += (byte - 0x80) * factor
      }
    },
  }
}
