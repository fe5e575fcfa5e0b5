import type { Phrases, Words } from './phrase.ts'

/** Kinds of columns. */
export const TOPICS = [
  'price',
  'date',
  'size',
  'time',
  'weight',
  'speed',
  'height',
  'age',
  'stock',
  'person',
  'pay',
  'place',
] as const
export type Topic = (typeof TOPICS)[number]

/** Questions that a table answers, and words of its headers and cells. */
export interface TableWords {
  /** Values that are computed. */
  readonly average: Phrases
  readonly sum: Phrases
  readonly count: Phrases
  readonly rows: Phrases
  /** Payments over time; `{word}` is one word. */
  readonly spent: Phrases
  /** The same in two parts, with others between. */
  readonly spentHead: Phrases
  readonly spentTail: Words
  /** `How long … last?` asks for no extreme. */
  readonly howLong: Phrases
  /** Before what the rows are: `which`, and what may stand between. */
  readonly heads: Phrases
  readonly behindHeads: Words
  /** Before a word that says which rows: `in`. */
  readonly placing: Words
  readonly articles: Phrases
  readonly grouping: Words
  readonly or: Words
  readonly who: Words
  /** They say how a question is asked. */
  readonly asking: Words

  /** Words of a question that point to a kind of column, and words of its header. */
  readonly topics: Partial<Record<Topic, Phrases>>
  readonly topicHeaders: Partial<Record<Topic, Phrases>>
  /** Words for the rows of a table, by what they are. */
  readonly kinds: Partial<Record<'person' | 'product' | 'customer' | 'room' | 'city' | 'kilogram' | 'per', Words>>
  /** Headers of rows that sum up others, of numbers that are names, and cells of a column of yes and no. */
  readonly totalRows: Phrases
  readonly namingHeaders: Phrases
  readonly namingEndings: Words
  readonly yes: Words
  readonly no: Words

  /** Endings of plurals and cases. */
  readonly endings: Words

  readonly negations: Phrases
  /** A negation that may stand behind its word, at the end. */
  readonly negationsAtEnd: Words
  /** A negation that is none before a number: `No. 5`. */
  readonly negationsOfNumbers: Words
  /** Verbs before `nt` without its apostrophe. */
  readonly negatedVerbs: Words
  readonly clauseEnds: Words

  readonly outOfStock: Phrases
  readonly inStock: Phrases
  readonly available: Phrases
  readonly howMany: Phrases
  readonly stockHeaders: Phrases
  readonly noStockHeaders: Phrases

  /** Comparisons, before an amount. */
  readonly atLeast: Phrases
  readonly atMost: Phrases
  readonly moreThan: Phrases
  readonly lessThan: Phrases
  readonly from: Words
  readonly to: Words
  readonly below: Words
  readonly above: Words
  /** The same before no number. */
  readonly openLimits: Phrases

  /** Twelve, January first: the whole name, and how it begins in a short date. */
  readonly months: Phrases
  readonly monthStarts: Phrases
  /** Names of months that are other words, too, and words before and behind that tell the month. */
  readonly doubtfulMonths: Words
  readonly beforeMonths: Words
  readonly behindMonths: Words
  /** Before a period: `during`. */
  readonly inMonth: Phrases
  readonly inYear: Phrases
  readonly monthOf: Phrases
  readonly quarter: Phrases
  readonly quarterOf: Words
  /** First to fourth, and endings of numbers: `3rd`. */
  readonly ordinals: Phrases
  readonly ordinalEndings: Words

  /** Words that say which rows are meant or what is computed of them, so that none may be passed over. */
  readonly units: Phrases
  readonly relative: Phrases
  /** They limit before a unit: `this month`. */
  readonly showing: Phrases
  readonly comparing: Words
  readonly sharing: Phrases
  /** Values made of several ones. */
  readonly made: Phrases
  readonly counting: Phrases
  /** `than`, and the words before it that compare. */
  readonly than: Words
  readonly comparatives: Phrases
  /** `to`, which limits behind `from`. */
  readonly rangeTo: Words
  readonly rangeFrom: Words
  /** It limits in a question of these first words. */
  readonly afterWhen: Words
  readonly whoOrWhen: Words

  /** Questions that no table answers: beside an extreme, as its beginning, and as a phrase. */
  readonly several: Phrases
  readonly ordinalBeginnings: Words
  readonly beyond: Phrases
}
