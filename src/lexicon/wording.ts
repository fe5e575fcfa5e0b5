import { oneOf, allPhrases, type Slots, allWords } from './match.ts'

const BEFORE = oneOf(allWords('requests', 'before'))
const PLEASE = oneOf(allWords('requests', 'please'))
const CAN_YOU = oneOf(allPhrases('requests', 'canYou'))
const GIVE_ME = oneOf(allPhrases('requests', 'giveMe'))
const AFTER = oneOf(['footbridge', ...allPhrases('requests', 'after')])
const POLITE = String.raw`(?:${CAN_YOU}\s+)?(?:${PLEASE}\s+)?(?:${GIVE_ME}\s+)?(?:${PLEASE}\s+)?`

/** A whole text that is one of these phrases, said as politely as people like. */
export const wording = (list: readonly string[], slots?: Slots): RegExp =>
  new RegExp(String.raw`^(?:${BEFORE}[\s,!.]+)*${POLITE}${oneOf(list, slots)}(?:[\s,]+${AFTER})*[\s?!.…]*$`, 'iu')
