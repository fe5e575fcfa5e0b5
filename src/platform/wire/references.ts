/** What one retrieved chunk becomes in the block. */
export interface ReferenceEntry {
  /** Flat name of the file. */
  readonly file: string
  /** Place in the file: `p.3`, `L10-24`, `0:42`. */
  readonly place?: string
  /** 0 is nearest, 1 farthest; shown with three decimals. */
  readonly distance: number
  /** The chunk, verbatim, without YAML front matter. */
  readonly body: string
}

/** 41 hyphens. Guess (A). */
export const referencesRule = '-'.repeat(41)

/** Shown. */
export const referencesHeading = 'References:'

/** Mark of entry `number` (from 1) in the text and before the entry. Guess (A). */
export function referenceMark(number: number): string {
  return `[RREF${number}]`
}

/**
 * The block that ends a collection answer, to be put right after its text: a rule, the heading, one entry a chunk in
 * the order of their marks. Empty when nothing was retrieved. The form of an entry is a guess (A):
 * `[RREF1] handbook.pdf p.3 (0.135)`, then the chunk.
 */
export function formatReferences(entries: readonly ReferenceEntry[]): string {
  if (entries.length === 0) return ''
  const blocks = entries.map(({ file, place, distance, body }, index) => {
    const where = place === undefined ? file : `${file} ${place}`
    const head = `${referenceMark(index + 1)} ${where} (${distance.toFixed(3)})`
    return `${head}\n${body}${body.endsWith('\n') ? '' : '\n'}`
  })
  return `\n${referencesRule}\n${referencesHeading}\n\n${blocks.join('')}`
}
