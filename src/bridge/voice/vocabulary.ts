import { withoutRowNote } from '#lib/table-rows.ts'
import { nameOfDropper } from '../files/file-records.ts'
import type { Author } from '../port/author.ts'
import { toSourceText } from '../references/source-text.ts'
import type { Sources } from '../references/sources.ts'
import type { Store } from '../port/store.ts'

/** Characters; the prompt of a speech model holds about 224 tokens. */
const MAX_CHARS = 600
/** Share for names of files and people; the rest is for headings. */
const NAME_CHARS = 250
const PEOPLE_CHARS = 100
/** Number of the newest files whose headings are used, and how far each is read. */
const FILES = 10
const HEAD_CHARS = 50_000
const MAX_HEADING_CHARS = 60

/**
 * Words that people may say here: file names, names of the speaker and of people who dropped files, headings of the
 * newest files. Uses cached texts only, no platform request.
 */
export async function vocabulary(
  { store, sources }: { readonly store: Pick<Store, 'files'>; readonly sources: Pick<Sources, 'cached'> },
  collection: string,
  speaker: Author,
): Promise<string> {
  const entries = (await store.files.ofCollection(collection)).filter(({ state }) => state === 'ready')
  const names = entries.map(({ displayName }) => displayName.replace(/\.[^.]+$/, ''))
  if (names.length === 0) return ''
  const people = [...entries.map((entry) => nameOfDropper(entry)), speaker.name]
  const files = [...new Set(entries.map(({ fileName }) => fileName))].slice(0, FILES)
  const titles = await Promise.all(files.map(async (fileName) => headings(await sources.cached(collection, fileName))))
  const parts = [fit(names, NAME_CHARS), fit(people, PEOPLE_CHARS)]
  const room = MAX_CHARS - parts.join(', ').length - 2
  return [...parts, fit(titles.flat(), room)].filter((part) => part !== '').join(', ')
}

function headings(text: string | undefined): readonly string[] {
  const found = text === undefined ? [] : toSourceText(withoutRowNote(text).slice(0, HEAD_CHARS)).headings
  return found.map(({ value }) => value).filter((value) => value !== '' && value.length <= MAX_HEADING_CHARS)
}

/** As many words as fit, each once, none cut. */
function fit(words: readonly string[], room: number): string {
  let text = ''
  for (const word of new Set(words.map((one) => one.replaceAll(/\s+/g, ' ').trim()))) {
    const longer = text === '' ? word : `${text}, ${word}`
    if (longer.length <= room) text = longer
  }
  return text
}
