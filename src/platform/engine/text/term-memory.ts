/**
 * Terms by word, found by the characters of the text: a string of each word, made only to look it up, would cost more than
 * all the rest of the analysis. Words come again and again; where there are too many different ones, it begins anew.
 */
export interface TermMemory {
  /** Term of `text` from…to, whose characters make this `hash`. */
  termOf(text: string, from: number, to: number, hash: number): string
}

/** Together 1.5 MB at most. */
const MAX_WORDS = 50_000
const SLOT_COUNT = 2 ** 17
const MAX_CHARACTERS = 2 ** 19

/** Of an empty word; `addToHash` goes on from there, character by character. */
export const FIRST_HASH = 0x811c9dc5 | 0
export const addToHash = (hash: number, character: number): number => Math.imul(hash ^ character, 0x01000193)

export function createTermMemory(makeTerm: (word: string) => string): TermMemory {
  /** Number of a word, from 1; 0 is free. The next free slot behind the one of its hash. */
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
    const term = makeTerm(text.slice(from, to))
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
