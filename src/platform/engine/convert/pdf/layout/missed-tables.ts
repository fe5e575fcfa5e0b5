const lettersOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.join('') ?? ''

/** Fewer letters may be anywhere by chance. */
const MIN_LETTERS = 12
/** Tables and paragraphs of a page that are compared. */
const MAX_TRIES = 5000

/** Paragraphs that hold the letters of a table one after the other, with the table in their place. */
export function withMissedTables(markdown: string, tables: readonly string[]): string {
  let blocks: readonly string[] = markdown.split('\n\n')
  let tries = 0
  for (const table of tables) {
    const letters = lettersOf(table)
    if (letters.length < MIN_LETTERS) continue
    tries += blocks.length
    if (tries > MAX_TRIES) break
    blocks = blocks.flatMap((block) => (/^(?:\||```)/.test(block) ? [block] : replaceWithin(block, letters, table)))
  }
  return blocks.join('\n\n')
}

/** Signs around the letters of a table. */
const edgesOf = (table: string): readonly string[] => {
  const text = table.replaceAll(/[|\\\s]+/g, ' ').trim()
  return [/^[^\p{L}\p{N}]*/u, /[^\p{L}\p{N}]*$/u].map(
    (edge) => edge.exec(text.slice(0, 40) + text.slice(-40))?.[0].trim() ?? '',
  )
}

/** The paragraph before a table, the table, and the paragraph after it; the block alone where the table is not in it. */
function replaceWithin(block: string, letters: string, table: string): readonly string[] {
  const at = lettersOf(block).indexOf(letters)
  if (at === -1) return [block]
  // A sign may have two places: those of its halves.
  const places = [...block.matchAll(/[\p{L}\p{N}]/gu)].flatMap(({ 0: sign, index }) =>
    Array.from({ length: sign.length }, (_, half) => index + half),
  )
  const [start, last] = [places[at], places[at + letters.length - 1]]
  if (start === undefined || last === undefined) return [block]
  const [before, after] = [block.slice(0, start), block.slice(last + 1)]
  // A cell ends with a word.
  if (/[\p{L}\p{N}]$/u.test(before) || /^[\p{L}\p{N}]/u.test(after)) return [block]
  const [head = '', tail = ''] = edgesOf(table)
  const above = before.replace(/^#+\s*$/, '').trim()
  const below = after.trim()
  return [
    above.endsWith(head) ? above.slice(0, above.length - head.length).trim() : above,
    table,
    below.startsWith(tail) ? below.slice(tail.length).trim() : below,
  ].filter((part) => /[\p{L}\p{N}]/u.test(part))
}
