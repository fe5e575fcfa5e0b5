const size = (text: string) => Buffer.byteLength(text)

export const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`

/** Cuts to a number of bytes, at a character. */
function cutBytes(text: string, bytes: number): string {
  if (size(text) <= bytes) return text
  const kept = Buffer.from(text)
    .subarray(0, Math.max(bytes - 3, 0))
    .toString('utf8')
  return `${kept.replace(/\uFFFD$/, '').trimEnd()}…`
}

/** The same, from the end. */
function cutStart(text: string, bytes: number): string {
  if (size(text) <= bytes) return text
  const whole = Buffer.from(text)
  const kept = whole.subarray(whole.length - Math.max(bytes - 3, 0)).toString('utf8')
  return `…${kept.replace(/^\uFFFD+/, '').trimStart()}`
}

/**
 * As much of a passage as fits, around the sentence that counts: what stands before it, the sentence, what follows.
 * Without such a sentence all is in the first.
 */
export function excerpt(
  passage: string,
  support: string | undefined,
  bytes: number,
): readonly [before: string, support: string, after: string] {
  const at = support === undefined || support === '' ? -1 : passage.indexOf(support)
  if (support === undefined || at < 0) return [cutBytes(passage, bytes), '', '']
  const [before, after] = [passage.slice(0, at), passage.slice(at + support.length)]
  const marked = cutBytes(support, bytes)
  const room = Math.max(bytes - size(marked), 0)
  const half = Math.floor(room / 2)
  const ahead = Math.min(size(before), Math.max(half, room - size(after)))
  const rest = Math.min(size(after), room - ahead)
  return [ahead < 4 ? '' : cutStart(before, ahead), marked, rest < 4 ? '' : cutBytes(after, rest)]
}
