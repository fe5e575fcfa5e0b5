import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import type * as Yaml from 'yaml'
import { decodeText } from '../text/decode.ts'
import { detectLanguage } from '../text/languages.ts'
import { markdownBlocks, plainBlocks } from './blocks.ts'
import { packBlocks } from './pack.ts'
import { type Chunk, toLines } from './units.ts'

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?<yaml>[\s\S]*?)(?<=\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/

/** Longest front matter: beyond it the `---` at the top is a thematic break. */
const MAX_LENGTH = 65_536

/** Characters parsed to tell keys from prose: hostile YAML takes quadratic time. */
const MAX_PARSED = 4096

const KEY_LINE = /^[\w."'-][\w \t."'-]{0,100}:(?:\s|$)/m

/**
 * Length of the YAML front matter at the start of a markdown text, closing line included; 0 without one. The YAML is
 * only looked at, never run and never expanded (no aliases, no tags): a thematic break followed by prose is no front matter.
 */
function frontMatterLength(text: string): number {
  const match = FRONT_MATTER.exec(text.slice(0, MAX_LENGTH))
  if (match === null) return 0
  const yaml = match.groups?.['yaml'] ?? ''
  if (yaml.trim() === '') return match[0].length
  // Loaded for the first front matter: it is two fifths of the files that a thread of the index reads at its start.
  const { isMap, parseDocument }: typeof Yaml = createRequire(import.meta.url)('yaml')
  const document = parseDocument(yaml.slice(0, MAX_PARSED), { logLevel: 'silent', prettyErrors: false })
  // Invalid YAML with keys was meant as front matter: better left out than shown.
  const meant = isMap(document.contents) || (document.errors.length > 0 && KEY_LINE.test(yaml))
  return meant ? match[0].length : 0
}

/** Chunks of a markdown file; no chunk contains its front matter. */
export function chunkMarkdown(text: string): Chunk[] {
  const skip = frontMatterLength(text)
  const body = text.slice(skip)
  const linesBefore = text.slice(0, skip).match(/\r\n?|\n/g)?.length ?? 0
  const lines = toLines(body)
  return packBlocks(lines, markdownBlocks(lines), { linesBefore, charactersBefore: skip })
}

export function chunkPlainText(text: string): Chunk[] {
  return packBlocks(toLines(text), plainBlocks(text))
}

/**
 * Chunks of converted pages, in order. No chunk crosses a page, so its place is exact; headings continue on the next
 * page. Offsets and lines count within the page.
 */
export function createPageChunker(): (page: number, markdown: string) => Chunk[] {
  const headings: { level: number; title: string }[] = []
  return (page, markdown) => {
    const lines = toLines(markdown)
    return packBlocks(lines, markdownBlocks(lines), { page, headings })
  }
}

/** A file to be indexed: stored text, or converted pages (one JSON line a page). */
export type IndexSource =
  | { readonly kind: 'markdown' | 'text'; readonly path: string }
  | { readonly kind: 'pages'; readonly path: string }
  | PassagesSource

/** Chunks as another index holds them; their offsets are not stored. */
export interface PassagesSource {
  readonly kind: 'passages'
  readonly language: string
  /** Version of the analyser that cut them. */
  readonly analyser: number
  readonly chunks: readonly Omit<Chunk, 'start' | 'end'>[]
}

export interface ConvertedPage {
  readonly page: number
  readonly markdown: string
}

async function* readPages(path: string): AsyncGenerator<ConvertedPage> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) if (line !== '') yield JSON.parse(line) as ConvertedPage
}

/** Chunks in batches, of a page or of the whole text: one by one, each would cost a turn of the event loop. */
async function* readChunks(source: Exclude<IndexSource, PassagesSource>): AsyncGenerator<readonly Chunk[]> {
  if (source.kind === 'pages') {
    const chunkPage = createPageChunker()
    for await (const { page, markdown } of readPages(source.path)) yield chunkPage(page, markdown)
    return
  }
  const text = decodeText(await readFile(source.path))
  yield source.kind === 'markdown' ? chunkMarkdown(text) : chunkPlainText(text)
}

/** Number of first chunks that decide the language of a file. */
const SAMPLE_CHUNKS = 20

export interface ChunkBatch {
  readonly language: string
  readonly chunks: readonly Chunk[]
}

/** Chunks of a file in order, at most `size` (more than 20) at a time. */
export async function* readBatches(source: IndexSource, size: number): AsyncGenerator<ChunkBatch> {
  if (source.kind === 'passages') {
    for (let at = 0; at < source.chunks.length; at += size) {
      const chunks = source.chunks.slice(at, at + size).map((chunk) => ({ ...chunk, start: 0, end: 0 }))
      yield { language: source.language, chunks }
    }
    return
  }
  let language: string | undefined
  let chunks: Chunk[] = []
  const toBatch = (): ChunkBatch => {
    language ??= detectLanguage(chunks.map((chunk) => chunk.body).join('\n'))
    const batch = { language, chunks }
    chunks = []
    return batch
  }
  for await (const read of readChunks(source)) {
    for (const chunk of read) {
      chunks.push(chunk)
      if (chunks.length >= (language === undefined ? SAMPLE_CHUNKS : size)) yield toBatch()
    }
  }
  if (chunks.length > 0) yield toBatch()
}
