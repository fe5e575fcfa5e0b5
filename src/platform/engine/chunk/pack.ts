import { type Chunk, CHUNK_TOKENS, cutUnits, type Lines, type Unit } from './units.ts'

interface Heading {
  readonly level: number
  readonly title: string
}

export interface PackOptions {
  readonly page?: number
  /** Lines of the file before this text: front matter. */
  readonly linesBefore?: number
  readonly charactersBefore?: number
  /** Open headings at the start (from the page before), outermost first; updated by each heading. */
  readonly headings?: Heading[]
}

function toChunk(
  lines: Lines,
  members: readonly Unit[],
  headings: readonly string[],
  { page, linesBefore = 0, charactersBefore = 0 }: PackOptions,
): Chunk | undefined {
  const { text } = lines
  const [first, last] = [members[0], members.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const { start, header } = first
  const end = start + text.slice(start, last.end).trimEnd().length
  if (end <= start) return undefined
  return {
    body: text.slice(start, end),
    lead: header === undefined ? '' : text.slice(header.start, header.end),
    headings,
    start: start + charactersBefore,
    end: end + charactersBefore,
    page,
    lineFrom: lines.at(start) + 1 + linesBefore,
    lineTo: lines.at(end - 1) + 1 + linesBefore,
  }
}

/** Headings alone make no chunk, so that many of their tokens may come on top of the limit; longer ones make one. */
const MAX_HEADINGS_ON_TOP = 40

/** Packs the units of all blocks into chunks: a chunk never crosses a heading, and exceeds the limit by its headings only. */
export function packBlocks(lines: Lines, blocks: Iterable<readonly Unit[]>, options: PackOptions = {}): Chunk[] {
  const { text } = lines
  const headings = options.headings ?? []
  const chunks: Chunk[] = []
  let open: Unit[] = []
  /** Tokens of the open units: at least, and at most, since the sentences of a block are not counted where it fits. */
  let [least, most] = [0, 0]
  let onlyHeadings = true
  let path: readonly string[] = []

  const flush = () => {
    const chunk = toChunk(lines, open, path, options)
    if (chunk !== undefined) chunks.push(chunk)
    open = []
    least = 0
    most = 0
    onlyHeadings = true
  }
  /** Whether the open units have this many tokens. */
  const reaches = (tokens: number): boolean => {
    if (least >= tokens || most < tokens) return least >= tokens
    open = open.flatMap((unit) => (unit.most === undefined ? [unit] : cutUnits(text, unit)))
    least = open.reduce((sum, unit) => sum + unit.tokens, 0)
    most = least
    return least >= tokens
  }
  const hold = (unit: Unit) => {
    if (unit.heading !== undefined) {
      while ((headings.at(-1)?.level ?? 0) >= unit.heading.level) headings.pop()
      headings.push(unit.heading)
    }
    if (open.length === 0 || unit.heading !== undefined) path = headings.map((heading) => heading.title)
    open.push(unit)
    onlyHeadings &&= unit.heading !== undefined
    least += unit.tokens
    most += unit.most ?? unit.tokens
  }
  const add = (unit: Unit) => {
    // A heading alone makes no chunk: it goes with the text below it.
    const ends = unit.heading !== undefined || (unit.opens && reaches(CHUNK_TOKENS.enough))
    if (!onlyHeadings && ends) flush()
    if (unit.most !== undefined && most + unit.most > CHUNK_TOKENS.most) {
      for (const sentence of cutUnits(text, unit)) add(sentence)
      return
    }
    const mayEnd = !onlyHeadings || least > MAX_HEADINGS_ON_TOP
    const isFull = mayEnd && reaches(CHUNK_TOKENS.most - unit.tokens + 1)
    if (unit.most === undefined && (isFull || reaches(CHUNK_TOKENS.most + 1))) flush()
    hold(unit)
  }

  for (const units of blocks) for (const unit of units) add(unit)
  flush()
  return chunks
}
