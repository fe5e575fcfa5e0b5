import { allPhrases, allWords, matchStart, matchWhole, matchWithin, oneOf } from '#lexicon/match.ts'
import { flowOf } from './flow.ts'
import { COUNT_WORDS, type Formed, HEADS, HIGH, LOW, NAME, PLACING_WORD, SUM_WORD, word } from './form.ts'

const BY = oneOf([...allWords('tables', 'grouping'), ...allPhrases('tables', 'sharing')])
const EACH = oneOf(allPhrases('tables', 'sharing'))
const PLACE = oneOf(allWords('tables', 'placing'))
export const GROUPS = new RegExp(
  String.raw`(?:^|\s)(?:${PLACE}\s)?${BY}\s(?<group>${NAME}(?:\s${NAME})?)(?=\s?[?.!]*$)|` +
    String.raw`\s(?:${PLACE}\s)?${BY}\s(?<within>${NAME})(?=\s${PLACE}\s|\s?[(,])|` +
    String.raw`\s(?:${PLACE}\s)?${EACH}\s(?<each>${NAME})(?!\p{L})`,
  'u',
)
/** `Which group has the most …?` */
const WITH_EXTREME = new RegExp(
  String.raw`(?<!\p{L})${HEADS}\s(?<group>${NAME})\s(?<before>.{0,100}?)(?<!\p{L})(?:(?<most>${HIGH})|${LOW})(?!\p{L})`,
  'u',
)
const WORTH = matchWithin(allPhrases('tables', 'worth'))
const ADDED = matchWithin([...allPhrases('tables', 'sum'), ...allPhrases('tables', 'average')])
const MEAN = matchWithin(allPhrases('tables', 'average'))
const ARTICLE_AT_END = new RegExp(String.raw`(?<!\p{L})${oneOf(allPhrases('tables', 'owning'))}\s$`, 'u')
const SPENDING = oneOf([...allWords('tables', 'spentTail'), ...allWords('tables', 'payingMost')])
/** `The most employees`: most rows, not the highest value. */
const MANY = oneOf(allPhrases('tables', 'mostRows'))
const FEW = oneOf(allPhrases('tables', 'fewestRows'))
const PLURALS = String.raw`${oneOf(allPhrases('tables', 'plurals'))}(?!\p{L})`
/** `Carriage` of `the most carriage faults reported`. */
const ATTRIBUTE = String.raw`(?:(?!${PLURALS})${NAME}\s(?=${PLURALS}))?`
const WITH_ROWS = new RegExp(
  String.raw`(?<!\p{L})${HEADS}\s(?<group>${NAME})\s(?<before>.{0,100}?)(?<!\p{L})(?:(?<most>${MANY})|${FEW})\s(?!(?:${PLACE}|${SPENDING})(?!\p{L}))(?<thing>${ATTRIBUTE}${NAME})(?!\p{L})`,
  'u',
)
/** `Which town did the most hire money come from`: sums of money. */
const MONEY_BY_GROUP = new RegExp(
  String.raw`(?<!\p{L})${HEADS}\s(?<group>${NAME})\s(?<before>.{0,100}?)(?<!\p{L})(?:(?<most>${MANY})|${FEW})\s(?<thing>(?:${NAME}\s)?${oneOf(allWords('tables', 'money'))})(?!\p{L})`,
  'u',
)
/** `In which month did we spend the most on rent?`: the group with the highest sum. */
const SPENT_MOST = new RegExp(
  String.raw`(?<!\p{L})${HEADS}\s(?<group>${NAME})\s(?<before>.{0,100}?)(?:(?<most>${HIGH})|${LOW})(?<after>\s${SPENDING}(?!\p{L})|\s${PLACE}\s.{0,100}|(?:\s${PLACE})?\W*$)`,
  'u',
)
/** `Which month has the highest fees?` */
const MONTH_WITH_MOST = new RegExp(
  String.raw`(?<!\p{L})${HEADS}\s(?<group>${NAME})\s(?<before>.{0,100}?)(?:(?<most>${HIGH})|${LOW})\s(?<thing>${NAME})\W*$`,
  'u',
)
/** `Who guided the most groups?` */
const WHO_DID_MOST = new RegExp(
  String.raw`^${oneOf(allWords('tables', 'who'))}\s(?<verb>${NAME})\s(?<before>.{0,40}?)(?<!\p{L})(?:(?<most>${MANY})|${FEW})\s(?!${PLACE}(?!\p{L}))(?<thing>${NAME})(?<after>.*)$`,
  'u',
)
const HAVING = matchStart(allWords('tables', 'having'))
const PLURAL = matchWhole(allPhrases('tables', 'plurals'))
const SPENDS = matchWithin([...allWords('tables', 'spentTail'), ...allWords('tables', 'payingMost')])
export const GROUPS_OF_TIME = matchWhole([
  ...allPhrases('tables', 'monthGroups'),
  ...allPhrases('tables', 'yearGroups'),
])
const GROUP_OF_TIME = oneOf([...allPhrases('tables', 'monthGroups'), ...allPhrases('tables', 'yearGroups')])
const BEST_OF = (['best', 'worst', 'busiest', 'quietest'] as const)
  .map((kind) => `(?<${kind}>${oneOf(allPhrases('tables', `${kind}Groups`))})`)
  .join('|')
const BEST = [
  new RegExp(word(String.raw`(?:${BEST_OF})\s(?<group>${GROUP_OF_TIME})`), 'u'),
  new RegExp(
    String.raw`(?<!\p{L})${HEADS}\s(?<group>${GROUP_OF_TIME})\s.{0,40}?(?<!\p{L})(?:${BEST_OF})(?!\p{L})`,
    'u',
  ),
]
const KINDS_OF = matchWithin(allPhrases('tables', 'kindsOf'), 'giu')
/** A verb that chooses no rows: `which conductor led the most concerts`. */
const DOING = matchStart(allWords('tables', 'doing'))

export function readGroups(whole: string): Formed | undefined {
  const text = whole.replace(KINDS_OF, '').replace(/\s+/g, ' ')
  const by = GROUPS.exec(text)
  const { group, within, each } = by?.groups ?? {}
  if (by !== null) {
    const form = { kind: 'by', group: group ?? within ?? each ?? '' } as const
    const [first = '', thing, ...more] = form.group.split(' ')
    // `By month paid`: by the days on which it was paid.
    if (thing !== undefined && GROUPS_OF_TIME.test(first))
      return { form: { ...form, group: first }, base: text.replace(by[0], ` , ${form.group.slice(first.length)}`) }
    const formed = { form, base: text.replace(by[0], ' ') }
    if (thing === undefined || more.length > 0 || !MEAN.test(text)) return formed
    return {
      ...formed,
      otherwise: { form: { kind: 'each', thing }, base: text.replace(by[0], ` ${PLACING_WORD} ${first} `) },
    }
  }
  const did = WHO_DID_MOST.exec(text)?.groups
  if (did !== undefined)
    return {
      form: { kind: 'by', group: did['verb'] ?? '', extreme: did['most'] === undefined ? 'min' : 'max', isDoer: true },
      base: `${COUNT_WORDS} ${did['thing']} , ${(did['before'] ?? '').replace(ARTICLE_AT_END, '')}${did['after']}`,
    }
  const isWorth = !ADDED.test(text) && WORTH.test(text)
  const isAdded = isWorth || ADDED.test(text)
  const money = isAdded ? null : MONEY_BY_GROUP.exec(text)
  if (money?.groups !== undefined) {
    const { group: which = '', before = '', thing = '', most } = money.groups
    return {
      form: { kind: 'by', group: which, extreme: most === undefined ? 'min' : 'max' },
      base: text.replace(money[0], () => `${SUM_WORD} ${thing} ${before}`),
    }
  }
  const match = (isAdded ? WITH_EXTREME : WITH_ROWS).exec(text)
  if (match?.groups === undefined) return readMostSpent(text) ?? readMonth(text)
  const { group: which = '', most, thing = '' } = match.groups
  const before = isAdded ? (match.groups['before'] ?? '') : (match.groups['before'] ?? '').replace(DOING, '')
  const form = {
    kind: 'by',
    group: which,
    extreme: most === undefined ? 'min' : 'max',
    isWorth,
    isLevel: !isAdded && HAVING.test(match.groups['before'] ?? ''),
  } as const
  // All else stays: it may choose rows.
  return {
    form,
    base: text.replace(match[0], () =>
      isWorth ? `${SUM_WORD} ${before}` : isAdded ? before : `${COUNT_WORDS} ${thing} , ${before}`,
    ),
  }
}

/** `Which was our best month?` */
export function readBest(text: string): Formed | undefined {
  const match = BEST.map((pattern) => pattern.exec(text)).find((one) => one !== null)
  const { group, best, worst, busiest } = match?.groups ?? {}
  if (match === null || match === undefined || group === undefined) return undefined
  const extreme = best === undefined && busiest === undefined ? 'min' : 'max'
  return {
    form: { kind: 'by', group, extreme, isBest: best === undefined && worst === undefined ? 'any' : 'in' },
    base: text.replace(match[0], () => ` ${SUM_WORD} `),
  }
}

/** Sums of months: of money that flows, not of prices. One row may be meant, too. */
function readMonth(text: string): Formed | undefined {
  const match = MONTH_WITH_MOST.exec(text)
  const { group = '', before = '', most, thing = '' } = match?.groups ?? {}
  if (match === null || !GROUPS_OF_TIME.test(group) || flowOf(thing) === undefined) return undefined
  return {
    form: { kind: 'by', group, extreme: most === undefined ? 'min' : 'max', isLevel: !PLURAL.test(thing) },
    base: text.replace(match[0], () => `${SUM_WORD} ${thing} , ${before}`),
  }
}

function readMostSpent(text: string): Formed | undefined {
  const match = SPENT_MOST.exec(text)
  const { group = '', before = '', most, after = '' } = match?.groups ?? {}
  const isMonth = GROUPS_OF_TIME.test(group)
  // `Which product was the most expensive` asks for one row.
  if (match === null || !(isMonth || SPENDS.test(`${before} ${after}`) || flowOf(before) !== undefined))
    return undefined
  return {
    form: { kind: 'by', group, extreme: most === undefined ? 'min' : 'max' },
    base: text.replace(match[0], () => `${SUM_WORD} ${before} ${after}`),
  }
}
