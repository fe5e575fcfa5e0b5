import { meanings } from './lexicon.ts'

const dimensions = 256
const segments = new Intl.Segmenter('und', { granularity: 'word' })
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
/** A word's own part next to that of its meaning. */
const ownPart = 0.2
const stop = new Set(
  'the a an of in on to is are and or for what who how when where does do did be it its at by with my our your i we you that this from not no der die das den dem ein eine einer und oder ist sind im in am auf wie was wer wo la le les un une des du de et est el los las y en que qu faut il'.split(
    ' ',
  ),
)

/** Written without spaces. */
export const isDense = (word: string) => dense.test(word)

/** The words of a text between spaces, in small letters. */
export const wordsOf = (text: string): readonly string[] =>
  Array.from(segments.segment(plainOf(text))).flatMap(({ segment, isWordLike }) =>
    isWordLike === true ? [segment] : [],
  )

const plainOf = (text: string) => text.normalize('NFKC').toLowerCase()

/** Meanings and words of a text, with how much each counts. */
export function partsOf(text: string): ReadonlyMap<string, number> {
  const parts = new Map<string, number>()
  const plain = plainOf(text)
  const add = (part: string, weight: number) => parts.set(part, Math.max(parts.get(part) ?? 0, weight))
  for (const word of wordsOf(text)) {
    if (stop.has(word)) continue
    if (!isDense(word)) add(`w:${word.slice(0, 7)}`, ownPart)
    for (const [index, meaning] of meanings.entries()) {
      if (meaning.some((one) => !isDense(one) && begins(word, one))) add(`m:${index}`, 1)
    }
  }
  for (const run of plain.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu) ?? []) {
    for (let at = 0; at + 1 < run.length; at += 1) add(`w:${run.slice(at, at + 2)}`, ownPart)
    for (const [index, meaning] of meanings.entries()) {
      if (meaning.some((one) => isDense(one) && run.includes(one))) add(`m:${index}`, 1)
    }
  }
  return parts
}

/** Whether the word belongs to this entry of the lexicon, which may be the beginning of it. */
export const begins = (word: string, stem: string) =>
  stem.length < 4 ? word === stem : word.startsWith(stem) && word.length <= stem.length + 6

/** A direction of its own for each part, the same each time (mulberry32). */
function directionOf(part: string): Float64Array {
  let state = 0
  for (const character of part) state = (Math.imul(state, 31) + (character.codePointAt(0) ?? 0)) | 0
  return Float64Array.from({ length: dimensions }, () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1
  })
}

const directions = new Map<string, Float64Array>()

/** The scripted encoder: a text is the sum of its meanings and, less, of its words. */
export function encode(text: string): readonly number[] {
  const vector = new Float64Array(dimensions)
  for (const [part, weight] of partsOf(text)) {
    const direction = directions.get(part) ?? directionOf(part)
    directions.set(part, direction)
    for (const [index, value] of direction.entries()) vector[index] = (vector[index] ?? 0) + weight * value
  }
  const length = Math.hypot(...vector) || 1
  return Array.from(vector, (value) => value / length)
}
