import type { Source } from '../reader.ts'
import type { Archive } from './zip.ts'

/** Documents that one document may embed; those within them have their own limits. */
export const MAX_DOCUMENTS = 20

/** A document within another one: its name, and its bytes where they are there. */
export interface Embedded {
  readonly name: string
  readonly bytes: Buffer | undefined
  /** The ending of a file of its kind, where its name has none. */
  readonly ending?: string
}

/** Texts of embedded documents under their names, in order. */
export async function readInnerDocuments({ readInner }: Source, documents: readonly Embedded[]): Promise<string[]> {
  const texts: string[] = []
  for (const { name, bytes, ending = '' } of documents.slice(0, MAX_DOCUMENTS)) {
    // oxlint-disable-next-line no-await-in-loop -- in order
    const markdown = bytes === undefined ? undefined : await readInner?.(`${name}${ending}`, bytes)
    if (markdown !== undefined && markdown !== '') texts.push(`*Embedded: ${name}*`, markdown)
  }
  return texts
}

/** Texts of parts that hold documents. */
export const readEmbedded = (
  archive: Archive,
  source: Source,
  paths: readonly (string | undefined)[],
): Promise<string[]> =>
  readInnerDocuments(
    source,
    [...new Set(paths)]
      .slice(0, MAX_DOCUMENTS)
      .map((path) => ({
        name: path?.split('/').at(-1) ?? '',
        bytes: source.readInner === undefined ? undefined : archive.need(path),
      })),
  )
