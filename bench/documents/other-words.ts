import { promptText, type ChatAnswer, type UpstreamRequest } from '#test/doubles/upstream/script.ts'
import { begins, isDense, wordsOf } from './encoder.ts'
import { meanings } from './lexicon.ts'

const asksForWords = 'Give other words for what is asked'

/** Plausible words that are in no paper. */
const useless =
  'procedure beneficiary eligibility Verwaltungsakt Bescheinigung trámite ayuntamiento réglementation'.split(' ')

/**
 * The scripted model that is asked for other words: it gives those of the lexicon that mean the same as a word of the question,
 * and says the question again where the lexicon knows none. Undefined: it is asked something else.
 *
 * @param spoiled eight words that lead nowhere precede them.
 */
export function giveOtherWords(request: UpstreamRequest, spoiled: boolean): ChatAnswer | undefined {
  const prompt = promptText(request)
  if (!prompt.includes(asksForWords)) return undefined
  const question = prompt.slice(prompt.lastIndexOf('\n> ') + 3)
  const others = otherWordsFor(question)
  if (others.length === 0) return { kind: 'chat', text: question }
  return { kind: 'chat', text: [...(spoiled ? useless : []), ...others].join(' ') }
}

function otherWordsFor(question: string): readonly string[] {
  const words = wordsOf(question)
  const isSaid = (word: string) => (isDense(word) ? question.includes(word) : words.some((one) => begins(one, word)))
  const found = meanings.filter((meaning) => meaning.some(isSaid)).flat()
  return [...new Set(found)].filter((word) => !isSaid(word))
}
