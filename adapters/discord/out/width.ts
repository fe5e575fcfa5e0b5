/** Columns that a text takes in a monospaced font: CJK and most emoji take two, combining marks none. */
export function widthOf(text: string): number {
  let columns = 0
  for (const { segment } of segmenter.segment(text))
    columns += wide.test(segment) ? 2 : invisible.test(segment) ? 0 : 1
  return columns
}

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)))
}

export function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - widthOf(text))) + text
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** East Asian Wide and Fullwidth by block, and emoji that are shown as pictures. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]|[\u{1B000}-\u{1B16F}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u
const invisible = /^[\p{Mn}\p{Me}\p{Cf}]+$/u
