import { heightOf, linesOf, type Stretch } from './stretches.ts'

/** Least lines of each column; fewer are side by side by chance. */
const MIN_LINES = 4
/** Letters of a line of prose; most cells of tables are shorter. */
const PROSE = 25
const MAX_DEPTH = 4
/** Parts of a head or foot, and their distance to the text in heights of a line. */
const EDGE_PARTS = 3
const EDGE_GAP = 1.5

const lettersOf = (all: readonly Stretch[]) => all.reduce((sum, { text }) => sum + text.length, 0)

/** Lines of a column hold mostly prose; a column of numbers or names has the rest of its table next to it. */
function isProse(side: readonly Stretch[]): boolean {
  const long = side.filter(({ text }) => text.length >= PROSE)
  return long.length >= MIN_LINES && lettersOf(long) > lettersOf(side) * 0.6
}

/** Lines of each column that need no more where they go on from one to the next. */
const MIN_FLOWING = 2
const FLOWING = 18
const FLOWING_WIDTH = 0.6

/** Lines of about one width, each of which goes on in the middle of a sentence: cells of tables begin anew. */
function isFlowing(side: readonly Stretch[]): boolean {
  const widths = side.map(({ left, right }) => right - left)
  const isEven = widths.slice(0, -1).every((width) => width > Math.max(...widths) * FLOWING_WIDTH)
  const goOn = side
    .slice(1)
    .filter(({ text }, index) => /^\p{Ll}/u.test(text) && !/[.:!?]$/.test(side[index]?.text ?? ''))
  return isEven && lettersOf(side) > side.length * FLOWING && goOn.length > (side.length - 1) * 0.6
}

/** Where a blank strip parts most lines: on both sides many lines, across it few. Undefined where no strip does. */
function findGutter(stretches: readonly Stretch[]): number | undefined {
  const edges = stretches
    .flatMap(({ left, right }) => [
      { at: left, begins: 1, ends: 0 },
      { at: right, begins: 0, ends: 1 },
    ])
    .toSorted((one, other) => one.at - other.at || one.begins - other.begins)
  let [begun, ended] = [0, 0]
  let best = { score: MIN_FLOWING, at: 0 }
  let found = false
  for (const [index, { at, begins, ends }] of edges.entries()) {
    begun += begins
    ended += ends
    const next = edges[index + 1]
    if (next === undefined || next.at - at < 4) continue
    const score = Math.min(ended, stretches.length - begun) - (begun - ended) * 0.5
    if (score < best.score) continue
    best = { score, at: (at + next.at) / 2 }
    found = true
  }
  return found ? best.at : undefined
}

/** Stretches in bands from above to below: those that cross the gutter are bands of their own. */
function bandsOf(
  stretches: readonly Stretch[],
  gutter: number,
): { readonly crosses: boolean; readonly all: Stretch[] }[] {
  const bands: { crosses: boolean; all: Stretch[] }[] = []
  for (const one of stretches) {
    const crosses = one.left < gutter && one.right > gutter
    const last = bands.at(-1)
    if (last?.crosses === crosses) last.all.push(one)
    else bands.push({ crosses, all: [one] })
  }
  return bands
}

/** The head and the foot of a page: few lines, with much space to the others. */
function edgesOf(stretches: readonly Stretch[]): readonly [head: number, foot: number] {
  const height = bodyHeight(stretches)
  const gapAt = (index: number) => (stretches[index]?.top ?? 0) - (stretches[index - 1]?.bottom ?? 0)
  const isEdge = (index: number) => index > 0 && index < stretches.length && gapAt(index) > height * EDGE_GAP
  const counts = Array.from({ length: EDGE_PARTS }, (_, index) => index + 1)
  const head = counts.find((count) => isEdge(count)) ?? 0
  const foot = counts.find((count) => isEdge(stretches.length - count)) ?? 0
  return head + foot < stretches.length ? [head, foot] : [0, 0]
}

/** Regions of the page in reading order: its head, columns of prose one after the other, its foot. */
export function regionsOf(stretches: readonly Stretch[]): readonly (readonly Stretch[])[] {
  const [head, foot] = edgesOf(stretches)
  const end = stretches.length - foot
  const regions = [stretches.slice(0, head), ...columnsOf(stretches.slice(head, end)), stretches.slice(end)]
  return regions.filter((region) => region.length > 0)
}

/** Columns may begin anew above and below a blank across the page that is this wide, in heights of a line. */
const SECTION_GAP = 0.9

/** Stretches between the blanks across all of them. */
function sectionsOf(stretches: readonly Stretch[]): readonly (readonly Stretch[])[] {
  const height = bodyHeight(stretches)
  const sections: Stretch[][] = []
  let bottom = -Infinity
  for (const one of stretches.toSorted((a, b) => a.top - b.top)) {
    if (one.top - bottom > height * SECTION_GAP) sections.push([])
    sections.at(-1)?.push(one)
    bottom = Math.max(bottom, one.bottom)
  }
  return sections
}

/** Whether rows of short cells lie on both sides of a gutter: a table above or below columns, and no part of them. */
function isTabular(section: readonly Stretch[], gutter: number): boolean {
  if (section.some(({ text }) => text.length >= PROSE)) return false
  const lines = linesOf(section)
  const isAcross = (line: readonly Stretch[]) =>
    line.length > 2 && line.some(({ right }) => right <= gutter) && line.some(({ left }) => left >= gutter)
  return lines.length > 1 && lines.every(isAcross)
}

/** Parts of columns, and tables between them. */
function partsOf(all: readonly Stretch[], gutter: number): readonly { isTable: boolean; part: Stretch[] }[] {
  const parts: { isTable: boolean; part: Stretch[] }[] = []
  for (const section of sectionsOf(all)) {
    const isTable = isTabular(section, gutter)
    const last = parts.at(-1)
    if (last !== undefined && !last.isTable && !isTable) last.part.push(...section)
    else parts.push({ isTable, part: [...section] })
  }
  return parts
}

/** Columns of each section; sections without any are one region. */
function columnsOfSections(stretches: readonly Stretch[], depth: number): readonly (readonly Stretch[])[] {
  const sections = sectionsOf(stretches)
  if (sections.length < 2) return [stretches]
  const regions: (readonly Stretch[])[] = []
  let rest: Stretch[] = []
  for (const section of sections) {
    const columns = columnsOf(section, depth + 1)
    if (columns.length < 2) {
      rest.push(...section)
      continue
    }
    if (rest.length > 0) regions.push(rest)
    rest = []
    regions.push(...columns)
  }
  if (rest.length > 0) regions.push(rest)
  return regions
}

/** Columns of prose one after the other, lines that cross them in between. Takes stretches from above to below. */
function columnsOf(stretches: readonly Stretch[], depth = 0): readonly (readonly Stretch[])[] {
  const gutter = depth < MAX_DEPTH ? findGutter(stretches) : undefined
  if (gutter === undefined) return [stretches]
  const regions: (readonly Stretch[])[] = []
  let rest: Stretch[] = []
  let isParted = false
  for (const { crosses, all } of bandsOf(stretches, gutter)) {
    const left = all.filter((one) => one.right <= gutter)
    const right = all.filter((one) => one.left >= gutter)
    const lines = Math.min(left.length, right.length)
    const isParting =
      !crosses &&
      ((lines >= MIN_LINES && isProse(left) && isProse(right)) ||
        (lines >= MIN_FLOWING && isFlowing(left) && isFlowing(right)))
    if (!isParting) {
      rest.push(...all)
      continue
    }
    if (rest.length > 0) regions.push(rest)
    rest = []
    isParted = true
    for (const { isTable, part } of partsOf(all, gutter)) {
      const sides = [part.filter((one) => one.right <= gutter), part.filter((one) => one.left >= gutter)]
      regions.push(...(isTable ? [part] : sides.flatMap((side) => (side.length > 0 ? columnsOf(side, depth + 1) : []))))
    }
  }
  if (!isParted) return columnsOfSections(stretches, depth)
  if (rest.length > 0) regions.push(rest)
  return regions
}

export const bodyHeight = (stretches: readonly Stretch[]): number => {
  const letters = new Map<number, number>()
  for (const one of stretches) {
    const height = Math.round(heightOf(one) * 2) / 2
    letters.set(height, (letters.get(height) ?? 0) + one.text.length)
  }
  return [...letters].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0]
}
