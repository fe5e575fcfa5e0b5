import type { Passage } from '#platform/engine/api/retrieve.ts'
import type { FileCitation } from '#platform/wire/responses.ts'
import { toFileId } from './ids.ts'

const toSource = ({ file, origin }: Passage) => ({
  file_id: toFileId({ name: file, sha256: origin?.sha256 ?? '' }),
  filename: file,
})

/** A passage as a result of a search. */
export const toHit = (passage: Passage) => ({
  ...toSource(passage),
  score: Number((1 - passage.distance).toFixed(3)),
  text: passage.lead + passage.body,
  attributes: {},
})

/** The marks that the prompt asks for, with one number or several: `[RREF1]`, `【RREF1, RREF2】`. */
const MARK =
  /[[【(][ \t]{0,4}RREF[ \t]?\d{1,6}(?:[ \t]{0,4}[,;][ \t]{0,4}(?:RREF[ \t]?)?\d{1,6}){0,19}[ \t]{0,4}[\]】)]/gi

/** One entry for each passage that a mark names, in the order of the text. A mark that names none has no entry. */
export function toAnnotations(text: string, passages: readonly Passage[]): FileCitation[] {
  return Array.from(text.matchAll(MARK)).flatMap(({ 0: mark, index }) => {
    const numbers = new Set(Array.from(mark.matchAll(/\d+/g), ([digits]) => Number(digits)))
    return [...numbers].flatMap((number): FileCitation[] => {
      const passage = passages[number - 1]
      if (passage?.origin === undefined) return []
      const range = { index, start_index: index, end_index: index + mark.length }
      const place = passage.place === '' ? {} : { place: passage.place }
      return [{ type: 'file_citation', ...range, ...toSource(passage), ...place }]
    })
  })
}
