import { HIGHEST, LOWEST } from '#lexicon/follow-up.ts'
import { allPhrases, allWords, matchWithin, oneOf } from '#lexicon/match.ts'
import { HEADS, HIGH, HIGHEST_WORD, LOW, LOWEST_WORD, NAME, PLACING_WORD, SUM_WORD } from './form.ts'

/** Words of a second question that its row answers. */
const MAX_SECOND = 6
const EXTREME = matchWithin([...HIGHEST, ...LOWEST])
const POINTING = matchWithin(allWords('talk', 'pointing'))
/** `…, and who drove it?` */
const SECOND = new RegExp(
  String.raw`^(?<first>.{10,300}?),?\s(?<second>${oneOf(allPhrases('tables', 'alsoAsking'), { word: String.raw`\p{L}{1,20}` })}(?:\s[\p{L}’']{1,20}){0,${MAX_SECOND}})\W*$`,
  'iu',
)
const MAX_BARE = 4

/** Without a second question for the row of an extreme: the row is shown, with all of its cells. */
function withoutSecond(question: string): string {
  const { first = '', second = '' } = SECOND.exec(question)?.groups ?? {}
  const isOfRow = POINTING.test(second) || second.split(' ').length <= MAX_BARE
  return isOfRow && EXTREME.test(first) && !EXTREME.test(second) ? first : question
}

const MONTH_OF_YEAR = new RegExp(
  String.raw`(?<!\p{L})(?<unit>${oneOf(allPhrases('tables', 'monthGroups'))})\s${oneOf(allWords('tables', 'quarterOf'))}\s(?=(?:19|20)\d\d(?!\d))`,
  'giu',
)
const WHOLE_TIMES = matchWithin(allPhrases('tables', 'wholeTimes'), 'giu')
/** `By month (date out)` of a column Out. */
const DATE_OF = new RegExp(
  String.raw`(?<=\()${oneOf(allWords('tables', 'dateWords'))}\s(?=\p{L}[\p{L}\s]{0,30}\))`,
  'iu',
)
const IN_ORDER = new RegExp(String.raw`,?\s${oneOf(allPhrases('tables', 'inOrder'))}(?!\p{L})`, 'iu')

const OWNING = String.raw`(?:${oneOf([...allPhrases('tables', 'owning'), ...allPhrases('tables', 'articles')])}\s)?`
const BEST = oneOf([...allPhrases('tables', 'tops'), ...allPhrases('tables', 'bestGroups')])
/** `Who is our biggest customer by total price?` */
const FIRST_BY = new RegExp(
  String.raw`^(?:${oneOf(allWords('tables', 'who'))}|${HEADS})\s\p{L}{2,5}\s${OWNING}` +
    String.raw`(?:(?<most>${HIGH}|${BEST})|${LOW})\s(?<thing>${NAME})\s${oneOf(allWords('tables', 'grouping'))}\s(?<measure>.{3,60}?)\W*$`,
  'iu',
)
const [HEAD_WORD = ''] = allPhrases('tables', 'heads')

/** The question in the words of those that are read: without what its answer shows anyway. */
export function toPlainQuestion(question: string): string {
  const text = withoutSecond(question)
    .replace(WHOLE_TIMES, '')
    .replace(IN_ORDER, '')
    .replace(DATE_OF, '')
    .replace(MONTH_OF_YEAR, `$<unit> ${PLACING_WORD} `)
  const { most, thing, measure } = FIRST_BY.exec(text)?.groups ?? {}
  if (thing === undefined || measure === undefined) return text
  return `${HEAD_WORD} ${thing} ${most === undefined ? LOWEST_WORD : HIGHEST_WORD} ${SUM_WORD} ${measure}`
}
