import { type Chunk, CHUNK_TOKENS, type Lines, type Unit } from './units.ts'

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

/** Packs the units of all blocks into chunks: a chunk never crosses a heading and never exceeds the limit. */
export function packBlocks(lines: Lines, blocks: Iterable<readonly Unit[]>, options: PackOptions = {}): Chunk[] {
  const { text } = lines
  const { linesBefore = 0, charactersBefore = 0 } = options
  const headings = options.headings ?? []
  const chunks: Chunk[] = []
  let open: Unit[] = []
  let tokens = 0
  let onlyHeadings = true
  let path: readonly string[] = []

  const flush = () => {
    const chunk = toChunk(open)
    if (chunk !== undefined) chunks.push(chunk)
    open = []
    tokens = 0
    onlyHeadings = true
  }
  const toChunk = (members: readonly Unit[]): Chunk | undefined => {
    const start = members[0]?.start
    const last = members.at(-1)?.end
    if (start === undefined || last === undefined) return undefined
    const end = start + text.slice(start, last).trimEnd().length
    if (end <= start) return undefined
    const header = members[0]?.header
    return {
      body: text.slice(start, end),
      lead: header === undefined ? '' : text.slice(header.start, header.end),
      headings: path,
      start: start + charactersBefore,
      end: end + charactersBefore,
      page: options.page,
      lineFrom: lines.at(start) + 1 + linesBefore,
      lineTo: lines.at(end - 1) + 1 + linesBefore,
    }
  }

  const add = (unit: Unit) => {
    // A heading alone makes no chunk: it goes with the text below it.
    const full = tokens + unit.tokens > CHUNK_TOKENS.most || (tokens >= CHUNK_TOKENS.enough && unit.opens)
    const ends = !onlyHeadings && (unit.heading !== undefined || full)
    if (ends || tokens > CHUNK_TOKENS.most) flush()
    if (unit.heading !== undefined) {
      while ((headings.at(-1)?.level ?? 0) >= unit.heading.level) headings.pop()
      headings.push(unit.heading)
    }
    if (open.length === 0 || unit.heading !== undefined) path = headings.map((heading) => heading.title)
    open.push(unit)
    onlyHeadings &&= unit.heading !== undefined
    tokens += unit.tokens
  }

  for (const units of blocks) for (const unit of units) add(unit)
  flush()
  return chunks
}
