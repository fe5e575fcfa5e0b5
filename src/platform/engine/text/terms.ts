import { withoutAccents } from './accents.ts'
import { toLanguage } from './languages.ts'
import { NEEDS_CARE, normalize, PLAIN_WORD, toWords, withoutJoined, type Word } from './words.ts'

/** Raised whenever a text gets other terms: files with terms of another version are indexed anew. */
export const ANALYSER_VERSION = 6

/**
 * Cache of terms by word, looked up by the characters in place: a string for each word would cost more than the rest of
 * the analysis. It is emptied when it holds too many words; their numbers are then those of other words.
 */
export interface TermMemory {
  /** Number of the word `text` from…to, from 1; its characters make this `hash`. */
  numberOf(text: string, from: number, to: number, hash: number): number
  /** Term of a word by its number; empty for a stop word. */
  termAt(number: number): string
  /** How often it was emptied. */
  timesEmptied(): number
}

/** Words in a memory, of at most 1.5 MB together. */
export const MAX_WORDS = 50_000
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
  let emptied = 0

  function isWord(number: number, text: string, from: number, to: number): boolean {
    const start = ends[number - 1] ?? 0
    if ((ends[number] ?? 0) - start !== to - from) return false
    for (let at = 0; at < to - from; at += 1) {
      if (characters[start + at] !== text.charCodeAt(from + at)) return false
    }
    return true
  }

  /** Place of a hash among the slots. */
  const firstSlot = (hash: number) => (hash ^ (hash >>> 15)) & (SLOT_COUNT - 1)

  function add(freeSlot: number, text: string, from: number, to: number, hash: number): number {
    const term = make(text.slice(from, to))
    const size = to - from
    let slot = freeSlot
    if (terms.length > MAX_WORDS || (ends[terms.length - 1] ?? 0) + size > MAX_CHARACTERS) {
      slots.fill(0)
      terms = ['']
      emptied += 1
      slot = firstSlot(hash)
    }
    const number = terms.length
    const start = ends[number - 1] ?? 0
    // A word that is too long even for an empty memory cannot be found: some of its characters are missing.
    for (let at = from; at < to; at += 1) characters[start + at - from] = text.charCodeAt(at)
    slots[slot] = number
    hashes[number] = hash
    ends[number] = start + size
    terms.push(term)
    return number
  }

  return {
    numberOf(text, from, to, hash) {
      let slot = firstSlot(hash)
      for (let number = slots[slot] ?? 0; number !== 0; number = slots[slot] ?? 0) {
        if (hashes[number] === hash && isWord(number, text, from, to)) return number
        slot = (slot + 1) & (SLOT_COUNT - 1)
      }
      return add(slot, text, from, to, hash)
    },
    termAt: (number) => terms[number] ?? '',
    timesEmptied: () => emptied,
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

function recall(memory: TermMemory, word: string): number {
  let hash = FIRST_HASH
  for (let at = 0; at < word.length; at += 1) hash = addToHash(hash, word.charCodeAt(at))
  return memory.numberOf(word, 0, word.length, hash)
}

const WITH_APOSTROPHE = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)+/uy

/** Words of a text in order, as numbers of a memory: the first `size`, until the next text is read. */
export interface WordNumbers {
  readonly memory: TermMemory
  readonly numbers: Int32Array
  readonly size: number
}

/** Reused for every text. */
let numbers = new Int32Array(2 ** 12)

/**
 * Numbers of the words of a normalised text with spaces between words, in order: as `toWords`, without a string for each
 * word. Undefined where a character needs more care.
 */
function readPlainWords(text: string, memory: TermMemory): WordNumbers | undefined {
  const known = characterKinds()
  const emptied = memory.timesEmptied()
  if (numbers.length < text.length) numbers = new Int32Array(2 * text.length)
  let size = 0
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
    numbers[size++] = whole === undefined ? memory.numberOf(text, from, at, hash) : recall(memory, withoutJoined(whole))
  }
  // Numbers of before are those of other words now.
  return memory.timesEmptied() === emptied ? { memory, numbers, size } : undefined
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
  if (stopWords.has(word)) return ''
  return withoutAccents(word.length > MAX_STEMMED_LENGTH ? word : stem(word)).replaceAll("'", '')
}

/** The index term of a word in this language; undefined for a stop word. */
export function toTerm(word: Word, code: string): string | undefined {
  if (!word.inflected) return word.text === '' ? undefined : word.text
  const memory = memoryOf(code)
  return memory.termAt(recall(memory, word.text)) || undefined
}

const analyseWords = (normal: string, code: string): string[] =>
  toWords(normal).flatMap((word) => toTerm(word, code) ?? [])

/** Terms of a text in order: the same for documents and for questions. */
export function analyse(text: string, code: string): string[] {
  const normal = normalize(text)
  const plain = readPlainWords(normal, memoryOf(code))
  if (plain === undefined) return analyseWords(normal, code)
  const terms: string[] = []
  for (let at = 0; at < plain.size; at += 1) {
    const term = plain.memory.termAt(plain.numbers[at] ?? 0)
    if (term !== '') terms.push(term)
  }
  return terms
}

/** The same, as numbers of words where they have some. */
export function analyseAsNumbers(text: string, code: string): WordNumbers | readonly string[] {
  const normal = normalize(text)
  return readPlainWords(normal, memoryOf(code)) ?? analyseWords(normal, code)
}
