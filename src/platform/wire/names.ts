import { z } from 'zod'
import { limits } from './limits.ts'
import { guess } from './sureness.ts'

const isFlat = (name: string) => name !== '.' && name !== '..' && !/[/\\\p{Cc}]/u.test(name)

/**
 * Plain name of a collection: 1 to 100 characters (shown). That it is one path segment without control characters is
 * a guess (D): it stands alone in paths and before a slash in ids.
 */
export const collectionName = z
  .string()
  .min(limits.collectionName.min)
  .max(limits.collectionName.max)
  .refine(isFlat, { error: 'A collection name holds no slash and no control character.' })
  .meta(guess('D', 'characters'))

/** Flat file name without `/` (shown). Its greatest length is a guess (C). */
export const fileName = z
  .string()
  .min(limits.fileName.min)
  .max(limits.fileName.max)
  .refine(isFlat, { error: 'A file name is flat: no slash and no control character.' })
  .meta(guess('C', 'length'))

/** Full id `<owner>/<name>`. */
export const collectionId = z
  .string()
  .regex(/^[^/]+\/[^/]+$/, { error: 'A collection id is <owner>/<name>.' })

/** Management takes the plain name and strips the owner from a full id. */
export function toPlainName(nameOrId: string): string {
  return nameOrId.slice(nameOrId.indexOf('/') + 1)
}

export function toCollectionId(owner: string, name: string): string {
  return `${owner}/${name}`
}
