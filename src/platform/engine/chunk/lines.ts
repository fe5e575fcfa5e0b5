/** A text with its line numbers and offsets, lines ended as CommonMark ends them: LF, CR LF or CR. */
export interface Lines {
  readonly text: string
  /** Offset at which line `index` (from 0) begins; the text's length beyond the last. */
  start(index: number): number
  /** Line (from 0) in which `offset` stands. */
  at(offset: number): number
}

export function toLines(text: string): Lines {
  const starts = [0]
  for (const match of text.matchAll(/\r\n?|\n/g)) starts.push(match.index + match[0].length)
  return {
    text,
    start: (index) => starts[index] ?? text.length,
    at(offset) {
      let low = 0
      let high = starts.length - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if ((starts[middle] ?? 0) <= offset) low = middle
        else high = middle - 1
      }
      return low
    },
  }
}
