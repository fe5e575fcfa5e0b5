import type { FileRow } from '../storage/catalog.ts'

/** Larger ones are worth a transaction of their own, and are read piece by piece. */
const SMALL_BYTES = 512 * 1024
/** Of all in a group: the text of as many is held in memory at once. */
const GROUP_BYTES = 2 * 1024 * 1024

const isSmall = (file: FileRow) => file.format !== 'pdf' && file.sizeBytes <= SMALL_BYTES

/** Files in order; small ones that follow each other, at most so many, together. */
export function* toGroups(files: readonly FileRow[], most: number): Generator<readonly FileRow[]> {
  let group: FileRow[] = []
  let bytes = 0
  for (const file of files) {
    bytes += file.sizeBytes
    if (group.length > 0 && (group.length >= most || bytes > GROUP_BYTES || !isSmall(file))) {
      yield group
      group = []
      bytes = file.sizeBytes
    }
    if (isSmall(file)) {
      group.push(file)
      continue
    }
    yield [file]
    bytes = 0
  }
  if (group.length > 0) yield group
}
