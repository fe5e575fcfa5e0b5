import { toSentences } from '#lexicon/sentences.ts'
import type { Passage, Retrieved } from '#platform/engine/api/retrieve.ts'
import type { Quote } from '#platform/engine/search/types.ts'
import { createHolds, toAsked } from './asked-kind.ts'
import { flat } from './fit-quotes.ts'

/** As much is shown of a passage that may help. */
const MAX_SHOWN_CHARS = 200
/** Passages that are cut from one. */
const MAX_OF_PASSAGE = 2
/** Part of a score that a sentence keeps without the kind of fact that is asked for. */
const NOT_HELD_PART = 0.75

/** A passage from one of its sentences on, as far as it is shown. */
function cutTo(text: string, passage: Passage): Passage {
  const { body } = passage
  const sentences = toSentences(body)
  const at = sentences.findIndex(({ start, end }) => flat(body.slice(start, end)).includes(text))
  const [first, ...more] = at === -1 ? [] : sentences.slice(at)
  if (first === undefined) return passage
  const { start, end } = more.reduce((cut, next) => {
    const isRow = text.startsWith('|') || /^[|#]/.test(body.slice(next.start))
    return isRow || next.end - cut.start > MAX_SHOWN_CHARS ? cut : { ...cut, end: next.end }
  }, first)
  return { ...passage, lead: '', body: body.slice(start, end).trim() }
}

/** Passages that may help, each from a sentence on that has much of the question, best first. */
export function nearestPassages(question: string, { quotes, passages }: Retrieved, most: number): readonly Passage[] {
  const asked = toAsked(question)
  const has = asked && createHolds(question, asked, passages)
  const worth = ({ hit, text, score }: Quote) => {
    const passage = passages[hit]
    return has === undefined || (passage !== undefined && has(text, passage)) ? score : score * NOT_HELD_PART
  }
  const near: { readonly hit: number; readonly cut: Passage }[] = []
  for (const { hit, text } of quotes.toSorted((one, other) => worth(other) - worth(one))) {
    const passage = passages[hit]
    const own = near.filter((one) => one.hit === hit)
    const isShown = own.length >= MAX_OF_PASSAGE || own.some(({ cut }) => flat(cut.body).includes(text))
    if (passage !== undefined && !isShown) near.push({ hit, cut: cutTo(text, passage) })
  }
  const others = passages.filter((_, hit) => !near.some((one) => one.hit === hit))
  return [...near.map(({ cut }) => cut), ...others].slice(0, most)
}
