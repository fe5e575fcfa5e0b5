import type { Chunk } from './chunk.ts'
import { frontMatterLength } from './front-matter.ts'
import { markdownUnits, plainUnits } from './markdown.ts'
import { packUnits } from './pack.ts'

/** Chunks of a markdown file; its front matter is in none of them. */
export function chunkMarkdown(text: string): Chunk[] {
  const skip = frontMatterLength(text)
  const body = text.slice(skip)
  const linesBefore = text.slice(0, skip).match(/\r\n?|\n/g)?.length ?? 0
  return packUnits(body, markdownUnits(body), { linesBefore }).map((chunk) => ({
    ...chunk,
    start: chunk.start + skip,
    end: chunk.end + skip,
  }))
}

export function chunkPlainText(text: string): Chunk[] {
  return packUnits(text, plainUnits(text))
}

/**
 * Chunks of one converted page after the other. No chunk crosses a page, so that its place is exact; the headings do:
 * a section goes on overleaf. Offsets and lines count within the page.
 */
export function createPageChunker(): (page: number, markdown: string) => Chunk[] {
  const headings: { level: number; title: string }[] = []
  return (page, markdown) => packUnits(markdown, markdownUnits(markdown), { page, headings })
}
