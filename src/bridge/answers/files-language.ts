import { isPlatformFailure } from '../texts/errors.ts'
import type { Platform } from '../port/platform.ts'
import type { Sources } from '../references/sources.ts'
import type { Store } from '../port/store.ts'
import { textLanguage } from '../../lib/language.ts'

/** So many of the newest files tell what language a collection speaks. */
const FILES = 5
const MAX_BYTES = 300_000
const SAMPLE_CHARS = 4000

interface KeptTexts {
  readonly store: Pick<Store, 'files'>
  readonly sources: Pick<Sources, 'kept'>
}

/** The language of most of the newest files whose text is there to be read; undefined where nothing tells. */
export async function filesLanguage(
  { platform, store, sources }: KeptTexts & { readonly platform: Pick<Platform, 'files'> },
  collection: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const told = await Promise.all((await newestFiles(store, collection)).map(read))
  return mostFrequent(told)[0]

  async function read(fileName: string): Promise<string | undefined> {
    const kept = await sources.kept(collection, fileName)
    if (kept !== undefined) return textLanguage(sampleOf(kept))
    // A PDF whose text was not needed yet has no text here.
    if (!/\.(?:md|markdown|txt)$/i.test(fileName)) return undefined
    try {
      const bytes = await platform.files.download(collection, fileName, { signal, maxBytes: MAX_BYTES })
      return textLanguage(sampleOf(new TextDecoder().decode(bytes)))
    } catch (error) {
      // One that is too long or was just deleted tells nothing.
      if (isPlatformFailure(error)) return undefined
      throw error
    }
  }
}

/** The languages of the newest files whose text is kept, that of most files first. Asks nothing of the platform. */
export async function keptLanguages({ store, sources }: KeptTexts, collection: string): Promise<readonly string[]> {
  const files = await newestFiles(store, collection)
  const texts = await Promise.all(files.map((fileName) => sources.kept(collection, fileName)))
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

/** Without what a conversion writes between the pages: its words are in no language of the file. */
const sampleOf = (text: string) =>
  text
    .slice(0, 2 * SAMPLE_CHARS)
    .replaceAll(/<!--.{0,200}?-->/g, '')
    .slice(0, SAMPLE_CHARS)
