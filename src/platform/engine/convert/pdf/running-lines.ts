/** Lines at the top and at the bottom of a page that may be its head and foot. */
const EDGE_LINES = 3
/** Heads of left and right pages alternate. */
const PAGES_BACK = 2
const MAX_CHARACTERS = 160

type Edges = Readonly<Record<'top' | 'bottom', readonly number[]>>

interface Page {
  readonly number: number
  readonly lines: readonly string[]
  /** Indexes of lines at its edges. */
  readonly edges: Edges
}

const hasLetters = (line: string) => /[\p{L}\p{N}]/u.test(line)

function toPage(number: number, markdown: string): Page {
  const lines = markdown.split('\n')
  const filled = lines.flatMap((line, index) => (hasLetters(line) ? [index] : []))
  // Lines of code and tables belong together.
  const isLoose = (index: number) => {
    const line = lines[index] ?? ''
    return line.length <= MAX_CHARACTERS && !line.startsWith('|')
  }
  const isPlain = !markdown.includes('```')
  return {
    number,
    lines,
    edges: {
      top: isPlain ? filled.slice(0, EDGE_LINES).filter(isLoose) : [],
      bottom: isPlain ? filled.slice(-EDGE_LINES).filter(isLoose) : [],
    },
  }
}

const piecesOf = (line: string) => line.replace(/[*_]/g, '').trim().split(/(\d+)/)

/** Whether both lines are the same, except for page numbers, which grow with the pages. */
function isSame(one: string, other: string, pagesBetween: number): boolean {
  if (one === other) return true
  if (one.startsWith('#') || other.startsWith('#')) return false
  const [pieces, others] = [piecesOf(one), piecesOf(other)]
  return (
    pieces.length === others.length &&
    pieces.every((piece, index) => piece === others[index] || Number(piece) - Number(others[index]) === pagesBetween)
  )
}

/**
 * Drops the running heads and feet of pages in order: lines at the same edge as on one of the two pages before. Their
 * first occurrence stays, and so does a page that holds nothing else.
 */
export function createRunningLines(): (markdown: string, pageNumber: number) => string {
  const before: Page[] = []
  return (markdown, pageNumber) => {
    const page = toPage(pageNumber, markdown)
    const dropped = new Set<number>()
    const isRepeated = (edge: 'top' | 'bottom', index: number) =>
      before.some(({ number, lines, edges }) =>
        edges[edge].some((at) => isSame(page.lines[index] ?? '', lines[at] ?? '', pageNumber - number)),
      )
    // No other line is between the edge and a repeated line: clauses repeat sentences, too.
    const outward = { top: page.edges.top, bottom: page.edges.bottom.toReversed() }
    for (const edge of ['top', 'bottom'] as const) {
      const end = outward[edge].findIndex((index) => !isRepeated(edge, index))
      const run = outward[edge].slice(0, end === -1 ? undefined : end)
      const inner = page.lines.slice(0, run.at(-1)).findLast(hasLetters) ?? ''
      // A line under a heading is its text.
      if (edge === 'top' || !inner.startsWith('#')) for (const index of run) dropped.add(index)
    }
    before.push(page)
    if (before.length > PAGES_BACK) before.shift()
    const left = page.lines.filter((_, index) => !dropped.has(index))
    if (dropped.size === 0 || !left.some(hasLetters)) return markdown
    return left
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  }
}
