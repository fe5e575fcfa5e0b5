import { collectionName, fileName, toPlainName } from '../../wire/names.ts'
import { EngineError } from '../errors.ts'

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
    'A collection name has 1 to 100 characters, none of them a slash, a control character or one that turns the direction of writing.',
  )
}

/** It stands before the slash of a collection's id, in paths and in lists. */
const USER_NAME = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/i

/** @throws {EngineError} `invalid` */
export function userName(name: string): string {
  if (USER_NAME.test(name)) return name
  throw new EngineError(
    'invalid',
    'A user name has 1 to 64 letters, digits, dots, hyphens and underscores, and begins and ends with a letter or digit.',
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
    'A file name has 1 to 150 characters and is flat: no slash in it, no control character and none that turns the direction of writing.',
  )
}
