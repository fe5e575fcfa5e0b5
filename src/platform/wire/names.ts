import { z } from 'zod'
import { LIMITS } from './limits.ts'

/**
 * Guess (D): no slash, nothing that controls the terminal or the direction of writing (a name can look like another
 * one), no lone half of a character, not white space alone.
 */
const isFlat = (name: string) =>
  name.isWellFormed() &&
  name.trim() !== '' &&
  name !== '.' &&
  name !== '..' &&
  !/[/\\\p{Cc}\p{Zl}\p{Zp}\u{202A}-\u{202E}\u{2066}-\u{2069}]/u.test(name)

/** Lengths count characters, not UTF-16 code units. */
const characters = (range: { readonly min: number; readonly max: number }, error: string) =>
  z
    .string()
    .refine((name) => name.length >= range.min && (name.length <= range.max || Array.from(name).length <= range.max), {
      error: `${error} has ${range.min} to ${range.max} characters.`,
      abort: true,
    })
    .refine(isFlat, { error: `${error} holds no slash and no control character.` })

/**
 * Plain name of a collection: 1 to 100 characters (shown). That it is one path segment without control characters is a
 * guess (D): it is alone in paths and before a slash in ids.
 */
export const collectionName = characters(LIMITS.collectionName, 'A collection name').meta({
  ...guess('D', 'characters'),
  minLength: LIMITS.collectionName.min,
  maxLength: LIMITS.collectionName.max,
})

/** Flat file name without `/` (shown). Its greatest length is a guess (C). */
export const fileName = characters(LIMITS.fileName, 'A file name').meta({
  ...guess('C', 'length'),
  minLength: LIMITS.fileName.min,
  maxLength: LIMITS.fileName.max,
})

/** Full id `<owner>/<name>`. */
export const collectionId = z.string().regex(/^[^/]+\/[^/]+$/, { error: 'A collection id is <owner>/<name>.' })

/** Management takes the plain name and strips the owner from a full id. */
export function toPlainName(nameOrId: string): string {
  return nameOrId.slice(nameOrId.indexOf('/') + 1)
}

export function toCollectionId(owner: string, name: string): string {
  return `${owner}/${name}`
}

/**
 * How sure a name or shape is that the interface calls "not shown". A: seen on the wire or in server source. B: two
 * independent clients or official documentation. C: one client. D: inferred from the server's software. U: unknown, our
 * own choice.
 */
export type Certainty = 'A' | 'B' | 'C' | 'D' | 'U'

/** Schema metadata that marks a guess; it shows as an extension in every JSON schema made from the contract. */
export function guess(certainty: Certainty, note?: string) {
  return { 'x-sureness': certainty, 'x-guess': note }
}
