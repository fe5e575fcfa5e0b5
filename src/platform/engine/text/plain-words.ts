import { addToHash, FIRST_HASH, type TermMemory } from './term-memory.ts'
import { NEEDS_CARE, PLAIN_WORD, withoutGenitive } from './words.ts'

/** From here on almost every character belongs to a script that is written without spaces. */
const KINDS_END = 0x2e80

const [other, inWord, apostrophe, careful] = [0, 1, 2, 3]

let kinds: Uint8Array | undefined

/** What each character is to a word, by its code. */
function characterKinds(): Uint8Array {
  return (kinds ??= Uint8Array.from({ length: KINDS_END }, (_, code) => {
    const character = String.fromCharCode(code)
    if (character === "'" || character === '’') return apostrophe
    if (NEEDS_CARE.test(character)) return careful
    return PLAIN_WORD.test(character) ? inWord : other
  }))
}

export function recall(memory: TermMemory, word: string): string {
  let hash = FIRST_HASH
  for (let at = 0; at < word.length; at += 1) hash = addToHash(hash, word.charCodeAt(at))
  return memory.termOf(word, 0, word.length, hash)
}

const WITH_APOSTROPHE = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)+/uy

/**
 * Terms of a normalised text whose words stand between spaces, in order: what `toWords` finds, without a string or an
 * object for each word. Undefined where a character needs more care.
 */
export function readPlainTerms(text: string, memory: TermMemory): string[] | undefined {
  const known = characterKinds()
  const terms: string[] = []
  for (let at = 0; at < text.length; at += 1) {
    const from = at
    let hash = FIRST_HASH
    let code = text.charCodeAt(at)
    while (known[code] === inWord) {
      hash = addToHash(hash, code)
      at += 1
      // Behind the end a sign that is in no word: NaN as an index makes every look into an array a slow one.
      code = at < text.length ? text.charCodeAt(at) : 0
    }
    if (code >= KINDS_END || known[code] === careful) return undefined
    if (at === from) continue
    WITH_APOSTROPHE.lastIndex = from
    const whole = known[code] === apostrophe ? WITH_APOSTROPHE.exec(text)?.[0] : undefined
    if (whole !== undefined) at = from + whole.length - 1
    const term =
      whole === undefined ? memory.termOf(text, from, at, hash) : recall(memory, withoutGenitive(whole))
    if (term !== '') terms.push(term)
  }
  return terms
}
