import type { Retrieved } from '#platform/engine/api/retrieve.ts'
import { toLanguage } from '#platform/engine/text/languages.ts'
import { ASKING, nearestWords, smallWordOf, swapsOf } from '#platform/engine/text/slips.ts'
import { toTerm } from '#platform/engine/text/terms.ts'
import { normalize, toWords } from '#platform/engine/text/words.ts'

const WORD = /\p{L}{3,}/gu

/**
 * The question with its typing errors mended. A word that is neither in the passages nor one that questions are made of
 * becomes the one that it is nearest to.
 */
export function asMeant(question: string, { passages, language }: Retrieved): string {
  if (passages.length === 0) return question
  const texts = passages.flatMap(({ file, headings, lead, body }) => [file, ...headings, lead, body])
  const there = new Set(toWords(texts.join('\n')).map(({ text }) => text))
  const terms = new Set(Array.from(there, (text) => toTerm({ text, inflected: true }, language)))
  const small = new Set([...toLanguage(language).stopWords, ...ASKING])
  return question.replaceAll(WORD, (typed) => {
    const word = normalize(typed)
    if (there.has(word) || small.has(word) || terms.has(toTerm({ text: word, inflected: true }, language))) return typed
    const swapped = swapsOf(word).find((one) => there.has(one))
    const meant = swapped ?? smallWordOf(word, small)
    if (meant !== undefined) return meant
    const [nearest, ...more] = nearestWords(word, there)
    return nearest === undefined || more.length > 0 || nearest[0] !== word[0] ? typed : nearest
  })
}
