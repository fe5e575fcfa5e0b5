import { isPlatformFailure } from '../port/errors.ts'
import type { Platform } from '../port/platform.ts'
import type { Sources } from '../references/sources.ts'
import type { Store } from '../port/store.ts'
import { textLanguage } from '#lexicon/text-language.ts'
import { withoutRowNote } from '#lib/table-rows.ts'

/** Number of the newest files that decide the language of a collection. */
const FILES = 5
const MAX_BYTES = 300_000
const SAMPLE_CHARS = 4000

interface KeptTexts {
  readonly store: Pick<Store, 'files'>
  readonly sources: Pick<Sources, 'cached'>
}

/** The language of most of the newest files with readable text; undefined if none can be detected. */
export async function filesLanguage(
  { platform, store, sources }: KeptTexts & { readonly platform: Pick<Platform, 'files'> },
  collection: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const languages = await Promise.all((await newestFiles(store, collection)).map(read))
  return mostFrequent(languages)[0]

  async function read(fileName: string): Promise<string | undefined> {
    const kept = await sources.cached(collection, fileName)
    if (kept !== undefined) return textLanguage(sampleOf(kept))
    // The text of a PDF is cached only after its first use.
    if (!/\.(?:md|markdown|txt)$/i.test(fileName)) return undefined
    try {
      const bytes = await platform.files.download(collection, fileName, { signal, maxBytes: MAX_BYTES })
      return textLanguage(sampleOf(new TextDecoder().decode(bytes)))
    } catch (error) {
      // A file that is too long or was just deleted is skipped.
      if (isPlatformFailure(error)) return undefined
      throw error
    }
  }
}

/** The languages of the newest files with a cached text, most frequent first. Makes no platform request. */
export async function keptLanguages({ store, sources }: KeptTexts, collection: string): Promise<readonly string[]> {
  const files = await newestFiles(store, collection)
  const texts = await Promise.all(files.map((fileName) => sources.cached(collection, fileName)))
  return mostFrequent(texts.map((text) => text && textLanguage(sampleOf(text))))
}

async function newestFiles({ files }: Pick<Store, 'files'>, collection: string): Promise<readonly string[]> {
  const entries = await files.ofCollection(collection)
  return entries
    .filter(({ state }) => state === 'ready')
    .slice(0, FILES)
    .map(({ fileName }) => fileName)
}

function mostFrequent(languages: readonly (string | undefined)[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const language of languages) {
    if (language) counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([language]) => language)
}

/** Removes the lines that a conversion writes above and between pages: they are not in the language of the file. */
const sampleOf = (text: string) =>
  withoutRowNote(text)
    .slice(0, 2 * SAMPLE_CHARS)
    .replaceAll(/<!--.{0,200}?-->/g, '')
    .slice(0, SAMPLE_CHARS)
