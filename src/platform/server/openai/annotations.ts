import type { Passage } from '#platform/engine/api/retrieve.ts'
import type { FileCitation } from '#platform/wire/responses.ts'
import { toFileId } from './ids.ts'

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
      const { file, place, origin } = passage
      return [
        {
          type: 'file_citation',
          index,
          start_index: index,
          end_index: index + mark.length,
          file_id: toFileId(file, origin.sha256),
          filename: file,
          ...(place === '' ? {} : { place }),
        },
      ]
    })
  })
}
