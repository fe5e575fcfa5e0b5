import { HIGHEST, LOWEST } from '#lexicon/follow-up.ts'
import { allPhrases, allWords, matchStart, matchWhole, matchWithin, namesByPlace, oneOf } from '#lexicon/match.ts'
import { flowOf } from './flow.ts'
import { normalize } from '#platform/engine/text/words.ts'

/** Questions for more than one value of a table. */
export type Form =
  /** The first rows by an amount: `the three cheapest`. `thing`: the word after the number in `which three products`. */
  | { readonly kind: 'first'; readonly count: number; readonly thing?: string }
  /** A value of each group, `total by category`; with an extreme, the group that has it. `isWorth`: only of a number times a price; `isLevel`: that of one row may be meant, too. */
  | {
      readonly kind: 'by'
      readonly group: string
      readonly extreme?: 'max' | 'min'
      readonly isWorth?: boolean
      readonly isLevel?: boolean
      /** `Who guided the most groups`: the group is a verb, and names the column of those who did it. */
      readonly isDoer?: boolean
    }
  /** One value of all rows, which are things of this name: `the average fee per school booking`. */
  | { readonly kind: 'each'; readonly thing: string }
  /** The part of the whole, in percent. */
  | { readonly kind: 'share' }
  /** Between two rows, or between two columns of one row. */
  | { readonly kind: 'difference' }
  /** Between the highest and the lowest value. */
  | { readonly kind: 'spread' }
  /** The row of a place: `the second highest`. */
  | { readonly kind: 'nth'; readonly place: number }

/** A form, and the question for one value that it is made of: `total` of `total by category`. */
export interface Formed {
  readonly form: Form
  readonly base: string
  /** The form where a table has no such groups. */
  readonly otherwise?: Formed
}

/** Letters of a question that are looked at. */
const MAX_QUESTION = 500
/** Most rows of `the ten cheapest`. */
const MAX_FIRST = 10

const NUMBERS = namesByPlace('numbers', MAX_FIRST)
const NUMBER = String.raw`(?<number>\d{1,2}|${oneOf(NUMBERS.slice(1).flat())})`
const toNumber = (text: string) =>
  /^\d/.test(text) ? Number(text) : NUMBERS.findIndex((names) => names.includes(text)) + 1

const NAME = String.raw`\p{L}[\p{L}-]{1,30}`
const HEADS = oneOf(allPhrases('tables', 'heads'))
const HIGH = oneOf(HIGHEST)
const LOW = oneOf(LOWEST)
const EXTREME = oneOf([...LOWEST, ...HIGHEST])
const TOP = oneOf(allPhrases('tables', 'tops'))
const BOTTOM = oneOf(allPhrases('tables', 'bottoms'))
/** The first word of a list is used for all of them. */
const [HIGHEST_WORD = ''] = HIGHEST
const [LOWEST_WORD = ''] = LOWEST
export const [SUM_WORD = ''] = allPhrases('tables', 'sum')
export const [COUNT_WORDS = ''] = allPhrases('tables', 'count')
const [PLACING_WORD = ''] = allWords('tables', 'placing')

/** Most places of `the fifth cheapest`. */
const MAX_PLACE = 4
const ORDINALS = namesByPlace('ordinals', MAX_PLACE)
const toOrdinal = (text: string) => ORDINALS.findIndex((names) => matchWhole(names).test(text)) + 1

const word = (source: string) => String.raw`(?<!\p{L})${source}(?![\p{L}\d.,-])`
const FIRST = [
  new RegExp(word(String.raw`${NUMBER}\s(?<extreme>${EXTREME})`), 'u'),
  new RegExp(word(String.raw`(?<extreme>${TOP}|${BOTTOM})\s${NUMBER}`), 'u'),
  new RegExp(
    word(String.raw`(?<head>${HEADS})\s(?:\p{L}+\s){0,3}?${NUMBER}(?=\s(?<thing>${NAME})?.{0,200}${EXTREME})`),
    'u',
  ),
]
const ORDINAL = String.raw`(?<ordinal>\d{1,2}(?=\.|${oneOf(allWords('tables', 'ordinalEndings'))})|${oneOf(ORDINALS.flat())})`
const NTH = [
  new RegExp(
    word(String.raw`${ORDINAL}(?:\.|${oneOf(allWords('tables', 'ordinalEndings'))})?\s(?<extreme>${EXTREME})`),
    'u',
  ),
  new RegExp(
    String.raw`(?<!\p{L})(?<beginning>${oneOf(allWords('tables', 'ordinalBeginnings'))})(?<extreme>${EXTREME})(?!\p{L})`,
    'u',
  ),
]
const BEGINNINGS = allWords('tables', 'ordinalBeginnings')
const IS_BOTTOM = new RegExp(`^${BOTTOM}$`, 'u')
const IS_HIGH = matchWhole(HIGHEST)
const SIZE = matchWhole(allPhrases('tables', 'sizes'))
const IS_TOP = new RegExp(`^${TOP}$`, 'u')

const BY = oneOf([...allWords('tables', 'grouping'), ...allPhrases('tables', 'sharing')])
const EACH = oneOf(allPhrases('tables', 'sharing'))
const PLACE = oneOf(allWords('tables', 'placing'))
const GROUPS = new RegExp(
  String.raw`(?:^|\s)(?:${PLACE}\s)?${BY}\s(?<group>${NAME}(?:\s${NAME})?)(?=\s?[?.!]*$)|` +
    String.raw`\s(?:${PLACE}\s)?${BY}\s(?<within>${NAME})(?=\s${PLACE}\s)|` +
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
const SPENDING = oneOf(allWords('tables', 'spentTail'))
/** `The most employees`: most rows, not the highest value. */
const MANY = oneOf(allPhrases('tables', 'mostRows'))
const FEW = oneOf(allPhrases('tables', 'fewestRows'))
const WITH_ROWS = new RegExp(
  String.raw`(?<!\p{L})${HEADS}\s(?<group>${NAME})\s(?<before>.{0,100}?)(?<!\p{L})(?:(?<most>${MANY})|${FEW})\s(?!(?:${PLACE}|${SPENDING})(?!\p{L}))(?<thing>${NAME})(?!\p{L})`,
  'u',
)
/** `In which month did we spend the most on rent?`: the group with the highest sum. */
const SPENT_MOST = new RegExp(
  String.raw`(?<!\p{L})${HEADS}\s(?<group>${NAME})\s(?<before>.{0,100}?)(?:(?<most>${HIGH})|${LOW})(?<after>\s${SPENDING}(?!\p{L})|\s${PLACE}\s.{0,100}|\W*$)`,
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
const SPENDS = matchWithin(allWords('tables', 'spentTail'))
export const GROUPS_OF_TIME = matchWhole([
  ...allPhrases('tables', 'monthGroups'),
  ...allPhrases('tables', 'yearGroups'),
])
/** A verb that chooses no rows: `which conductor led the most concerts`. */
const DOING = matchStart(allWords('tables', 'doing'))
const SHARE = matchWithin(allPhrases('tables', 'shares'))
const SHARE_VERB = matchWithin(allPhrases('tables', 'shareVerbs'), 'giu')
const DIFFERENCE = new RegExp(
  String.raw`(?<!\p{L})${oneOf(allPhrases('tables', 'differences'))}(?<of>\s.{0,60}?)?\s${oneOf(allWords('tables', 'between'))}(?!\p{L})`,
  'u',
)
const AND = oneOf(allWords('tables', 'to'))
const BETWEEN = oneOf(allWords('tables', 'between'))
const ARTICLE = String.raw`(?:${oneOf(allPhrases('tables', 'owning'))}\s)?`
/** `Between the highest and the lowest …`, in this order or in the other one. */
const SPREAD = new RegExp(
  String.raw`(?<!\p{L})${oneOf(allPhrases('tables', 'differences'))}(?<of>\s.{0,60}?)?\s${BETWEEN}\s${ARTICLE}` +
    String.raw`(?:${HIGH}\s(?:(?<thing>${NAME})\s)?${AND}\s${ARTICLE}${LOW}|${LOW}\s(?:(?<other>${NAME})\s)?${AND}\s${ARTICLE}${HIGH})(?!\p{L})`,
  'u',
)

/** `How much more … than`. */
const MORE = new RegExp(
  String.raw`(?<!\p{L})${oneOf(allPhrases('tables', 'howMuchMore'), { word: String.raw`\p{L}{1,20}` })}(?<of>\s.{0,80}?)\s${oneOf(allWords('tables', 'moreThanWhat'))}(?!\p{L})`,
  'u',
)

/** A value in two columns. */
const OVER = matchWithin(allPhrases('tables', 'overs'))
const OVER_VERBS = matchWithin(allPhrases('tables', 'overVerbs'), 'giu')

const PLEASE = new RegExp(String.raw`(?<=\s)${oneOf(allPhrases('requests', 'after'))}(?=\W*$)`, 'u')

function readFirst(text: string): Formed | undefined {
  for (const pattern of FIRST) {
    const match = pattern.exec(text)
    const { number = '', extreme = '', head, thing } = match?.groups ?? {}
    const count = toNumber(number)
    if (match === null || count < 2 || count > MAX_FIRST) continue
    const isSize = SIZE.test(extreme) && GROUPS.test(text)
    const isMost = IS_TOP.test(extreme) || (isSize && IS_HIGH.test(extreme))
    const said = isMost ? HIGHEST_WORD : isSize || IS_BOTTOM.test(extreme) ? LOWEST_WORD : extreme
    const kept = head === undefined ? said : match[0].slice(0, match[0].length - number.length)
    const rest = text.replace(match[0], () => kept)
    // `The top 5 by price` and `the three biggest by price` name a column, no groups.
    const isOfAny = IS_TOP.test(extreme) || IS_BOTTOM.test(extreme) || SIZE.test(extreme)
    const base = isOfAny ? rest.replace(GROUPS, ' $<group>$<within>') : rest
    return { form: { kind: 'first', count, ...(thing === undefined ? {} : { thing }) }, base }
  }
  return undefined
}

function readNth(text: string): Formed | undefined {
  const match = NTH.map((pattern) => pattern.exec(text)).find((one) => one !== null)
  const { ordinal = '', beginning = '', extreme = '' } = match?.groups ?? {}
  const place =
    beginning === '' ? (/^\d/.test(ordinal) ? Number(ordinal) : toOrdinal(ordinal)) : BEGINNINGS.indexOf(beginning) + 2
  if (match === null || match === undefined || place < 2 || place > MAX_FIRST) return undefined
  return { form: { kind: 'nth', place }, base: text.replace(match[0], () => extreme) }
}

function readGroups(text: string): Formed | undefined {
  const by = GROUPS.exec(text)
  const { group, within, each } = by?.groups ?? {}
  if (by !== null) {
    const form = { kind: 'by', group: group ?? within ?? each ?? '' } as const
    const [first, thing, ...more] = form.group.split(' ')
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

/** The form of a question; undefined where it asks for one value or for rows. */
export function readForm(question: string): Formed | undefined {
  const text = normalize(question.slice(0, MAX_QUESTION)).replace(PLEASE, '')
  if (OVER.test(text)) {
    const base = text.replace(OVER, ' ').replace(OVER_VERBS, ' ')
    if (!MORE.test(text)) return { form: { kind: 'difference' }, base }
  }
  if (SPREAD.test(text)) return { form: { kind: 'spread' }, base: text.replace(SPREAD, `$<of> ${HIGHEST_WORD} `) }
  const gap = [DIFFERENCE, MORE].find((pattern) => pattern.test(text))
  if (gap !== undefined) return { form: { kind: 'difference' }, base: text.replace(gap, '$<of> ') }
  if (SHARE.test(text)) {
    const base = text.replace(SHARE, () => ` ${SUM_WORD} `).replace(SHARE_VERB, ' ')
    return { form: { kind: 'share' }, base }
  }
  return readNth(text) ?? readFirst(text) ?? readGroups(text)
}
