import type { Phrases, Words } from './phrase.ts'
import type { TableWords } from './table-words.ts'

/** Which language a text is in. */
export interface Tells {
  /** Small words of a long text, in hardly another language. */
  readonly long: Words
  /** Words of a short message, in no other language that is answered in. */
  readonly short: Words
  /** The same, of several parts. */
  readonly shortPhrases: Phrases
  /** They count only beside those: other languages have them too. */
  readonly inCompany: Words
  /** First words of a question that others have within a sentence; they tell nothing where another language has an ending. */
  readonly first: Words
  /** Endings that hardly another language has. */
  readonly endings: Words
  /** Letters of hardly another language, as in a class of a pattern. */
  readonly letters: string
}

/** Conversation: greetings, goodbyes, and what needs an earlier message. */
export interface Talk {
  /** Greetings and thanks that are a whole message. */
  readonly greetings: Phrases
  /** `great`, alone or before thanks. */
  readonly praise: Phrases
  /** Thanks behind praise. */
  readonly thanks: Phrases
  /** Parts of words of thanks. */
  readonly thankful: Words
  /** Whom a greeting is for: `all`. */
  readonly everybody: Words
  /** Thanks and goodbyes that end a conversation. */
  readonly farewells: Phrases
  /** They stand beside a goodbye and ask for nothing; alone they may be an answer to us. */
  readonly besideFarewells: Phrases
  /** `and`, between two of them. */
  readonly and: Words
  /** They refer to earlier messages: `it`. */
  readonly pointing: Words
  /** Words without meaning of their own. */
  readonly empty: Words
  /** `There is`: it refers to nothing. */
  readonly exists: Phrases
  /** Beginnings that go on with what was said: `and`. */
  readonly goingOn: Phrases
  /** Prepositions; a few words behind one are the rest of an earlier question: `in Hamburg?` */
  readonly prepositions: Words
  /** The smallest number or the first date: `cheapest`. */
  readonly least: Phrases
  readonly most: Phrases
  /** Extremes at the end of a question only: `the first one`. */
  readonly leastAtEnd: Phrases
  readonly mostAtEnd: Phrases
  /** Adjectives behind `most`. */
  readonly behindMost: Phrases
  /** `one`, behind an extreme at the end. */
  readonly one: Words
}

/** How requests and questions are said. */
export interface Requests {
  /** Before a request: `hello`, `please`. */
  readonly before: Words
  readonly please: Words
  readonly canYou: Phrases
  readonly giveMe: Phrases
  /** Behind a request: `for me`. */
  readonly after: Phrases
  /** First words of a question without a question mark, and those that may stand before them. */
  readonly questionStarts: Phrases
  readonly beforeQuestions: Words
  /** Long words that say nothing of what a question is about. */
  readonly common: Phrases
  readonly why: Phrases
  readonly because: Phrases
  readonly howMany: Phrases

  /** Asks what Footbridge can do. */
  readonly help: Phrases
  /** Asks for the list of files. */
  readonly list: Phrases
  /** Asks what is in `{file}`. */
  readonly contents: Phrases
  readonly summary: Phrases
  /** Asks who dropped `{file}`, and when. */
  readonly dropper: Phrases
  /** Asks what is new; a span may follow, or stand within as `{since}`. */
  readonly news: Phrases
  readonly newsWithin: Phrases
  /** `since`, and the article, before a span. */
  readonly since: Words
  readonly sinceArticles: Words
  /** Spans of time, with `{weekday}` and `{number}`. */
  readonly spans: Phrases
  /** Sunday first. */
  readonly weekdays: Words
  readonly today: Words
  readonly yesterday: Words
  readonly month: Words
  /** Words by which a question is about a file, whatever it calls it. */
  readonly ofFiles: Phrases
  /** The file that was spoken of last: `it`. */
  readonly lastFile: Phrases
  /** Before and behind the name of a file: `the … document`. */
  readonly beforeName: Phrases
  readonly behindName: Phrases
}

/** Commands by their names in the code. */
export type CommandName =
  | 'access'
  | 'ask'
  | 'askGroup'
  | 'askIn'
  | 'budget'
  | 'collection'
  | 'download'
  | 'files'
  | 'forget'
  | 'gaps'
  | 'help'
  | 'language'
  | 'model'
  | 'modelOf'
  | 'newConversation'
  | 'off'
  | 'rebuild'
  | 'reindex'
  | 'retry'
  | 'save'
  | 'settings'
  | 'usage'
  | 'usual'

/** How models write. */
export interface Models {
  /** Refusals of models that do not use the marker word; `{near}` and `{far}` are other words of the same sentence. */
  readonly refusals: Phrases
  /** First words of a refusal. */
  readonly refusalStarts: Words
  /** A refusal says one of these early: `not`, `sorry`. */
  readonly sayingNo: Phrases
  /** Beginnings of thinking aloud, and those that tell it with a comma. */
  readonly musings: Phrases
  readonly musingsBeforeComma: Words
  /** First words of these; those of the second list tell it with the next word only. */
  readonly musingStarts: Words
  readonly musingStartsOfTwo: Words
  /** Before a mark, and before the name of a file, in brackets: `see`. */
  readonly beforeMarks: Phrases
  readonly sources: Words
}

/** Names that programs give, and words of documents. */
export interface Documents {
  /** Names that a program gave a file; a space is `-` or `_` too. `{digits}`, something with a `{number}`, a `{rest}` that begins with a digit. */
  readonly givenNames: Phrases
  /** Tags of a forum for posts that are answered. */
  readonly solved: Words
  /** Styles of quotations, divided by commas, and of headings. */
  readonly quoteStyles: Phrases
  readonly headingStyles: Words
  /** Numbered headings that a question names: `Annex IV`. */
  readonly headings: Words
  /** Head or foot of a page: `page 3 of 8`. */
  readonly page: Phrases
  readonly pageOf: Words
  /** Words that end with a full stop within a sentence, with their capitals. */
  readonly abbreviations: Words
  /** Capitalised words behind an ordinal number with a full stop. */
  readonly behindOrdinals: Words
}

/** Words of questions that the search knows. */
export interface Search {
  /** Question words and others that no list of the package has. */
  readonly stopWords: Words
  /** They ask for a time or a place without naming anything; `{gap}` is what else stands between. */
  readonly saysNothing: Phrases
  /** Behind a verb that makes one word with them: `breaks down`. */
  readonly particles: Words
  /** At the end of a sentence whose verb begins with them: `holt … ein`, with the endings of verbs. */
  readonly verbPrefixes: Words
  readonly verbEndings: Words
  readonly infinitive: string
  /** Short words that an apostrophe joins to the next one. */
  readonly elided: Words
  /** Endings that an apostrophe joins to a name. */
  readonly joinedEndings: Phrases
  /** Pairs of characters that ask, of languages without spaces. */
  readonly askingPairs: Words
  /** Characters of grammar, of languages without spaces. */
  readonly grammar: string
}

/** The words of one language. Every list may be left out: the language is then read without it. */
export interface Lexicon {
  /** ISO 639-1. */
  readonly code: string
  /** How it writes 1.5; default a point. */
  readonly decimals?: 'point' | 'comma'
  readonly tells?: Partial<Tells>
  readonly talk?: Partial<Talk>
  readonly requests?: Partial<Requests>
  readonly commands?: Partial<Readonly<Record<CommandName, Phrases>>>
  /** Commands, and words that begin one, that no other language has: a message that begins so is in this language. */
  readonly commandStarts?: Phrases
  readonly models?: Partial<Models>
  readonly documents?: Partial<Documents>
  readonly search?: Partial<Search>
  readonly tables?: Partial<TableWords>
  /** Words that offices use for one thing, by its name in `en-synonyms.ts`. */
  readonly synonyms?: Readonly<Record<string, Phrases>>
}
