import { toLanguage } from './languages.ts'
import { NEEDS_CARE, normalize, PLAIN_WORD, toWords, withoutJoined, type Word } from './words.ts'

/** Raised whenever a text gets other terms: files with terms of another version are indexed anew. */
export const ANALYSER_VERSION = 2

/**
 * Cache of terms by word, looked up by the characters in place: a string for each word would cost more than the rest of
 * the analysis. It is emptied when it holds too many words.
 */
export interface TermMemory {
  /** Term of `text` from…to, whose characters make this `hash`. */
  termOf(text: string, from: number, to: number, hash: number): string
}

/** At most 1.5 MB together. */
const MAX_WORDS = 50_000
const SLOT_COUNT = 2 ** 17
const MAX_CHARACTERS = 2 ** 19

/** Hash of an empty word; `addToHash` adds one character at a time. */
const FIRST_HASH = 0x811c9dc5 | 0
const addToHash = (hash: number, character: number): number => Math.imul(hash ^ character, 0x01000193)

export function createTermMemory(make: (word: string) => string): TermMemory {
  /** Number of a word, from 1; 0 marks a free slot. Collisions take the next free slot. */
  const slots = new Uint16Array(SLOT_COUNT)
  const hashes = new Int32Array(MAX_WORDS + 1)
  const ends = new Uint32Array(MAX_WORDS + 1)
  const characters = new Uint16Array(MAX_CHARACTERS)
  let terms: string[] = ['']

  function isWord(number: number, text: string, from: number, to: number): boolean {
    const start = ends[number - 1] ?? 0
    if ((ends[number] ?? 0) - start !== to - from) return false
    for (let at = 0; at < to - from; at += 1) {
      if (characters[start + at] !== text.charCodeAt(from + at)) return false
    }
    return true
  }

  function add(slot: number, text: string, from: number, to: number, hash: number): string {
    const term = make(text.slice(from, to))
    const number = terms.length
    const start = ends[number - 1] ?? 0
    if (number > MAX_WORDS || start + to - from > MAX_CHARACTERS) {
      slots.fill(0)
      terms = ['']
      return term
    }
    for (let at = from; at < to; at += 1) characters[start + at - from] = text.charCodeAt(at)
    slots[slot] = number
    hashes[number] = hash
    ends[number] = start + to - from
    terms.push(term)
    return term
  }

  return {
    termOf(text, from, to, hash) {
      let slot = (hash ^ (hash >>> 15)) & (SLOT_COUNT - 1)
      for (let number = slots[slot] ?? 0; number !== 0; number = slots[slot] ?? 0) {
        if (hashes[number] === hash && isWord(number, text, from, to)) return terms[number] ?? ''
        slot = (slot + 1) & (SLOT_COUNT - 1)
      }
      return add(slot, text, from, to, hash)
    },
  }
}

/** First code of the scripts without spaces. */
const KINDS_END = 0x2e80

const [other, inWord, apostrophe, careful] = [0, 1, 2, 3]

let kinds: Uint8Array | undefined

/** Kind of each character, by its code. */
function characterKinds(): Uint8Array {
  return (kinds ??= Uint8Array.from({ length: KINDS_END }, (_, code) => {
    const character = String.fromCharCode(code)
    if (character === "'" || character === '’') return apostrophe
    if (NEEDS_CARE.test(character)) return careful
    return PLAIN_WORD.test(character) ? inWord : other
  }))
}

function recall(memory: TermMemory, word: string): string {
  let hash = FIRST_HASH
  for (let at = 0; at < word.length; at += 1) hash = addToHash(hash, word.charCodeAt(at))
  return memory.termOf(word, 0, word.length, hash)
}

const WITH_APOSTROPHE = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)+/uy

/**
 * Terms of a normalised text with spaces between words, in order: as `toWords`, without a string for each word.
 * Undefined where a character needs more care.
 */
function readPlainTerms(text: string, memory: TermMemory): string[] | undefined {
  const known = characterKinds()
  const terms: string[] = []
  for (let at = 0; at < text.length; at += 1) {
    const from = at
    let hash = FIRST_HASH
    let code = text.charCodeAt(at)
    while (known[code] === inWord) {
      hash = addToHash(hash, code)
      at += 1
      // A separator after the end: reading past it would give NaN, and NaN as an index makes array access slow.
      code = at < text.length ? text.charCodeAt(at) : 0
    }
    if (code >= KINDS_END || known[code] === careful) return undefined
    if (at === from) continue
    WITH_APOSTROPHE.lastIndex = from
    const whole = known[code] === apostrophe ? WITH_APOSTROPHE.exec(text)?.[0] : undefined
    if (whole !== undefined) at = from + whole.length - 1
    const term = whole === undefined ? memory.termOf(text, from, at, hash) : recall(memory, withoutJoined(whole))
    if (term !== '') terms.push(term)
  }
  return terms
}

const memories = new Map<string, TermMemory>()

function memoryOf(code: string): TermMemory {
  const known = memories.get(code)
  if (known !== undefined) return known
  const made = createTermMemory((word) => makeTerm(word, code))
  memories.set(code, made)
  return made
}

/** Longest word that is stemmed: the stemmers' patterns take quadratic time. */
const MAX_STEMMED_LENGTH = 100

/** Empty for a stop word. */
function makeTerm(word: string, code: string): string {
  const { stopWords, stem } = toLanguage(code)
  // An apostrophe would split the term in the full-text table.
  return stopWords.has(word) ? '' : (word.length > MAX_STEMMED_LENGTH ? word : stem(word)).replaceAll("'", '')
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
