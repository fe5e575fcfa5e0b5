import { byText } from './by-text.ts'
import { toWordList } from './stems.ts'
import { LANGUAGES } from '#lexicon/languages.ts'
import { wordsIn } from '#lexicon/match.ts'

/** Direction of money in a question, a header or a title. A cost is no fee that comes in, and no plan. */
export type Flow = 'in' | 'out' | 'plan'

const FLOW_OF = new Map(
  LANGUAGES.flatMap(({ tables }) =>
    (['in', 'out', 'plan'] as const).flatMap((flow) =>
      wordsIn(tables?.flows?.[flow]).map((word) => [word, flow] as const),
    ),
  ),
)

/** Whether a word says this direction. */
export const saysFlow = (word: string, flow: Flow | undefined): boolean =>
  flow !== undefined && FLOW_OF.get(word) === flow

/** Undefined where a text says none, or two. */
export const flowOf = byText((text): Flow | undefined => {
  const [only, ...more] = new Set(toWordList(text).flatMap((word) => FLOW_OF.get(word) ?? []))
  return more.length === 0 ? only : undefined
})
