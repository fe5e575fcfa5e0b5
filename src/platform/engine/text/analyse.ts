import { toLanguage } from './languages.ts'
import { toWords, type Word } from './words.ts'

/** Stems are looked up again and again: a bounded memory of them is twice as fast as the stemmers. */
const stemsKept = 50_000
const stems = new Map<string, Map<string, string>>()

function stem(word: string, code: string): string {
  let known = stems.get(code)
  if (known === undefined || known.size > stemsKept) {
    known = new Map()
    stems.set(code, known)
  }
  const found = known.get(word)
  if (found !== undefined) return found
  // An apostrophe would split the term in the full-text table.
  const made = toLanguage(code).stem(word).replaceAll("'", '')
  known.set(word, made)
  return made
}

/** The index term of a word in this language; undefined for a stop word. */
export function toTerm(word: Word, code: string): string | undefined {
  if (!word.inflected) return word.text
  if (toLanguage(code).stopWords.has(word.text)) return undefined
  return stem(word.text, code)
}

/** Terms of a text in order: the same for documents and for questions. */
export function analyse(text: string, code: string): string[] {
  const terms: string[] = []
  for (const word of toWords(text)) {
    const term = toTerm(word, code)
    if (term !== undefined && term !== '') terms.push(term)
  }
  return terms
}
