import { stopwords as english } from '@orama/stopwords/english'
import { stopwords as german } from '@orama/stopwords/german'
import { LOWEST, LOWEST_AT_END, HIGHEST, HIGHEST_AT_END } from '#lexicon/follow-up.ts'
import { oneOf } from '#lexicon/match.ts'
import { MORE_STOP_WORDS } from '#platform/engine/text/stop-words.ts'
import { normalize } from '#platform/engine/text/words.ts'
import { type Comparison, readComparisons } from './comparisons.ts'
import {
  findNegated,
  hasOpenLimit,
  isBeyondTables,
  isLimit,
  isNegation,
  needsNext,
  sayStock,
  spellOut,
} from './limits.ts'
import { type Period, readPeriod } from './period.ts'

export type Aggregate = 'max' | 'min' | 'sum' | 'average' | 'count' | 'rows' | 'value'

export interface AskedWord {
  readonly text: string
  /** Endings cut off. */
  readonly stem: string
  /** It stands behind `in`, `of`, `für` …, so it names which rows. */
  readonly isPlace: boolean
  /** It stands behind `which`, `how many` …, so it names what the rows are. */
  readonly isHead: boolean
  /** The word behind `not`. */
  readonly isNegated: boolean
  /** It limits or changes what is computed, so a table has to know it. */
  readonly isLimit: boolean
  /** A name of the rows beside an extreme (`the cheapest product`): a table may lack it. */
  readonly isName: boolean
  /** Last word of what `which`, `how many` … ask for: `categories` of `product categories`. */
  readonly isCounted: boolean
  /** It stands behind `by`: `total by category`. */
  readonly isGroup: boolean
  /** Stem of the next word, where this one means something with it only: `last name`. */
  readonly next: string | undefined
}

/** A question as a table understands it. */
export interface TableQuestion {
  readonly aggregate: Aggregate
  readonly comparisons: readonly Comparison[]
  /** Kinds of columns that its words point to: `expensive` to prices. */
  readonly topics: ReadonlySet<Topic>
  /** Words that say neither what to compute nor anything common. */
  readonly words: readonly AskedWord[]
  /** Stems of what `which`, `how many` … ask for, common words too. */
  readonly heads: readonly string[]
  /** All words in order, for values of several words. */
  readonly stems: readonly string[]
  /** Its words are among `words`, too. */
  readonly period: Period | undefined
  /** Each aggregate that the question says, with the stems of its words. */
  readonly aggregates: ReadonlyMap<Aggregate, readonly string[]>
  /** Part of it is not understood: nothing is computed. */
  readonly isUnclear: boolean
  /** `or` joins two parts of it. */
  readonly hasOr: boolean
  /** `How many … are in stock?` */
  readonly asksStock: boolean
  /** `Who …?` asks for rows where no row is named. */
  readonly asksWho: boolean
}

/** Kinds of columns: words of a question, and of a header. */
const TOPICS = {
  price: {
    asked:
      /^(?:expensive|cheap\w*|pric\w+|costs?|pay|paid|spend|spent|kost\w*|teuer\w*|billig\w*|günstig\w*|preis\w*|ausg\w+b\w*|bezahl\w*|zahl\w+)$/,
    header: /pric|cost|preis|kosten|betrag|amount|fee\b|gebühr|tarif|\brate\b|\beur|usd|chf|€|\$|£|budget|total|summe/,
  },
  date: {
    asked:
      /^(?:when|wann|zuletzt|zuerst|recent|latest|earliest|newest|oldest|before|after|since|until|hired|joined|start\w*|begin\w*|began|begann\w*|eingestellt|neu\w*ste\w*|ältest\w*|früheste?\w*|späteste\w*|jüngst\w*|vor|nach|seit|bis|due|fällig\w*)$/,
    header:
      /date|datum|\bday\b|\btag\b|\bdue\b|fällig|deadline|start|begin|end\b|ende\b|since|seit|\bon\b|am\b|year|jahr|month|monat/,
  },
  size: {
    asked: /^(?:larg\w+|big\w*|small\w*|größ\w*|gross\w*|klein\w*|fit|passen|hold|fass\w*)$/,
    header: /capacity|seats|plätze|size|größe|kapazität|people|persons|personen|area|fläche|m²|volume/,
  },
  time: {
    asked: /^(?:long\w*|short\w*|läng\w*|lang\w*|kürz\w*|kurz\w*|last\w*|dauer\w*|hours|stunden)$/,
    header: /duration|dauer|hours|stunden|time|zeit|minutes|minuten|length|länge|days|tage/,
  },
  weight: { asked: /^(?:heav\w+|light\w*|weigh\w*|schwer\w*|leicht\w*|wieg\w*)$/, header: /weight|gewicht|\bkg\b/ },
  speed: {
    asked: /^(?:fast\w*|slow\w*|quick\w*|schnell\w*|langsam\w*)$/,
    header: /speed|geschwindigkeit|km\/h|mph|knots|knoten|tempo/,
  },
  height: { asked: /^(?:tall\w*|high|hoch|hohe\w*|deep\w*|tief\w*)$/, header: /height|höhe|depth|tiefe/ },
  age: { asked: /^(?:old\w*|young\w*|alt\w*|ältest\w*|jüngst\w*)$/, header: /\bage\b|alter/ },
  stock: {
    asked:
      /^(?:stock|left|available|unavailable|sold|lager\w*|vorrat|vorrätig|verfügbar\w*|übrig|ausverkauft|vergriffen)$/,
    header: /stock|bestand|quantity|qty|menge|anzahl|units|stück|available|vorrat|lager/,
  },
  person: {
    asked: /^(?:who|whom|wer|wem|wen|responsible|verantwortlich\w*|zuständig\w*)$/,
    header: /owner|contact|name|responsible|person|lead|manager|ansprech|zuständ|verantwort|leit|kontakt/,
  },
  pay: { asked: /^(?:earn\w*|verdien\w*|salar\w*|gehalt\w*|paid)$/, header: /salary|gehalt|lohn|wage|\bpay\b/ },
  place: {
    asked: /^(?:where|wo|wohin)$/,
    header: /location|place|city|room|building|ort|stadt|raum|standort|address|adresse|site/,
  },
} as const
export type Topic = keyof typeof TOPICS

export const topicsOfHeader = (header: string): readonly Topic[] =>
  (Object.keys(TOPICS) as Topic[]).filter((topic) => TOPICS[topic].header.test(header.toLowerCase()))

const MAX_QUESTION = 500

const AGGREGATES: readonly (readonly [RegExp, Aggregate])[] = [
  [
    /\b(?:average|mean|on average|durchschnitt\w*|mittelwert|mittlere\w*|im schnitt|im mittel)(?![\p{L}])/giu,
    'average',
  ],
  [new RegExp(String.raw`(?<!\p{L})${oneOf(LOWEST)}(?!\p{L})`, 'gu'), 'min'],
  [new RegExp(String.raw`(?<!\p{L})${oneOf(HIGHEST)}(?!\p{L})`, 'gu'), 'max'],
  // `How long does it last?` asks for no end.
  [new RegExp(String.raw`(?<!\p{L}|how long .{0,200})${oneOf(HIGHEST_AT_END)}(?=\s?\?|\W*$)`, 'gu'), 'max'],
  [new RegExp(String.raw`(?<!\p{L})${oneOf(LOWEST_AT_END)}(?=\s?\?|\W*$)`, 'gu'), 'min'],
  [/(?<!\p{L})(?:in total|total|sum|altogether|overall|summe|insgesamt|gesamt\w*|zusammen)(?!\p{L})/giu, 'sum'],
  // Payments over time are several rows.
  [
    /(?<!\p{L})how much (?:money )?(?:(?:do|did|have|has|had) \p{L}+ (?:spend|spent|paid|earned)|did \p{L}+ (?:pay|earn|cost)|(?:was|were|has been) (?:spent|paid))(?!\p{L})/giu,
    'sum',
  ],
  [
    /(?<!\p{L})wie ?viel(?: geld)?(?!\p{L})(?=.{1,100}(?<!\p{L})(?:ausgegeben|bezahlt|gezahlt|gekostet|eingenommen|verdient)(?!\p{L}))/giu,
    'sum',
  ],
  [/(?<!\p{L})(?:how many|number of|count|wie ?viele|anzahl)(?!\p{L})/giu, 'count'],
  [
    /(?<!\p{L})(?:which|list|show|all|what \p{L}{2,20}s (?:have|are|cost)|welche[rsnm]?|zeige?|liste|alle)(?!\p{L})/giu,
    'rows',
  ],
]

/** Words that say how a question is asked, beside stop words. */
const ASKING = `doesn don didn isn aren wasn weren hasn haven get gets got receive receives bekommt bekommen erhält erhalten which list show give find name entry entries row rows item items table sheet file record records value values tell much
  zeile zeilen eintrag einträge tabelle blatt datei wert werte zeige nenne gib expensive yet already bereits schon currently now work works working worked live lives located arbeiten
  arbeitet wohnen wohnt team department abteilung`

let stop: ReadonlySet<string> | undefined
const stopWords = () =>
  (stop ??= new Set(
    [...english, ...german, ...`${MORE_STOP_WORDS['en']} ${MORE_STOP_WORDS['de']} ${ASKING}`.split(/\s+/)].map(
      normalize,
    ),
  ))

const HEAD =
  /(?<!\p{L})(?:which|what|welche[rsnm]?|how many|wie ?viele|list|liste|show|zeige?)\s(?:(?:me|mir|all|alle|the|die|of|our|unsere)\s){0,3}([\p{L}\p{N}]+)/gu
const PLACING =
  /^(?:in|im|for|für|of|von|vom|bei|beim|at|from|aus|zum|zur|during|während|am|by|with|mit|on|auf|since|seit|until|bis|before|vor|after|nach|über|unter|over|under|within|about|via|per)$/
const ARTICLE = /^(?:the|der|die|das|dem|den|des|a|an|ein|eine[rnms]?|our|my|unsere?[rnms]?|mein\w*)$/

/** Without the endings of plurals and cases; a long compound keeps its parts. */
export function toStem(word: string): string {
  if (/^\d/.test(word)) return word
  const cut = word.replace(/(?:ies)$/, 'y').replace(/(?:ern|en|es|er|em|e|n|s)$/, '')
  // `Produkt` and `product` are one word.
  return (cut.length >= 3 ? cut : word).replace(/c(?!h)/g, 'k')
}

export const toWordList = (text: string): string[] => normalize(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Words in order; `;` stands for a comparison or an aggregate, `^` for an extreme. */
const toTokens = (text: string): string[] => text.match(/[\p{L}\p{N}]+|[;^,]/gu) ?? []

const OR = /(?<!\p{L})(?:or|oder|either|entweder|bzw)(?!\p{L})/u

/** Takes the words of aggregates out of the question. */
function readAggregates(text: string) {
  const aggregates = new Map<Aggregate, readonly string[]>()
  let rest = text
  for (const [pattern, one] of AGGREGATES) {
    rest = rest.replace(pattern, (match) => {
      aggregates.set(one, [...(aggregates.get(one) ?? []), ...toWordList(match).map(toStem)])
      return one === 'max' || one === 'min' ? ' ^ ' : ' ; '
    })
  }
  return { aggregates, rest }
}

function toAskedWords(rest: string, heads: ReadonlySet<string | undefined>) {
  const tokens = toTokens(rest)
  const isWord = (at: number) => {
    const word = tokens[at] ?? ''
    if (isLimit(tokens, at)) return true
    return !stopWords().has(word) && !/^(?:\p{L}|[;^,])$/u.test(word) && !isNegation(word)
  }
  const negated = findNegated(tokens, (at) => at < tokens.length && isWord(at))
  let isOfHead = false
  const words = tokens.flatMap((word, at): AskedWord[] => {
    isOfHead = isWord(at) && (isOfHead || heads.has(word))
    if (!isWord(at)) return []
    const before = (ARTICLE.test(tokens[at - 1] ?? '') ? tokens[at - 2] : tokens[at - 1]) ?? ''
    const isHead = heads.has(word)
    const limits = isLimit(tokens, at)
    const isLast = at + 1 >= tokens.length || !isWord(at + 1)
    const behind = (ARTICLE.test(tokens[at + 1] ?? '') ? tokens[at + 2] : tokens[at + 1]) ?? ''
    const next = limits && needsNext(word) ? toStem(behind) : undefined
    const isBest = before === '^' || (tokens[at - 2] === '^' && (stopWords().has(before) || isTopicWord(before)))
    return [
      {
        text: word,
        stem: toStem(word),
        isPlace: PLACING.test(before),
        isHead,
        isNegated: negated?.has(at) === true,
        isLimit: limits,
        isName: !limits && isLast && (isHead || isBest),
        isCounted: isOfHead && isLast,
        isGroup: /^(?:by|nach)$/.test(before),
        next,
      },
    ]
  })
  return { words, isUnclear: negated === undefined }
}

const COMPUTING = ['average', 'min', 'max', 'sum', 'count', 'rows'] as const

/** The question as a table understands it. */
export function readTableQuestion(question: string): TableQuestion {
  const text = spellOut(normalize(question.slice(0, MAX_QUESTION)).replaceAll(/[;^]/g, ','))
  const { said, asksStock } = sayStock(text)
  const { comparisons, rest: compared } = readComparisons(said)
  const heads = new Set(Array.from(said.matchAll(HEAD), ([, head]) => head))
  const asked = toWordList(said)
  const topics = new Set(
    (Object.keys(TOPICS) as Topic[]).filter((topic) => asked.some((word) => TOPICS[topic].asked.test(word))),
  )
  const { aggregates, rest } = readAggregates(compared)
  const { words, isUnclear } = toAskedWords(rest, heads)
  return {
    aggregate: COMPUTING.find((one) => aggregates.has(one)) ?? 'value',
    aggregates,
    comparisons,
    topics,
    words,
    heads: [...heads].map((head) => toStem(head ?? '')),
    stems: toWordList(text).map(toStem),
    period: readPeriod(rest.replace(/\s+/g, ' ')),
    isUnclear: isUnclear || isBeyondTables(text) || hasOpenLimit(compared),
    hasOr: OR.test(rest),
    asksStock,
    asksWho: /^\s*(?:who|wer)(?!\p{L})/u.test(text),
  }
}

export const isTopicWord = (word: string): boolean => Object.values(TOPICS).some(({ asked }) => asked.test(word))

/** Words for the rows of a table, in both languages. */
const KINDS = [
  'employe employee people person persons staff member kolleg kollegin mitarbeit mitarbeiter mitarbeiterin angestellt leut name user',
  'produkt item artikel article ware thing',
  'kustomer kunde kund client klient',
  'room raum räum zimm zimmer',
  'kity stadt städt ort lokation',
  'kg kilo kilogramm kilogram',
  'per pro je',
]
const KIND_OF = new Map(
  KINDS.flatMap((words, kind) =>
    words.split(' ').flatMap((word) => [[word, kind] as const, [toStem(word), kind] as const]),
  ),
)

/** Whether two words are one, or name the same kind of thing. */
export function isSameWord(one: string, other: string): boolean {
  if (one === other) return true
  const kind = KIND_OF.get(one)
  if (kind !== undefined && kind === KIND_OF.get(other)) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= 4 && (long.startsWith(short) || (short.length >= 5 && long.endsWith(short)))
}
