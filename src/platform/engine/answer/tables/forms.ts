import { HIGHEST, LOWEST } from '#lexicon/follow-up.ts'
import { allPhrases, allWords, matchWhole, matchWithin, namesByPlace, oneOf } from '#lexicon/match.ts'
import { normalize } from '#platform/engine/text/words.ts'
import { COUNT_WORDS, type Formed, HEADS, HIGH, HIGHEST_WORD, LOW, LOWEST_WORD, NAME, SUM_WORD, word } from './form.ts'
import { GROUPS, readBest, readGroups } from './group-forms.ts'

/** Letters of a question that are looked at. */
const MAX_QUESTION = 500
/** Most rows of `the ten cheapest`. */
const MAX_FIRST = 10

const NUMBERS = namesByPlace('numbers', MAX_FIRST)
const NUMBER = String.raw`(?<number>\d{1,2}|${oneOf(NUMBERS.slice(1).flat())})`
const toNumber = (text: string) =>
  /^\d/.test(text) ? Number(text) : NUMBERS.findIndex((names) => names.includes(text)) + 1

const EXTREME = oneOf([...LOWEST, ...HIGHEST])
const TOP = oneOf(allPhrases('tables', 'tops'))
const BOTTOM = oneOf(allPhrases('tables', 'bottoms'))
/** Most places of `the fifth cheapest`. */
const MAX_PLACE = 4
const ORDINALS = namesByPlace('ordinals', MAX_PLACE)
const toOrdinal = (text: string) => ORDINALS.findIndex((names) => matchWhole(names).test(text)) + 1

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

const SHARE = matchWithin(allPhrases('tables', 'shares'))
/** `As a percentage of the total of all jobs`: of an amount, not of rows. */
const OF_TOTAL = new RegExp(
  String.raw`(?<!\p{L})${oneOf(allPhrases('tables', 'shares'))}(?<=${oneOf(allPhrases('tables', 'sum'))})\s${oneOf(allWords('tables', 'placing'))}\s`,
  'u',
)
const IN_PERCENT = new RegExp(String.raw`,?\s${oneOf(allPhrases('tables', 'inPercent'))}(?!\p{L})`, 'u')
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

/** `How many jobs were cancelled, and what do they add up to?` */
const COUNTED_SUM = new RegExp(
  String.raw`^(?<base>.{0,40}?(?<!\p{L})${oneOf(allPhrases('tables', 'count'))}\s.{1,200}?),?\s(?=${oneOf(allPhrases('tables', 'andWhat'))}(?!\p{L}))(?<sum>.{1,100})$`,
  'u',
)
const SUM = matchWithin(allPhrases('tables', 'sum'))
const THEIRS = matchWithin(allWords('talk', 'pointing'))

/** `How far apart are Ulm and Bonn`, `by how much do they differ`. */
const DIFFERS = matchWithin(allPhrases('tables', 'differing'))
const DIFFERS_BY = matchWithin(allPhrases('tables', 'differingBy'))
const COMPARED = matchWithin(allPhrases('tables', 'comparedTo'))
const [AND_WORD = ''] = allWords('tables', 'to')

/** `How much more … than`. */
const MORE = new RegExp(
  String.raw`(?<!\p{L})${oneOf(allPhrases('tables', 'howMuchMore'), { word: String.raw`\p{L}{1,20}` })}(?<of>\s.{0,80}?)\s${oneOf(allWords('tables', 'moreThanWhat'))}(?!\p{L})`,
  'u',
)

/** A value in two columns. */
const OVER = matchWithin(allPhrases('tables', 'overs'))
const OVER_VERBS = matchWithin(allPhrases('tables', 'overVerbs'), 'giu')

/** `In which month were the most faults reported, and how many?` */
const AND_HOW_MANY = new RegExp(
  String.raw`,?\s${oneOf(allPhrases('tables', 'andHowMany'))}(?:\s\p{L}{1,10}){0,2}(?=\W{0,5}$)`,
  'u',
)
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
    // `Which two suppliers did we spend the most with?`
    const grouped = head === undefined ? undefined : readGroups(rest.replace(/\s+/g, ' '))
    if (grouped?.form.kind === 'by' && grouped.form.extreme !== undefined && grouped.form.isLevel !== true)
      return { ...grouped, form: { ...grouped.form, count } }
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

/** The form of a question; undefined where it asks for one value or for rows. */
export function readForm(question: string): Formed | undefined {
  const whole = normalize(question.slice(0, MAX_QUESTION)).replace(PLEASE, '')
  const text = whole.replace(AND_HOW_MANY, '')
  const two = COUNTED_SUM.exec(whole)?.groups
  if (two !== undefined && THEIRS.test(two['sum'] ?? '') && SUM.test(two['sum'] ?? ''))
    return { form: { kind: 'counted-sum', sum: two['sum'] ?? '' }, base: two['base'] ?? '' }
  if (DIFFERS.test(text)) {
    const base = text.replace(DIFFERS_BY, ' ').replace(DIFFERS, ' ').replace(COMPARED, ` ${AND_WORD} `)
    return { form: { kind: 'difference' }, base }
  }
  if (OVER.test(text)) {
    const base = text.replace(OVER, ' ').replace(OVER_VERBS, ' ')
    if (!MORE.test(text)) return { form: { kind: 'difference' }, base }
  }
  if (SPREAD.test(text)) return { form: { kind: 'spread' }, base: text.replace(SPREAD, `$<of> ${HIGHEST_WORD} `) }
  const gap = [DIFFERENCE, MORE].find((pattern) => pattern.test(text))
  if (gap !== undefined) return { form: { kind: 'difference' }, base: text.replace(gap, '$<of> ') }
  if (SHARE.test(text)) {
    const shared = text.replace(IN_PERCENT, '')
    const base = shared.replace(SHARE, () => ` ${SUM_WORD} `).replace(SHARE_VERB, ' ')
    if (OF_TOTAL.test(text)) return { form: { kind: 'share', isOfTotal: true }, base }
    // The share is one of all rows where no amount is meant: `what percentage of the faults are closed`.
    const counted = { form: { kind: 'share' }, base: shared.replace(SHARE, () => `, ${COUNT_WORDS}`) } as const
    return { form: { kind: 'share' }, base, otherwise: counted }
  }
  return readBest(text) ?? readNth(text) ?? readFirst(text) ?? readGroups(text)
}
