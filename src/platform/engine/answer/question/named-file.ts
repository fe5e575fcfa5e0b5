import { allSet } from '#lexicon/match.ts'
import type { Passage } from '#platform/engine/api/retrieve.ts'
import { isSameWord, toStem, toWordList } from '../tables/stems.ts'

const SMALL = allSet('search', 'stopWords')
/** A question may have a single word of a name by chance. */
const MIN_WORDS = 2

/** Endings of a file; a converted one has two. */
const ENDINGS = /(?:\.[\p{L}\d]{1,5}){1,2}$/u

/** The words of a file's name, without its endings and numbers. */
const wordsOf = (file: string): readonly string[] =>
  toWordList(file.replace(ENDINGS, '').replaceAll(/[\d_-]+/g, ' ')).filter(
    (word) => word.length > 2 && !SMALL.has(word),
  )

/** The file whose name is in the question with all of its words; undefined unless there is exactly one. */
export function namedFile(question: string, passages: readonly Passage[]): string | undefined {
  const asked = toWordList(question).map(toStem)
  const named = [...new Set(passages.map(({ file }) => file))].filter((file) => {
    const words = wordsOf(file)
    return words.length >= MIN_WORDS && words.every((word) => asked.some((one) => isSameWord(one, toStem(word))))
  })
  return named.length === 1 ? named[0] : undefined
}
