import { toLanguage } from './languages.ts'
import { readPlainTerms, recall } from './plain-words.ts'
import { createTermMemory, type TermMemory } from './term-memory.ts'
import { normalize, toWords, type Word } from './words.ts'

const memories = new Map<string, TermMemory>()

function memoryOf(code: string): TermMemory {
  const known = memories.get(code)
  if (known !== undefined) return known
  const made = createTermMemory((word) => makeTerm(word, code))
  memories.set(code, made)
  return made
}

/** Empty for a stop word. */
function makeTerm(word: string, code: string): string {
  const { stopWords, stem } = toLanguage(code)
  // An apostrophe would split the term in the full-text table.
  return stopWords.has(word) ? '' : stem(word).replaceAll("'", '')
}

/** The index term of a word in this language; undefined for a stop word. */
export function toTerm(word: Word, code: string): string | undefined {
  const term = word.inflected ? recall(memoryOf(code), word.text) : word.text
  return term === '' ? undefined : term
}

/** Terms of a text in order: the same for documents and for questions. */
export function analyse(text: string, code: string): string[] {
  const normal = normalize(text)
  return readPlainTerms(normal, memoryOf(code)) ?? toWords(normal).flatMap((word) => toTerm(word, code) ?? [])
}
