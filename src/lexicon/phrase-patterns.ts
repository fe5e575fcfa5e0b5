import type { Phrases } from './phrase.ts'
import { oneOf, type Slots } from './match.ts'

/**
 * Long lists of phrases, each with a pattern of its own that is made for the first text with the phrase's words: as one
 * pattern, a list takes up to a third of a second to be made, which the first question would wait for.
 */

/** Patterns of the phrases that a text may have, in the order of the list. */
export type PhrasePatterns = (text: string) => readonly RegExp[]

/** One of these pieces is in each text that has the phrase. */
type Need = readonly string[]

const SIGN_OR_WORD = /\{\w+\}|[\p{L}\p{N}]+|\]\*|[^\p{L}\p{N}]/gu
const IS_WORD = /^[\p{L}\p{N}]/u
const GAPS = /[^\p{L}\p{N}]+/gu
/** After these, a word of the phrase may be the rest of a word of the text. */
const JOINS = new Set(['~', '[', ']', ']*', '(', ')', '|'])

/** Words in small letters, a space before each. */
const spaced = (text: string): string => ` ${text.toLowerCase().replaceAll(GAPS, ' ')}`

/** The place of the bracket that closes the one at this place. */
function closing(signs: readonly string[], from: number): number {
  let depth = 0
  for (let at = from; at < signs.length; at += 1) {
    if (signs[at] === '(' || signs[at] === '[') depth += 1
    if (/^[\])]/.test(signs[at] ?? '')) depth -= 1
    if (depth === 0) return at
  }
  return signs.length
}

/** The alternatives between two brackets. */
function alternatives(signs: readonly string[]): readonly (readonly string[])[] {
  const found: string[][] = [[]]
  for (let at = 0; at < signs.length; at += 1) {
    const end = signs[at] === '(' || signs[at] === '[' ? closing(signs, at) : at
    if (signs[at] === '|') found.push([])
    else found.at(-1)?.push(...signs.slice(at, end + 1))
    at = end
  }
  return found
}

/** @param isStart whether a word begins here */
function needsOf(signs: readonly string[], isStart: boolean): readonly Need[] {
  const needs: Need[] = []
  let isAtStart = isStart
  for (let at = 0; at < signs.length; at += 1) {
    const sign = signs[at] ?? ''
    const end = sign === '(' || sign === '[' ? closing(signs, at) : at
    if (IS_WORD.test(sign)) needs.push([`${isAtStart ? ' ' : ''}${sign.toLowerCase()}`])
    else if (sign === '(') needs.push(...anyOf(signs.slice(at + 1, end), isAtStart))
    isAtStart = !IS_WORD.test(sign) && !sign.startsWith('{') && !JOINS.has(sign)
    at = end
  }
  return needs
}

/** Pieces of the alternatives; nothing where one has none. */
function anyOf(signs: readonly string[], isStart: boolean): readonly Need[] {
  const pieces = alternatives(signs).map((one) => needsOf(one, isStart)[0])
  return pieces.every((piece) => piece !== undefined) ? [pieces.flat()] : []
}

interface Known {
  readonly needs: readonly Need[]
  readonly pattern: () => RegExp
}

const isAmong = (needs: readonly Need[], words: string) =>
  needs.every((need) => need.some((piece) => words.includes(piece)))

/** A space, and letters that a word begins with. */
const START_CHARS = 4

/** Index by the beginnings of words; phrases without such a word are looked at for each text. */
function indexPhrases(phrases: readonly Known[]) {
  const byStart = new Map<string, Known[]>()
  const others: Known[] = []
  for (const phrase of phrases) {
    const starts = phrase.needs.find((need) => need.every((piece) => piece.startsWith(' ')))
    if (starts === undefined) others.push(phrase)
    for (const start of new Set(starts?.map((piece) => piece.slice(0, START_CHARS))))
      byStart.set(start, [...(byStart.get(start) ?? []), phrase])
  }
  return (words: string): readonly Known[] => {
    const near = new Set(others)
    for (let at = words.indexOf(' '); at !== -1; at = words.indexOf(' ', at + 1))
      for (let end = at + 2; end <= at + START_CHARS; end += 1)
        for (const phrase of byStart.get(words.slice(at, end)) ?? []) near.add(phrase)
    return phrases.filter((phrase) => near.has(phrase) && isAmong(phrase.needs, words))
  }
}

/**
 * @param build the source of the whole pattern from that of a phrase
 */
export function phrasePatterns(
  list: readonly Phrases[],
  build: (source: string) => string,
  slots?: Slots,
): PhrasePatterns {
  const toKnown = (phrase: Phrases): Known => {
    let made: RegExp | undefined
    return {
      needs: needsOf(phrase.match(SIGN_OR_WORD) ?? [], true),
      pattern: () => (made ??= new RegExp(build(oneOf([phrase], slots)), 'iu')),
    }
  }
  let find: ((words: string) => readonly Known[]) | undefined
  return (text) => {
    find ??= indexPhrases(list.map(toKnown))
    return find(spaced(text)).map(({ pattern }) => pattern())
  }
}

/** The result of the first pattern that finds something. */
export const execFirst = (patterns: readonly RegExp[], text: string): RegExpExecArray | null => {
  for (const pattern of patterns) {
    const found = pattern.exec(text)
    if (found !== null) return found
  }
  return null
}
