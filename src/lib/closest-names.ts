/** How much of a name may differ: 0 nothing, 1 all of it. */
const MAX_DISTANCE = 0.5

/**
 * Names that somebody may have meant, nearest first, each with its distance: edits (a swap of neighbours is one)
 * divided by the longer length. A part of a name counts as 0.1. Names too different in length cost nothing.
 */
export function closestNames(
  wanted: string,
  names: readonly string[],
): readonly { readonly name: string; readonly distance: number }[] {
  return names
    .map((name) => ({ name, distance: distanceOf(wanted, name) }))
    .filter(({ distance }) => distance <= MAX_DISTANCE)
    .toSorted((one, other) => one.distance - other.distance)
}

function distanceOf(one: string, other: string): number {
  if (one.length >= 3 && other.includes(one)) return 0.1
  const longest = Math.max(one.length, other.length)
  if (longest === 0 || Math.abs(one.length - other.length) > longest * MAX_DISTANCE) return 1
  return editsBetween(one, other) / longest
}

/** How many letters are more, less or other, or two neighbours swapped. */
export function editsBetween(one: string, other: string): number {
  let before: readonly number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at]
    for (let index = 1; index <= other.length; index += 1) {
      const isSame = one[at - 1] === other[index - 1]
      const isSwapped = one[at - 1] === other[index - 2] && one[at - 2] === other[index - 1]
      const replaced = (row[index - 1] ?? 0) + (isSame ? 0 : 1)
      const swapped = isSwapped ? (before[index - 2] ?? Infinity) + 1 : Infinity
      next.push(Math.min(replaced, swapped, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[other.length] ?? 0
}
