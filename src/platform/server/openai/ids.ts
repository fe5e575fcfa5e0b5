import type { CollectionRow, FileRow } from '#platform/engine/storage/catalog.ts'
import { collectionId, toCollectionId } from '#platform/wire/names.ts'

const STORE = 'vs_'
const FILE = /^file-([0-9a-f]{24})-([\w-]+)$/
const MARK_LENGTH = 24

const encode = (text: string) => Buffer.from(text).toString('base64url')
const decode = (text: string) => Buffer.from(text, 'base64url').toString()

/** Id of a vector store: that of its collection, in a form that clients of OpenAI expect. It grants nothing. */
export const toStoreId = (row: Pick<CollectionRow, 'ownerName' | 'name'>): string =>
  `${STORE}${encode(toCollectionId(row.ownerName, row.name))}`

/** Full id of the collection of a vector store. A name or an id of a collection is taken as it is. */
export function toCollection(storeId: string): string {
  if (!storeId.startsWith(STORE)) return storeId
  const id = decode(storeId.slice(STORE.length))
  return collectionId.safeParse(id).success && `${STORE}${encode(id)}` === storeId ? id : storeId
}

/** Whether it has the form of an id of a vector store. */
export const isStoreId = (id: string): boolean => toCollection(id) !== id

/**
 * Id of a file: its name and a part of the hash of its bytes, so it is the same in each collection that the file is in,
 * and another one once its content changes.
 */
export const toFileId = ({ name, sha256 }: Pick<FileRow, 'name' | 'sha256'>): string =>
  `file-${sha256.slice(0, MARK_LENGTH)}-${encode(name)}`

/** The name in an id of a file; undefined: the id has another form. */
export function nameInFileId(id: string): string | undefined {
  const [, , name] = FILE.exec(id) ?? []
  return name === undefined ? undefined : decode(name)
}

/** Whether it has the form of an id of a file. */
export const isFileId = (id: string): boolean => nameInFileId(id) !== undefined
