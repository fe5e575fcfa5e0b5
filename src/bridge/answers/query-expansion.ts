import { isPlatformFailure } from '../texts/failure-sentence.ts'
import type { ChatRequest } from '../port/platform.ts'
import { keptLanguages } from './files-language.ts'
import { toOtherWords } from './other-words.ts'
import { readAnswer, type Out, type ReadAnswer } from './read-answer.ts'
import type { AskPorts, AskRun } from './question.ts'

/** Where an answer goes that may take two looks. */
export interface LookingOut extends Out {
  /** The first look found nothing; it is searched for in other words. */
  readonly looksAgain: () => void
}

/**
 * Looks once more, in other words, for what the first look did not find (docs/adr/0014). Its calls leave the last tenth of
 * the platform's quota alone and wait for no limit: where there is no room now, there is no second look.
 *
 * @param first.toRequest the request of this question with this query behind it.
 * @param first.query what the question was completed to, where it was.
 * @returns undefined where nothing came of it, whatever the reason: then the first look stands.
 * @throws {Error} when the work was aborted; and the failure of an answer that people saw a part of.
 */
export async function lookAgain(
  ports: Pick<AskPorts, 'background' | 'store' | 'sources'>,
  run: Pick<AskRun, 'question' | 'signal' | 'log'>,
  first: {
    readonly model: string
    readonly collection: string
    readonly query: string | undefined
    readonly toRequest: (query: string) => ChatRequest
  },
  out: LookingOut,
): Promise<{ readonly answer: ReadAnswer; readonly query: string } | undefined> {
  const { background } = ports
  const { question, signal, log } = run
  const { model, collection, query, toRequest } = first
  signal.throwIfAborted()
  const full = new AbortController()
  const waits = () => full.abort()
  const ends = AbortSignal.any([signal, full.signal])
  let shown = false
  const push = (text: string) => {
    if (text.trim() !== '') shown = true
    out.push(text)
  }
  out.looksAgain()
  try {
    const languages = await keptLanguages(ports, collection)
    const asked = { question: query ?? question, model, languages }
    const words = await toOtherWords(background, asked, { signal: ends, onWait: waits })
    if (words === undefined) {
      log.debug({}, 'No second look: no other words came')
      return undefined
    }
    const searched = query === undefined ? words : `${query} ${words}`
    const options = { question, signal: ends, out: { push, waits }, holds: true }
    return { answer: await readAnswer(background, toRequest(searched), options), query: searched }
  } catch (error) {
    if (signal.aborted || shown) throw error
    if (full.signal.aborted || (isPlatformFailure(error) && error.code === 'rate-limited'))
      log.info({}, 'No second look: what is left of the platform’s quota is for questions')
    else log.warn({ err: error }, 'A second look in other words failed; the first one stands')
    return undefined
  }
}
