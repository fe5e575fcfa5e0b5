import { readFile } from 'node:fs/promises'
import { loadOnce } from '#lib/lru.ts'
import { errorText } from '../errors.ts'
import type { OtherWords } from '../search/types.ts'
import { createThread } from '../storage/thread.ts'
import type { EngineLog } from '../types.ts'
import { createLookup } from './lookup.ts'

/** The other words of words, in any language of the dictionaries. */
export interface Dictionary {
  /** @param words in small letters. */
  othersOf(words: readonly string[]): Promise<OtherWords>
  /** Words of the same language for nearly the same thing. */
  nearOf(words: readonly string[]): Promise<OtherWords>
  close(): Promise<void>
}

/** Words that come with Footbridge: 85 kB, read with the first question that needs them. */
const BUILT_IN = new URL('../../../lexicon/de-en.txt', import.meta.url)
const THESAURI = [
  new URL('../../../lexicon/thesaurus-en.txt', import.meta.url),
  new URL('../../../lexicon/thesaurus-de.txt', import.meta.url),
]
const load = (files: readonly URL[]) =>
  loadOnce(async () => {
    const read = await Promise.all(files.map((file) => readFile(file, 'utf8')))
    const lookUp = createLookup(read.join('\n'))
    return (words: readonly string[]): OtherWords =>
      new Map(words.map((word) => [word, lookUp(word)] as const).filter(([, others]) => others.length > 0))
  })
const builtIn = load([BUILT_IN])
const thesaurus = load(THESAURI)

/**
 * The dictionary that comes with Footbridge, and those of the operator.
 *
 * @param paths files of the operator, which are read at once in a thread: the first question shall not wait for them.
 */
export function openDictionary(paths: readonly string[], log: EngineLog): Dictionary {
  const further = paths.length > 0 ? openFiles(paths, log) : undefined
  return {
    async othersOf(words) {
      const [own, more] = await Promise.all([builtIn(), further?.othersOf(words)])
      const found = new Map(own(words))
      for (const [word, others] of more ?? []) found.set(word, [...(found.get(word) ?? []), ...others])
      return found
    },
    nearOf: async (words) => (await thesaurus())(words),
    close: async () => further?.close(),
  }
}

function openFiles(paths: readonly string[], log: EngineLog): Omit<Dictionary, 'nearOf'> {
  const thread = createThread(new URL('./worker.ts', import.meta.url), { data: { paths }, isInOrder: true })
  let isUsable = true
  function end(reason?: string): void {
    if (isUsable && reason !== undefined)
      log.warn(
        { reason },
        'Dictionary cannot be read: correct DICTIONARIES and restart; questions are asked without it',
      )
    isUsable = false
  }
  async function othersOf(words: readonly string[]): Promise<OtherWords> {
    if (!isUsable) return new Map()
    try {
      return (await thread.ask({ words })) as OtherWords
    } catch (error) {
      end(errorText(error))
      return new Map()
    }
  }
  void othersOf([])
  return {
    othersOf,
    close() {
      end()
      return thread.close()
    },
  }
}
