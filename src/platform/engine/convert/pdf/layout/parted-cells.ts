import type { Gap, Stretch } from './stretches.ts'

/** A single line of this many letters across columns is prose. */
export const LINE_LETTERS = 60

/** Width of a step, in points. */
const STEP = 2
/** Share of the rows of a table that have a wide blank at a place, and that have a word there, where columns are parted. */
const PARTED = 0.4
const COVERED = 0.2

/** Rows at each step from the left: those with cells on both sides, and those with a word there. */
function countSteps(rows: readonly (readonly Stretch[])[]) {
  const first = Math.min(...rows.flat().map(({ left }) => left))
  const stepOf = (at: number) => Math.round((at - first) / STEP)
  const count = stepOf(Math.max(...rows.flat().map(({ right }) => right))) + 2
  const changes = [new Int32Array(count), new Int32Array(count)] as const
  const add = (kind: 0 | 1, from: number, to: number) => {
    if (to <= from) return
    changes[kind][from] = (changes[kind][from] ?? 0) + 1
    changes[kind][to] = (changes[kind][to] ?? 0) - 1
  }
  for (const row of rows) {
    for (const [index, { left, right, gaps = [] }] of row.entries()) {
      const before = row[index - 1]
      if (before !== undefined) add(0, stepOf(before.right), stepOf(left))
      const edges = [left, ...gaps.flatMap((gap) => [gap.left, gap.right]), right]
      for (let at = 0; at < edges.length; at += 2) add(1, stepOf(edges[at] ?? 0), stepOf(edges[at + 1] ?? 0))
    }
  }
  for (const kind of changes) for (let at = 1; at < count; at += 1) kind[at] = (kind[at] ?? 0) + (kind[at - 1] ?? 0)
  return { stepOf, blank: changes[0], covered: changes[1] }
}

/** Where cells begin and end that have another one before them, each with the number of those. */
function countEdges(rows: readonly (readonly Stretch[])[]) {
  const counts = [new Map<number, number>(), new Map<number, number>()] as const
  for (const { left, right } of rows.flatMap((row) => row.slice(1))) {
    for (const [side, at] of [left, right].entries()) {
      const step = Math.round(at / STEP)
      for (const near of [step - 1, step, step + 1]) counts[side]?.set(near, (counts[side].get(near) ?? 0) + 1)
    }
  }
  return {
    begins: (at: number) => counts[0].has(Math.round(at / STEP)),
    // Its own end is one of them.
    ends: (at: number) => (counts[1].get(Math.round(at / STEP)) ?? 0) > 1,
  }
}

/** Share of the rows, the head among them, whose words begin or end at one place where a narrow blank parts columns. */
const ALIGNED = 0.8
const MIN_ALIGNED = 4
/** Points. */
const MIN_BLANK = 1

/** Number of rows at each place, in points, with some room to both sides. */
function countNear(rows: readonly (readonly number[])[]): (place: number) => number {
  const counts = new Map<number, number>()
  for (const places of rows) {
    const points = new Set(places.flatMap((place) => [-1, 0, 1].map((near) => Math.round(place) + near)))
    for (const point of points) counts.set(point, (counts.get(point) ?? 0) + 1)
  }
  return (place) => counts.get(Math.round(place)) ?? 0
}

/** Where words of a row begin, and where they end, next to a blank. */
const placesOf = (row: readonly Stretch[]) => [
  [...row.slice(1).map(({ left }) => left), ...row.flatMap(({ gaps = [] }) => gaps.map(({ right }) => right))],
  [...row.slice(0, -1).map(({ right }) => right), ...row.flatMap(({ gaps = [] }) => gaps.map(({ left }) => left))],
]

/** Whether different words are at a blank on both sides of it: a sign or a word that each line repeats is no column. */
function createVariety(rows: readonly (readonly Stretch[])[], side: 'left' | 'right'): (place: number) => boolean {
  const words = new Map<string, Map<string, number>>()
  const add = (key: string, word: string) => {
    const counts = words.get(key) ?? new Map<string, number>()
    words.set(key, counts.set(word, (counts.get(word) ?? 0) + 1))
  }
  for (const { text, gaps = [] } of rows.flat()) {
    for (const gap of gaps) {
      const [before = ''] = /\S*$/.exec(text.slice(Math.max(0, gap.at - LINE_LETTERS), gap.at).trimEnd()) ?? []
      const [after = ''] = /^\S*/.exec(text.slice(gap.at, gap.at + LINE_LETTERS).trimStart()) ?? []
      for (const near of [-1, 0, 1]) {
        const point = Math.round(gap[side]) + near
        add(`${point} before`, before)
        add(`${point} after`, after)
      }
    }
  }
  const isVaried = (key: string) => {
    const counts = [...(words.get(key)?.values() ?? [])]
    return Math.max(...counts) <= counts.reduce((sum, count) => sum + count, 0) * ALIGNED
  }
  return (place) => isVaried(`${Math.round(place)} before`) && isVaried(`${Math.round(place)} after`)
}

/** Blanks within lines at which words of nearly all rows begin, or end, and over which no word lies. */
function findAligned(rows: readonly (readonly Stretch[])[], covered: (at: number) => number): (gap: Gap) => boolean {
  const isAt = (['right', 'left'] as const).map((side, index) => {
    const places = rows.map((row) => placesOf(row)[index] ?? [])
    const [all, head] = [countNear(places), countNear(places.slice(0, 1))]
    const isVaried = createVariety(rows, side)
    const narrow = countNear(rows.map((row) => row.flatMap(({ gaps = [] }) => gaps.map((gap) => gap[side]))))
    // A head that lies over two columns is the only row with a narrow blank.
    return (gap: Gap) =>
      isVaried(gap[side]) &&
      head(gap[side]) > 0 &&
      narrow(gap[side]) > 1 &&
      all(gap[side]) >= Math.max(MIN_ALIGNED, rows.length * ALIGNED)
  })
  // Words that are drawn twice, a little apart, have no blank between them.
  const isBlank = ({ left, right }: Gap) =>
    right - left > MIN_BLANK && (covered(left) === 0 || covered(right - STEP) === 0)
  return (gap) => isBlank(gap) && isAt.some((is) => is(gap))
}

/** Rows whose cells are parted where those of others are, however narrow the blank between them is. */
export function withParted(rows: readonly (readonly Stretch[])[]): readonly (readonly Stretch[])[] {
  if (rows.length < 3) return rows
  const { stepOf, blank, covered } = countSteps(rows)
  const edges = countEdges(rows)
  const isBlank = ({ left, right }: Gap) => {
    for (let at = stepOf(left); at <= stepOf(right); at += 1) {
      if ((blank[at] ?? 0) >= rows.length * PARTED && (covered[at] ?? 0) <= rows.length * COVERED) return true
    }
    return false
  }
  const isAlignedGap = findAligned(rows, (at) => covered[stepOf(at)] ?? 0)
  // The words of a part lie above or below those of another row.
  const isInColumn = (left: number, right: number) => {
    for (let at = stepOf(left); at < stepOf(right); at += 1) if ((covered[at] ?? 0) > 1) return true
    return false
  }
  const cutsOf = ({ text, gaps = [], left, right }: Stretch) => {
    if (text.length > LINE_LETTERS) return []
    const aligned = gaps.filter(isAlignedGap)
    const blanks = gaps.filter((gap) => isBlank(gap) && !aligned.includes(gap))
    const parted = blanks.filter((gap, at) => {
      const [start, end] = [blanks[at - 1]?.right ?? left, blanks[at + 1]?.left ?? right]
      const isAligned = edges.begins(gap.right) || edges.ends(end)
      return isAligned && isInColumn(start, gap.left) && isInColumn(gap.right, end)
    })
    return gaps.filter((gap) => aligned.includes(gap) || parted.includes(gap))
  }
  return rows.map((row) => row.flatMap((stretch) => partsOf(stretch, cutsOf(stretch))))
}

/** A stretch cut at some of its gaps. */
function partsOf(stretch: Stretch, cuts: readonly Gap[]): readonly Stretch[] {
  return [...cuts, undefined].map((cut, index) => {
    const before = cuts[index - 1]
    const start = before?.at ?? 0
    const end = cut?.at ?? stretch.text.length
    return {
      ...stretch,
      text: stretch.text.slice(start, end).trim(),
      left: before?.right ?? stretch.left,
      right: cut?.left ?? stretch.right,
      gaps: (stretch.gaps ?? []).flatMap((gap) =>
        gap.at > start && gap.at < end ? [{ ...gap, at: gap.at - start }] : [],
      ),
    }
  })
}
