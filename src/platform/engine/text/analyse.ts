import { toLanguage } from './languages.ts'
import { toWords, type Word } from './words.ts'

/** Words come again and again: a bounded memory of their terms is twice as fast as the stemmers. */
const wordsKept = 50_000
const memories = new Map<string, Map<string, string>>()

function memoryOf(code: string): Map<string, string> {
  const known = memories.get(code)
  if (known !== undefined && known.size < wordsKept) return known
  const made = new Map<string, string>()
  memories.set(code, made)
  return made
}

function makeTerm(word: Word, code: string): string {
  if (!word.inflected) return word.text
  const { stopWords, stem } = toLanguage(code)
  // An apostrophe would split the term in the full-text table.
  return stopWords.has(word.text) ? '' : stem(word.text).replaceAll("'", '')
}

function recall(memory: Map<string, string>, word: Word, code: string): string {
  const known = memory.get(word.text)
  if (known !== undefined) return known
  const made = makeTerm(word, code)
  memory.set(word.text, made)
  return made
}

/** The index term of a word in this language; undefined for a stop word. */
export function toTerm(word: Word, code: string): string | undefined {
  const term = recall(memoryOf(code), word, code)
  return term === '' ? undefined : term
}

/** Terms of a text in order: the same for documents and for questions. */
export function analyse(text: string, code: string): string[] {
  const memory = memoryOf(code)
  const terms: string[] = []
  for (const word of toWords(text)) {
    const term = recall(memory, word, code)
    if (term !== '') terms.push(term)
  }
  return terms
}
