import { z } from 'zod'
import { guess } from './names.ts'

/** One entry of the References block as fields; its body is in the block only. */
const chatReference = z
  .object({
    /** That of its mark, from 1. */
    number: z.int().min(1),
    file: z.string(),
    /** Page (`p.3`), lines (`L10-24`) or time (`0:42`) in the file. */
    place: z.string().optional(),
    /** 0 is nearest, 1 farthest. */
    distance: z.number(),
  })
  .meta(guess('U'))

/** Next to the choices, where one of them ends with the block. */
export const chatReferences = z.array(chatReference).optional().meta(guess('U', 'the entries of the block as fields'))

export type ChatReference = z.infer<typeof chatReference>

/** One retrieved chunk in the References block. */
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
export const REFERENCES_RULE = '-'.repeat(41)

/** Shown. */
export const REFERENCES_HEADING = 'References:'

/** Mark of entry `number` (from 1) in the text and before the entry. Guess (A). */
export function referenceMark(number: number): string {
  return `[RREF${number}]`
}

/**
 * The block that ends a collection answer, to be put right after its text: a rule, the heading, one entry a chunk in
 * the order of their marks. Empty when nothing was retrieved. The form of an entry is a guess (A):
 * `[RREF1] handbook.pdf (0.135)`, then the chunk. Clients take all before the number for the name of the file, so the
 * place is not there: `toReferences` has it.
 */
export function formatReferences(entries: readonly ReferenceEntry[]): string {
  if (entries.length === 0) return ''
  const blocks = entries.map(({ file, distance, body }, index) => {
    const head = `${referenceMark(index + 1)} ${file} (${distance.toFixed(3)})`
    return `${head}\n${body}${body.endsWith('\n') ? '' : '\n'}`
  })
  return `\n${REFERENCES_RULE}\n${REFERENCES_HEADING}\n\n${blocks.join('')}`
}

/** The entries of the block as fields, in its order. */
export function toReferences(entries: readonly ReferenceEntry[]): ChatReference[] {
  return entries.map(({ file, place, distance }, index) => ({
    number: index + 1,
    file,
    ...(place === undefined || place === '' ? {} : { place }),
    distance: Number(distance.toFixed(3)),
  }))
}
