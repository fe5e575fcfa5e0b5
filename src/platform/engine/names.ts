import { collectionName, fileName, toPlainName } from '../wire/names.ts'
import { EngineError } from './errors.ts'

/**
 * Plain name of a collection, the owner of a full id stripped.
 *
 * @throws {EngineError} `invalid`
 */
export function toCollectionName(nameOrId: string): string {
  const parsed = collectionName.safeParse(toPlainName(nameOrId).normalize('NFC'))
  if (parsed.success) return parsed.data
  throw new EngineError(
    'invalid',
    'A collection name has 1 to 100 characters, none of them a slash or a control character.',
  )
}

/**
 * Flat file name in NFC, so that the same name typed on two systems is the same file.
 *
 * @throws {EngineError} `invalid`
 */
export function toFileName(name: string): string {
  const parsed = fileName.safeParse(name.normalize('NFC'))
  if (parsed.success) return parsed.data
  throw new EngineError(
    'invalid',
    'A file name has 1 to 150 characters and is flat: no slash and no control character in it.',
  )
}
