const TIME = /^\[(?<time>\d{1,3}(?::\d{2}){1,2})\][ \t]/gm

/**
 * The second at which the supporting words of a passage were said, `0:42`: of the last time mark at the beginning of a
 * line up to them. Undefined in a passage without such marks.
 */
export function timeIn(passage: string, support: string | undefined): string | undefined {
  const at = support === undefined ? -1 : passage.indexOf(support)
  const marks = [...passage.matchAll(TIME)]
  // A mark may be the beginning of the support itself.
  const before = marks.findLast(({ index }) => index <= Math.max(at, 0))
  return (before ?? marks[0])?.groups?.['time']
}
