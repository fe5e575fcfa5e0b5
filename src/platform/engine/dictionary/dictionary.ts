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
  close(): Promise<void>
}

/** Words of German and English that come with Footbridge: 40 kB, read with the first question that needs them. */
const BUILT_IN = new URL('../../../lexicon/de-en.txt', import.meta.url)
const builtIn = loadOnce(async () => createLookup(await readFile(BUILT_IN, 'utf8')))

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
      const all = words.map((word) => [word, [...own(word), ...(more?.get(word) ?? [])]] as const)
      return new Map(all.filter(([, others]) => others.length > 0))
    },
    close: async () => further?.close(),
  }
}

function openFiles(paths: readonly string[], log: EngineLog): Dictionary {
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
