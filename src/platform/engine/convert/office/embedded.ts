import type { Source } from '../reader.ts'
import type { Archive } from './zip.ts'

/** Documents that one document may embed; those within them have their own limits. */
const MAX_DOCUMENTS = 20

/** Texts of embedded documents under their names, in order. */
export async function readEmbedded(
  archive: Archive,
  { readInner }: Source,
  paths: readonly (string | undefined)[],
): Promise<string[]> {
  const texts: string[] = []
  for (const path of new Set(paths.slice(0, MAX_DOCUMENTS))) {
    const name = path?.split('/').at(-1) ?? ''
    const bytes = readInner === undefined ? undefined : archive.need(path)
    // oxlint-disable-next-line no-await-in-loop -- in order
    const markdown = bytes === undefined ? undefined : await readInner?.(name, bytes)
    if (markdown !== undefined && markdown !== '') texts.push(`*Embedded: ${name}*`, markdown)
  }
  return texts
}
