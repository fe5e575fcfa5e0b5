import { HIGHEST, LOWEST } from '#lexicon/follow-up.ts'
import { allPhrases, allWords, matchWithin, oneOf } from '#lexicon/match.ts'
import type { Computed } from './computed.ts'
import { NAME } from './form.ts'

/** `The hourly pay of the clerk who handled the most hires`: a cell of whoever another table tells. */
export interface Nested {
  /** Questions for who it is, by one word for the person each. */
  readonly inner: readonly string[]
  /** The question for the cell, with the name in place of who it is. */
  readonly outerOf: (name: string) => string
}

const OWNING = String.raw`(?:${oneOf([...allPhrases('tables', 'owning'), ...allPhrases('tables', 'articles')])}\s)`
const NESTED = new RegExp(
  String.raw`^(?<outer>.{5,100}?\s${oneOf(allWords('tables', 'placing'))}\s)${OWNING}(?<thing>${NAME}(?:\s${NAME})?),?\s` +
    String.raw`${oneOf(allWords('tables', 'who'))}\s(?<doing>.{5,100}?)\W*$`,
  'iu',
)
const EXTREME = matchWithin([...HIGHEST, ...LOWEST])
const [HEAD_WORD = ''] = allPhrases('tables', 'heads')

export function readNested(question: string): Nested | undefined {
  const { outer = '', thing = '', doing = '' } = NESTED.exec(question)?.groups ?? {}
  if (!EXTREME.test(doing) || EXTREME.test(outer)) return undefined
  return {
    inner: thing.split(' ').map((word) => `${HEAD_WORD} ${word} ${doing}`),
    outerOf: (name) => `${outer}${name}`,
  }
}

/** The one that has the most; undefined where two have as much. */
export function nameOfFirst({ shape }: Computed): string | undefined {
  if (shape?.kind !== 'by' || shape.isDate || shape.extreme === undefined) return undefined
  const [first, second] = shape.groups
  return first?.value === second?.value ? undefined : first?.name
}

/** Whether a cell is that of one row which the name alone chooses. */
export const isCellOf = ({ aggregate, rows, choices, shape }: Computed): boolean =>
  aggregate === 'value' && rows.length === 1 && choices > 0 && shape === undefined
