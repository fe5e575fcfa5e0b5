import { toSentences } from '#lexicon/sentences.ts'
import type { Passage, Retrieved } from '#platform/engine/api/retrieve.ts'
import type { Quote } from '#platform/engine/search/types.ts'
import { createHolds, toAsked } from './asked-kind.ts'
import { flat } from './fit-quotes.ts'

/** Longest part that is shown of a passage. */
const MAX_SHOWN_CHARS = 200
/** Most parts that are shown of one passage. */
const MAX_OF_PASSAGE = 2
/** Part of a score that a sentence keeps without the kind of fact that is asked for. */
const NOT_HELD_PART = 0.75

/** The part of a passage that is shown; undefined: all of it. */
interface Part {
  readonly start: number
  readonly end: number
}

interface Near {
  readonly hit: number
  readonly part: Part | undefined
}

/** A passage from one of its sentences on, as far as it is shown. */
function partFrom(text: string, { body }: Passage): Part | undefined {
  const sentences = toSentences(body)
  const at = sentences.findIndex(({ start, end }) => flat(body.slice(start, end)).includes(text))
  const [first, ...more] = at === -1 ? [] : sentences.slice(at)
  if (first === undefined) return undefined
  return more.reduce<Part>((cut, next) => {
    const isRow = text.startsWith('|') || /^[|#]/.test(body.slice(next.start))
    return isRow || next.end - cut.start > MAX_SHOWN_CHARS ? cut : { start: cut.start, end: next.end }
  }, first)
}

const meet = (one: Part | undefined, other: Part | undefined) =>
  one === undefined || other === undefined || (one.start < other.end && other.start < one.end)

const cutTo = (passage: Passage, part: Part | undefined): Passage =>
  part === undefined ? passage : { ...passage, lead: '', body: passage.body.slice(part.start, part.end).trim() }

/** Adds a part. If it overlaps another one of its passage, both are joined, or it is cut where the other one begins. */
function withPart(shown: readonly Near[], { hit, part }: Near): readonly Near[] {
  const own = shown.filter((one) => one.hit === hit)
  const [first, ...more] = own.filter((one) => meet(one.part, part))
  const add = (one: Part | undefined) => (own.length < MAX_OF_PASSAGE ? [...shown, { hit, part: one }] : shown)
  if (first === undefined) return add(part)
  if (more.length > 0 || part === undefined || first.part === undefined) return shown
  const whole = { start: Math.min(part.start, first.part.start), end: Math.max(part.end, first.part.end) }
  if (whole.end - whole.start <= MAX_SHOWN_CHARS)
    return shown.map((one) => (one === first ? { hit, part: whole } : one))
  return part.start < first.part.start ? add({ start: part.start, end: first.part.start }) : shown
}

/** Passages without those whose text an earlier one has: several files may hold the same text. */
function withoutRepeated(passages: readonly Passage[]): readonly Passage[] {
  const shown: string[] = []
  return passages.filter(({ body }) => {
    const text = flat(body)
    const isRepeated = shown.some((one) => one.includes(text) || text.includes(one))
    if (!isRepeated) shown.push(text)
    return !isRepeated
  })
}

/** Passages that may help, best first, each from the sentence that has most of the question. */
export function nearestPassages(question: string, { quotes, passages }: Retrieved, most: number): readonly Passage[] {
  const asked = toAsked(question)
  const has = asked && createHolds(question, asked, passages)
  const worth = ({ hit, text, score }: Quote) => {
    const passage = passages[hit]
    return has === undefined || (passage !== undefined && has(text, passage)) ? score : score * NOT_HELD_PART
  }
  let near: readonly Near[] = []
  for (const { hit, text } of quotes.toSorted((one, other) => worth(other) - worth(one))) {
    const passage = passages[hit]
    if (passage !== undefined) near = withPart(near, { hit, part: partFrom(text, passage) })
  }
  const cut = near.flatMap(({ hit, part }) => {
    const passage = passages[hit]
    return passage === undefined ? [] : [cutTo(passage, part)]
  })
  const others = passages.filter((_, hit) => !near.some((one) => one.hit === hit))
  return withoutRepeated([...cut, ...others]).slice(0, most)
}
