import { LOWEST, HIGHEST } from '#lexicon/follow-up.ts'
import { oneOf } from '#lexicon/match.ts'

/** Words that stand for `in stock` and `out of stock`, so that a negation can stand before them. */
export const IN_STOCK = 'in0stock0'
export const OUT_OF_STOCK = 'out0stock0'

const OUT =
  /(?<!\p{L})(?:out of stock|sold out|not (?:in stock|available)|unavailable|no longer available|nicht (?:mehr )?(?:auf lager|vorrätig|verfügbar|lieferbar)|ausverkauft|vergriffen)(?!\p{L})/gu
const SOME = /(?<!\p{L})(?:in stock|auf lager)(?!\p{L})/gu
const AVAILABLE = /(?<!\p{L})(?:available|vorrätig|verfügbar|lieferbar)(?!\p{L})/gu
const HOW_MANY = /(?<!\p{L})(?:how (?:many|much)|wie ?viele?)(?!\p{L})/u

/** The question with one word for each phrase about a stock; the number itself may be asked for instead. */
export function sayStock(text: string): { readonly said: string; readonly asksStock: boolean } {
  const said = text.replace(OUT, ` ${OUT_OF_STOCK} `)
  const asksStock = HOW_MANY.test(text) && said.search(SOME) >= 0
  return {
    said: HOW_MANY.test(text) ? said : said.replace(SOME, ` ${IN_STOCK} `).replace(AVAILABLE, ` ${IN_STOCK} `),
    asksStock,
  }
}

/** `doesn't` and `isnt` as two words. */
export const spellOut = (text: string): string =>
  text.replace(/(?<=\p{L})n['’]t(?!\p{L})|(?<=(?<!\p{L})(?:is|are|was|were|has|have|do|does|did))nt(?!\p{L})/gu, ' not')

const NEGATION =
  /^(?:not|no|nor|neither|without|except|excepting|excluding|exclude|excludes|excl|exkl|minus|besides|never|none|nobody|nothing|nicht|kein\p{L}{0,2}|ohne|außer|ausser|ausgenommen|ausschließlich|abzüglich|exklusive|abgesehen|weder|nie|niemals|niemand|nichts)$/u

/** Words of another part of the sentence begin behind these. */
const CLAUSE_END = /^(?:[;^,]|and|but|or|und|aber|oder|sondern)$/

/**
 * Words behind a negation, each the next one of its part of the sentence. A negation that ends a question is for the
 * word before it.
 *
 * @param isContent whether a word says something about a row
 * @returns undefined where a negation has no word of its own
 */
export function findNegated(
  tokens: readonly string[],
  isContent: (at: number) => boolean,
): ReadonlySet<number> | undefined {
  const found = new Set<number>()
  for (const [at, token] of tokens.entries()) {
    if (!NEGATION.test(token) || (token === 'no' && /^\d/.test(tokens[at + 1] ?? ''))) continue
    let next = at + 1
    while (next < tokens.length && !isContent(next) && !CLAUSE_END.test(tokens[next] ?? '')) next += 1
    const last = tokens.findLastIndex((_, before) => before < at && isContent(before))
    if (next < tokens.length && isContent(next)) found.add(next)
    else if (token === 'nicht' && next === tokens.length && last >= 0) found.add(last)
    else return undefined
  }
  return found
}

export const isNegation = (word: string): boolean => NEGATION.test(word)

const UNIT =
  /^(?:years?|months?|weeks?|quarters?|days?|jahr(?:e[ns]?|s)?|monat(?:e[ns]?|s)?|wochen?|quartal(?:e[ns]?|s)?|tage?[ns]?)$/
const MONTHS =
  /^(?:january|februar(?:y)?|march|april|june|july|august|september|october|november|december|januar|jänner|märz|mai|juni|juli|oktober|dezember)$/
const RELATIVE =
  /^(?:last|next|past|previous|today|yesterday|tomorrow|heute|gestern|(?:letzt|nächst|vorig|vergangen|kommend|vorletzt)e[nmrs]?)$/
const SHOWING = /^(?:this|current|dies(?:e[nmrs]?)?|aktuelle[nmrs]?|laufende[nmrs]?)$/
const COMPARING =
  /^(?:between|zwischen|than|before|after|since|until|till|above|below|beyond|within|over|under|vor|seit|bis|über|unter|oberhalb|unterhalb|innerhalb)$/
const SHARING = /^(?:per|each|every|pro|je|jede[nmrs]?|jeweils|other|others)$/
/** Values made of several ones; the header of a column may say them. */
const MADE =
  /^(?:difference|differences|unterschied\p{L}*|differenz\p{L}*|spread|spanne|share|percentage|percent|proportion|fraction|ratio|median|anteil\p{L}*|prozent\p{L}*|verhältnis|rest|half|hälfte)$/u
const ORDINAL =
  /^(?:\d{1,3}(?:st|nd|rd|th)|first|second|third|fourth|fifth|(?:erst|zweit|dritt|viert|fünft)e[nmrs]?|(?:two|three|four|five|six|seven|eight|nine|ten)|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|top|bottom)$/
const MONTH_BEFORE =
  /^(?:in|of|for|from|to|until|till|since|and|or|by|during|before|after|between|this|last|next|through|late|early|mid|except|not|without|excluding)$/

/** Whether `may` is the month. */
const isMay = (tokens: readonly string[], at: number): boolean =>
  MONTH_BEFORE.test(tokens[at - 1] ?? '') ||
  tokens[at + 1] === undefined ||
  /^(?:\d{4}|and|or|to|through)$/.test(tokens[at + 1] ?? '')

/** Whether a word says which rows are meant or what is computed of them, so that it must not be passed over. */
export function isLimit(tokens: readonly string[], at: number): boolean {
  const [word = '', before = '', next = ''] = [tokens[at], tokens[at - 1], tokens[at + 1]]
  if (word === 'may') return isMay(tokens, at)
  if (word === 'als') return /^(?:\p{L}+er|mehr|weniger)$/u.test(before)
  if (word === 'to' || word === 'through') return tokens.slice(0, at).some((one) => /^(?:from|von|between)$/.test(one))
  if (word === 'nach') return /^(?:wer|wann|who|when)$/.test(tokens[0] ?? '')
  if (SHOWING.test(word)) return UNIT.test(next)
  return [UNIT, MONTHS, RELATIVE, COMPARING, SHARING, MADE, ORDINAL].some((pattern) => pattern.test(word))
}

/** Whether a word has a meaning of its own only with the next one: `last name`. */
export const needsNext = (word: string): boolean => ![UNIT, MONTHS, MADE, /^may$/].some((pattern) => pattern.test(word))

const EXTREME = oneOf([...LOWEST, ...HIGHEST])
const SEVERAL =
  '(?:\\d{1,3}(?:st|nd|rd|th)?\\.?|two|three|four|five|six|ten|zwei|drei|vier|fünf|zehn|second|third|fourth|fifth|(?:zweit|dritt|viert|fünft)e[nmrs]?|top|bottom|next|nächste[nmrs]?)'
const MONTH = 'jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez'
const BEYOND = [
  new RegExp(`(?<![\\p{L}\\d.,])${SEVERAL}\\s${EXTREME}(?!\\p{L})`, 'u'),
  new RegExp(`(?<!\\p{L})${EXTREME}\\s${SEVERAL}(?![\\p{L}\\d.,])`, 'u'),
  new RegExp(`(?:zweit|dritt|viert|fünft)${EXTREME}(?!\\p{L})`, 'u'),
  new RegExp(`(?<!\\p{L})(?:${MONTH})\\p{L}{0,6}\\s?[-–/]\\s?(?:${MONTH})`, 'u'),
  // `Most spent on` asks for a group of rows.
  /(?<!\p{L})(?:spen[dt]s?|ausgegeben|ausgeben|bezahlt|gezahlt)\s(?:(?:the|am|das|on|for)\s){0,2}(?:most|least|meisten|wenigsten)(?!\p{L})|(?<!\p{L})(?:most|least|meisten|wenigsten)\s(?:money\s|geld\s)?(?:spent|ausgegeben|bezahlt|gezahlt)(?!\p{L})/u,
  /(?<!\p{L})(?:all|everything|alles?) (?:but|bis auf)(?!\p{L})|(?<!\p{L})weder(?!\p{L})|(?<!\p{L})(?:apart from|other than)(?!\p{L})/u,
]

/** Whether a question asks for what is not computed of a table: the second highest, the three cheapest, May to July. */
export const isBeyondTables = (text: string): boolean => BEYOND.some((pattern) => pattern.test(text))

/** Whether a comparison is left whose limit is no number: `at least one`. */
export const hasOpenLimit = (rest: string): boolean =>
  /(?<!\p{L})(?:at (?:least|most)|mindestens|höchstens|wenigstens)(?!\p{L})/u.test(rest)
