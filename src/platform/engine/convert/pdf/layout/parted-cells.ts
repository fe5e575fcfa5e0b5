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

/** Blanks at which words of nearly all rows begin, or end, and over which no word lies: columns close to each other. */
function findAligned(rows: readonly (readonly Stretch[])[], covered: (at: number) => number): (gap: Gap) => boolean {
  const counts = [new Map<number, number>(), new Map<number, number>()] as const
  const heads = [new Set<number>(), new Set<number>()] as const
  for (const [index, row] of rows.entries()) {
    const words = row.flatMap(({ left, right, gaps = [] }) => [
      left,
      ...gaps.flatMap((gap) => [gap.left, gap.right]),
      right,
    ])
    for (const [at, edge] of words.slice(1, -1).entries()) {
      const [count, head] = at % 2 === 0 ? [counts[1], heads[1]] : [counts[0], heads[0]]
      for (const near of [-1, 0, 1]) {
        const point = Math.round(edge) + near
        count.set(point, (count.get(point) ?? 0) + 1)
        if (index === 0) head.add(point)
      }
    }
  }
  const isAligned = (side: 0 | 1, edge: number) => {
    const point = Math.round(edge)
    return heads[side].has(point) && (counts[side].get(point) ?? 0) >= Math.max(MIN_ALIGNED, rows.length * ALIGNED)
  }
  return ({ left, right }) =>
    (isAligned(0, right) || isAligned(1, left)) && (covered(left) === 0 || covered(right - STEP) === 0)
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
