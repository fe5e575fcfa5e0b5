import type { Chunk } from './chunk.ts'
import { frontMatterLength } from './front-matter.ts'
import { toLines } from './lines.ts'
import { markdownBlocks, plainBlocks } from './blocks.ts'
import { packBlocks } from './pack.ts'

/** Chunks of a markdown file; its front matter is in none of them. */
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
 * Chunks of one converted page after the other. No chunk crosses a page, so that its place is exact; the headings do:
 * a section goes on overleaf. Offsets and lines count within the page.
 */
export function createPageChunker(): (page: number, markdown: string) => Chunk[] {
  const headings: { level: number; title: string }[] = []
  return (page, markdown) => {
    const lines = toLines(markdown)
    return packBlocks(lines, markdownBlocks(lines), { page, headings })
  }
}
