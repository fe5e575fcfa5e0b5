import { errorText } from '../errors.ts'
import type { OtherWords } from '../search/types.ts'
import { createThread } from '../storage/thread.ts'
import type { EngineLog } from '../types.ts'

/** The other words of words, in any language of the dictionaries. */
export interface Dictionary {
  /** @param words in small letters. */
  othersOf(words: readonly string[]): Promise<OtherWords>
  close(): Promise<void>
}

/** Files are read at once: the first question shall not wait for them. */
export function openDictionary(paths: readonly string[], log: EngineLog): Dictionary {
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
