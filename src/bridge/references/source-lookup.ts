import { fileKindOf } from '#lib/file-kind.ts'
import { normalized } from '#lib/unicode.ts'
import { isLive } from '../files/file-records.ts'
import type { FileRecords, FileRecord } from '../port/records.ts'
import { findQuote } from './match-quote.ts'
import type { SourceText } from './source-text.ts'
import type { Sources } from './sources.ts'

/** A file that a passage may come from. */
export interface FoundFile {
  readonly collection: string
  /** Its name in the collection. */
  readonly fileName: string
  readonly source: SourceText
  /** Its file record, if it was dropped through us. */
  readonly entry?: FileRecord
}

/** `missing`: no such file. `unread`: its text could not be read in time. */
export type Search =
  | { readonly kind: 'found'; readonly file: FoundFile }
  | { readonly kind: 'unread'; readonly entry?: FileRecord; readonly fileName: string }
  | { readonly kind: 'missing' }

const MISSING = { kind: 'missing' } as const
/** Most files that are searched for a passage whose file has another name here. */
const MAX_SEARCHED_FILES = 30
/** A shorter passage occurs in some file by chance. */
const MIN_PASSAGE_LETTERS = 40

/** Passages that are looked for in one file. */
interface Passages {
  readonly bodies: readonly string[]
  /** Gets the cached text while a newer one is looked for. */
  readonly onFound: (search: Search) => void
}

export interface FileLookup {
  /** Finds the newest file of this name in the block. */
  byName(name: string, passages: Passages): Promise<Search>
}

/** Looks up files of these collections, by the file records and on the platform. */
export async function openFileLookup(
  ports: { readonly files: FileRecords; readonly sources: Sources },
  collections: readonly string[],
): Promise<FileLookup> {
  const entries = (await Promise.all(collections.map((name) => ports.files.ofCollection(name)))).flat()

  async function read(collection: string, fileName: string, entry?: FileRecord): Promise<Search> {
    try {
      const source = await ports.sources.read(collection, fileName)
      if (source === undefined) return MISSING
      const file = { collection, fileName, source, entry }
      return { kind: 'found', file }
    } catch {
      return { kind: 'unread', fileName, entry }
    }
  }

  /** A cached text without one of the passages may be outdated: it is read again. */
  async function readNewest({ bodies, onFound }: Passages, collection: string, name: string, entry?: FileRecord) {
    const first = await read(collection, name, entry)
    if (first.kind !== 'found') return first
    const { source } = first.file
    const lacking = bodies.filter((body) => body !== '' && findQuote(source, body) === undefined)
    if (lacking.length === 0) return first
    const hasSome = lacking.length < bodies.length
    if (hasSome) onFound(first)
    if (!(await ports.sources.invalidate(collection, name))) return first
    const again = await read(collection, name, entry)
    return again.kind === 'unread' && hasSome ? first : again
  }

  async function byBody(bodies: readonly string[]): Promise<Search> {
    const telling = bodies.filter((body) => body.length >= MIN_PASSAGE_LETTERS)
    if (telling.length === 0) return MISSING
    for (const entry of newestOf(entries).slice(0, MAX_SEARCHED_FILES)) {
      const search = await read(entry.collection, entry.fileName, entry)
      if (search.kind !== 'found') continue
      const { source } = search.file
      if (telling.some((body) => findQuote(source, body)?.exact === true)) return search
    }
    return MISSING
  }

  return {
    async byName(name, passages) {
      const wanted = normalized(name, 'NFC')
      const named = entries.filter(({ fileName, displayName }) =>
        [fileName, normalized(displayName, 'NFC')].includes(wanted),
      )
      const entry = named.find(isLive) ?? named.find(({ state }) => ['ready', 'uploading'].includes(state))
      if (entry !== undefined) return readNewest(passages, entry.collection, entry.fileName, entry)
      if (named[0]?.state === 'removed') return MISSING
      // The file may have been uploaded by another program.
      for (const collection of collections) {
        const search = await readNewest(passages, collection, wanted)
        if (search.kind !== 'missing') return search
      }
      return byBody(passages.bodies)
    },
  }
}

/** The live record of each file. */
function newestOf(entries: readonly FileRecord[]): readonly FileRecord[] {
  const seen = new Set<string>()
  return entries.filter((entry) => {
    const { collection, fileName } = entry
    const key = `${collection}\n${fileName}`
    if (!isLive(entry) || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** Display name: of `x.docx.md`, converted from `x.docx`, the latter. */
export function displayNameOf(fileName: string, entry: FileRecord | undefined): string {
  if (entry !== undefined) return entry.displayName
  const original = fileName.replace(/\.md$/i, '')
  return original !== fileName && fileKindOf(original, '') === 'convertible' ? original : fileName
}

/** Whether its lines are those of a conversion, which people do not see. */
export function isConverted(fileName: string, entry: FileRecord | undefined): boolean {
  if (!/\.md$/i.test(fileName)) return false
  const { displayName, attachment } = entry ?? { displayName: displayNameOf(fileName, undefined) }
  return fileKindOf(displayName, attachment?.mimeType ?? '') !== 'native'
}
