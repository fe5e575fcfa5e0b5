import { oneOf, allPhrases, type Slots, allWords } from './match.ts'
import { execFirst, phrasePatterns } from './phrase-patterns.ts'

const BEFORE = oneOf(allWords('requests', 'before'))
const PLEASE = oneOf(allWords('requests', 'please'))
const CAN_YOU = oneOf(allPhrases('requests', 'canYou'))
const GIVE_ME = oneOf(allPhrases('requests', 'giveMe'))
const AFTER = oneOf(['footbridge', ...allPhrases('requests', 'after')])
const POLITE = String.raw`(?:${CAN_YOU}\s+)?(?:${PLEASE}\s+)?(?:${GIVE_ME}\s+)?(?:${PLEASE}\s+)?`

/** A whole text that is one of these phrases, said as politely as people like. */
export function wording(list: readonly string[], slots?: Slots): Pick<RegExp, 'exec'> {
  const patternsFor = phrasePatterns(
    list,
    (phrase) => String.raw`^(?:${BEFORE}[\s,!.]+)*${POLITE}${phrase}(?:[\s,]+${AFTER})*[\s?!.…]*$`,
    slots,
  )
  return { exec: (text) => execFirst(patternsFor(text), text) }
}
