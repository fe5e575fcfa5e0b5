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
  readonly median: Phrases
  readonly sum: Phrases
  readonly count: Phrases
  readonly rows: Phrases
  /** Payments over time; `{word}` is one word. */
  readonly spent: Phrases
  /** The same in two parts, with other words between. */
  readonly spentHead: Phrases
  readonly spentTail: Words
  /** The same of who paid most: `which customer paid the most`. */
  readonly payingMost: Words
  /** Words for open amounts, and headers of paid ones. */
  readonly owed: Phrases
  readonly paid: Words
  /** Income, where `earn` is no salary: `did we earn`. */
  readonly ownEarning: Phrases
  readonly ownPronouns: Words
  /** `How long … last?` asks for no extreme. */
  readonly howLong: Phrases
  /** Words before the name of the rows: `which`. `afterHeads`: words that may come between. */
  readonly heads: Phrases
  readonly afterHeads: Words
  /** Words before the condition of the rows: `in`. */
  readonly placing: Words
  readonly articles: Phrases
  /** Articles and words such as `their`. */
  readonly owning: Phrases
  readonly grouping: Words
  /** The names of rows that are asked for, and words around them: `just the job numbers please`. */
  readonly namesOf: Phrases
  readonly whoOrThat: Phrases
  readonly wishing: Words
  readonly nameWords: Phrases
  readonly numberWords: Phrases
  readonly or: Words
  readonly who: Words
  /** Words that only ask. */
  readonly asking: Words
  /** Verbs that choose no rows, unless a cell or a header says them. */
  readonly light: Words

  /** Words of a question that point to a kind of column, and words of its header. */
  readonly topics: Partial<Record<Topic, Phrases>>
  readonly topicHeaders: Partial<Record<Topic, Phrases>>
  /** Words for money that comes in, goes out or is planned. */
  readonly flows: Readonly<Record<'in' | 'out' | 'plan', Words>>
  /** Whole headers of columns of people. */
  readonly peopleHeaders: Phrases
  /** Words for the rows of a table, by their kind. */
  readonly kinds: Partial<
    Record<
      | 'person'
      | 'product'
      | 'customer'
      | 'room'
      | 'city'
      | 'kilogram'
      | 'litre'
      | 'tonne'
      | 'per'
      | 'volunteer'
      | 'hour'
      | 'owner'
      | 'takings',
      Words
    >
  >
  /** Headers of rows that sum up others, of numbers that are names, and cells of a column of yes and no. */
  readonly totalRows: Phrases
  /** A row that sums up a part of the rows. */
  readonly subtotals: Phrases
  /** All columns of months together. */
  readonly allMonths: Words
  /** The same for their average; alone it may also be a name, such as that of a mark. */
  readonly averageRows: Phrases
  readonly namingHeaders: Phrases
  /** Headers of the day or the year in which someone was born. */
  readonly birthHeaders: Phrases
  /** Headers of amounts for one of something: they are never added up. */
  readonly rateHeaders: Phrases
  /** Headers of prices, which may be those of one thing. */
  readonly priceHeaders: Phrases
  /** Headers of times per week or day of one person. */
  readonly timePer: Phrases
  readonly namingEndings: Words
  readonly yes: Words
  readonly no: Words

  /** Cells that say nothing. */
  readonly emptyCells: Phrases

  /** Endings of plurals and cases. */
  readonly endings: Words

  readonly negations: Phrases
  /** Negations that may follow their word at the end of a sentence. */
  readonly negationsAtEnd: Words
  /** Negations that mean *number* before a number: `No. 5`. */
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
  /** Comparisons that a year alone may follow: `before 2020`. */
  readonly timed: Phrases
  /** `Before the end of 2025` is in it. */
  readonly endOf: Phrases
  readonly from: Words
  readonly to: Words
  readonly below: Words
  readonly above: Words
  /** Headers of columns of limits: they are no stock. */
  readonly limitHeaders: Phrases
  /** Words for the limit itself: `below the reorder level`. */
  readonly limitWords: Words
  /** Days before and after that of another column, and headers of the day that a thing is due. */
  readonly beforeDay: Words
  readonly afterDay: Words
  readonly late: Phrases
  readonly dueHeaders: Phrases
  readonly dayWords: Words
  /** `Not fully paid`, `paid nothing`. */
  readonly fully: Phrases
  readonly nothing: Phrases
  /** Words for a thing that is done, also within headers. */
  readonly done: Readonly<Record<'billed' | 'delivered' | 'paid' | 'returned', Phrases>>
  /** The end of a range without a limit: `10 years and more`. */
  readonly orMore: Phrases
  /** Comparisons that name a place of a range: `after four years`. */
  readonly reaching: Words
  /** One to fifteen. */
  readonly numbers: Phrases
  /** Comparisons whose limit is no number: `at least one`. */
  readonly openLimits: Phrases

  /** Twelve, January first: the whole name, and how it begins in a short date. */
  readonly months: Phrases
  readonly monthStarts: Phrases
  /** Names of months that are other words, too. `beforeMonths`, `afterMonths`: words next to one that show that the month is meant. */
  readonly doubtfulMonths: Words
  readonly beforeMonths: Words
  readonly afterMonths: Words
  /** Pronouns: `may` before one is the verb, also after `and`. */
  readonly afterVerbs: Words
  /** Words for the first day of something: `joined`, `since`. */
  readonly beginnings: Words
  /** Before a period: `during`. */
  readonly inMonth: Phrases
  readonly inYear: Phrases
  /** Words before a year that is that of a thing: `the whole 2025 income`. */
  readonly wholeYear: Phrases
  readonly monthOf: Phrases
  readonly quarter: Phrases
  readonly quarterOf: Words
  /** First to fourth, and endings of numbers: `3rd`. */
  readonly ordinals: Phrases
  readonly ordinalEndings: Words

  /** Words that choose rows or the computation. A question with an unknown one is not computed. */
  readonly units: Phrases
  /** Words for the time that an amount is for: `weekly`. */
  readonly periodic: Words
  readonly relative: Phrases
  /** Up to the day of the question. */
  readonly soFar: Phrases
  /** Words that choose a period before its unit: `this month`. */
  readonly showing: Phrases
  readonly comparing: Words
  readonly sharing: Phrases
  readonly others: Phrases
  /** Values made of several ones. */
  readonly made: Phrases
  readonly counting: Phrases
  /** `than`, and the comparatives before it. */
  readonly than: Words
  readonly comparatives: Phrases
  /** `to`, in a range: `from … to`. */
  readonly rangeTo: Words
  readonly rangeFrom: Words
  /** `after`, a condition only in a question that begins with `whoOrWhen`. */
  readonly afterWhen: Words
  readonly whoOrWhen: Words

  /** Words for the product of a number of things and the price of one. */
  readonly worth: Phrases
  /** Words before the different values of a column: `how many different suppliers`. */
  readonly different: Phrases
  /** `By how much did it go over`: a row's value in two columns. */
  readonly overs: Phrases
  readonly overVerbs: Phrases
  /** Forms of a question: the first rows, `top 5`; groups by month and year; a part of the whole; two rows compared. */
  readonly tops: Phrases
  readonly bottoms: Phrases
  /** Extremes of a number of rows: `the most employees`. */
  readonly mostRows: Phrases
  readonly fewestRows: Phrases
  /** The end of a question for the most that asks for their number, too. */
  readonly andHowMany: Phrases
  /** The beginning of a second question for the same thing; `{word}` is one word. */
  readonly alsoAsking: Phrases
  /** Everything that a table of one season has. */
  readonly wholeTimes: Phrases
  readonly inOrder: Phrases
  /** `Date` of `by month (date out)`. */
  readonly dateWords: Words
  /** Headers of costs for each row, which are added up for one thing. */
  readonly costHeaders: Phrases
  /** `Which school had the most pupils` may mean one of its days. */
  readonly having: Words
  /** Verbs between a group and them that choose no rows. */
  readonly doing: Words
  readonly monthGroups: Phrases
  /** The month with the highest or lowest sum: `best` of income alone, `busiest` of anything. */
  readonly bestGroups: Phrases
  readonly worstGroups: Phrases
  readonly busiestGroups: Phrases
  readonly quietestGroups: Phrases
  /** Verbs of amounts, which choose no values of a sheet of months. */
  readonly gathering: Words
  readonly money: Words
  readonly yearGroups: Phrases
  /** Sums of several rows, as a plural says: `fees`. */
  readonly plurals: Phrases
  /** Extremes of any amount: `biggest`. */
  readonly sizes: Phrases
  readonly shares: Phrases
  /** Words between a share and what it is of: `goes to`. */
  readonly shareVerbs: Phrases
  /** `difference`, and the word before the two: `between`. */
  readonly differences: Phrases
  readonly between: Words
  /** The same as verbs, without `between`, and the words that go with them: `by how much`; `compared with` joins the two. */
  readonly differing: Phrases
  readonly differingBy: Phrases
  readonly comparedTo: Phrases
  /** Words that a share may have next to it. */
  readonly inPercent: Phrases
  /** `Per kind of honey` groups by honey. */
  readonly kindsOf: Phrases
  /** The second part of a question that asks for the sum of the things that the first one counts. */
  readonly andWhat: Phrases
  /** `How much more … than`; `{word}` is a part of a word. */
  readonly howMuchMore: Phrases
  /** The same of a number of rows. */
  readonly howManyMore: Phrases
  readonly moreThanWhat: Words

  /** Questions that no table answers: words next to an extreme, first words, and phrases. */
  readonly several: Phrases
  readonly ordinalBeginnings: Words
  readonly beyond: Phrases
}
