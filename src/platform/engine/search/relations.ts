import { type Grams, toGrams } from './grams.ts'
import type { Question } from './question.ts'
import { numberOf, termAt } from './term-numbers.ts'

/** Words of a question, by their positions, that a term of a chunk may match. */
export interface Relation {
  /** It is one of their forms. */
  readonly same: readonly number[]
  /** It has most letters in common with these (`verteidigen` and `Verteidigung`, a compound and its part). */
  readonly related: readonly number[]
  /** These may be meant to be it. */
  readonly mistyped: readonly number[]
}

/** The relation of each term to one question. They hold until the next question. */
export interface Relations {
  readonly grams: Grams
  /** Number of its words; those of `concepts` come first, then those that only a pair has. */
  readonly wordCount: number
  /** Positions of the words of each pair. */
  readonly pairs: readonly { readonly first: number; readonly second: number }[]
  /** 1 for a term, by its number, that is a form of a word. */
  readonly marks: Uint8Array
  /** Each term may have a relation, whatever its mark and runs are. */
  readonly isOpen: boolean
  /** Undefined for a term that matches no word. */
  relationOf(term: number): Relation | undefined
}

const RELATIVE_LENGTH = 5
const RELATIVE_PREFIX = 0.7

function areRelated(one: string, other: string): boolean {
  const short = one.length < other.length ? one : other
  const long = short === one ? other : one
  if (short.length < RELATIVE_LENGTH) return false
  if (long.includes(short)) return true
  // Most words differ in their first letter: this check needs no substring.
  if (long.charCodeAt(0) !== short.charCodeAt(0)) return false
  const least = Math.max(RELATIVE_LENGTH, Math.ceil(short.length * RELATIVE_PREFIX))
  return long.startsWith(short.slice(0, least))
}

const TYPO_LENGTH = 4

/** One letter more, less, other, or two swapped; the first one is the same. */
function isMistyped(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length < TYPO_LENGTH || long.length === TYPO_LENGTH || long.length - short.length > 1) return false
  if (short.charCodeAt(0) !== long.charCodeAt(0)) return false
  let at = 1
  while (at < short.length && short[at] === long[at]) at += 1
  if (long.length > short.length) return short.slice(at) === long.slice(at + 1)
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at]
  return short.slice(at + 1) === long.slice(at + 1) || (isSwapped && short.slice(at + 2) === long.slice(at + 2))
}

/** A form of a word of the question. */
interface Form {
  readonly word: number
  readonly form: string
  readonly isInflected: boolean
  readonly isUnknown: boolean
}

const NONE: readonly number[] = []

/** The words of which a form fits. */
function pick(forms: readonly Form[], fits: (form: Form) => boolean): readonly number[] {
  let found = NONE
  for (const form of forms) if (fits(form) && !found.includes(form.word)) found = [...found, form.word]
  return found
}

function toRelation(forms: readonly Form[], term: string): Relation | undefined {
  const same = pick(forms, ({ form }) => form === term)
  const related = pick(forms, ({ form, isInflected }) => isInflected && areRelated(form, term))
  const mistyped = pick(forms, ({ form, isInflected, isUnknown }) => isInflected && isUnknown && isMistyped(form, term))
  return same.length + related.length + mistyped.length === 0 ? undefined : { same, related, mistyped }
}

/** Marks of the question before are cleared by the next one; only one is answered at a time. */
let marks = new Uint8Array(2 ** 12)
let marked: readonly number[] = []

function mark(terms: readonly number[]): Uint8Array {
  for (const term of marked) marks[term] = 0
  const least = Math.max(...terms) + 1
  if (marks.length < least) marks = new Uint8Array(2 * least)
  for (const term of terms) marks[term] = 1
  marked = terms
  return marks
}

export function createRelations({ concepts, pairs }: Question): Relations {
  const grams = toGrams(concepts)
  const all = [...new Set([...concepts, ...pairs.flatMap(({ first, second }) => [first, second])])]
  const forms = all.flatMap(({ terms, inflected: isInflected, isUnknown = false }, word) =>
    terms.map((form): Form => ({ word, form, isInflected, isUnknown })),
  )
  const known = new Map<number, Relation | undefined>()
  return {
    grams,
    wordCount: all.length,
    pairs: pairs.map(({ first, second }) => ({ first: all.indexOf(first), second: all.indexOf(second) })),
    marks: mark(forms.map(({ form }) => numberOf(form))),
    isOpen: !grams.isWhole || forms.some(({ isInflected, isUnknown }) => isInflected && isUnknown),
    relationOf(term) {
      if (known.has(term)) return known.get(term)
      const made = toRelation(forms, termAt(term))
      known.set(term, made)
      return made
    },
  }
}
