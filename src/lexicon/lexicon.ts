import type { Phrases, Words } from './phrase.ts'
import type { TableWords } from './table-words.ts'

/** Which language a text is in. */
export interface Tells {
  /** Small words that tell the language of a long text: few other languages have them. */
  readonly long: Words
  /** Words that tell the language of a short message: no other language that is answered in has them. */
  readonly short: Words
  /** Phrases that tell it in the same way. */
  readonly shortPhrases: Phrases
  /** Words that other languages have too. They count only if the message also has one of `short`. */
  readonly shared: Words
  /** First words of a question that other languages use within a sentence. They do not count if a word has an ending of another language. */
  readonly first: Words
  /** Endings that few other languages have. */
  readonly endings: Words
  /** Letters that few other languages have, written as in a character class: `a-c`. */
  readonly letters: string
}

/** Conversation: greetings, goodbyes, and words that need an earlier message. */
export interface Talk {
  /** Greetings and thanks that are a whole message. */
  readonly greetings: Phrases
  /** `great`, alone or before thanks. */
  readonly praise: Phrases
  /** Thanks after praise: `great, thanks`. */
  readonly thanks: Phrases
  /** Words that show thanks anywhere in a text: `cheers`. */
  readonly thankful: Words
  /** Whom a greeting is for: `all`. */
  readonly everybody: Words
  /** Thanks and goodbyes that end a conversation. */
  readonly farewells: Phrases
  /** Words that may come with a goodbye and ask for nothing. Alone they may answer a question of Footbridge. */
  readonly withFarewells: Phrases
  /** `and`, between two phrases of a goodbye. */
  readonly and: Words
  /** Words that refer to earlier messages: `it`. */
  readonly pointing: Words
  /** Words without meaning of their own. */
  readonly empty: Words
  /** `There is`: here `there` refers to nothing. */
  readonly exists: Phrases
  /** First words of a message that continues the one before: `and`. */
  readonly goingOn: Phrases
  /** Prepositions. A short message that begins with one completes an earlier question: `in Hamburg?` */
  readonly prepositions: Words
  /** The smallest number or the first date: `cheapest`. */
  readonly least: Phrases
  readonly most: Phrases
  /** Extremes at the end of a question only: `the first one`. */
  readonly leastAtEnd: Phrases
  readonly mostAtEnd: Phrases
  /** Adjectives after `most`. */
  readonly afterMost: Phrases
  /** `one`, after an extreme at the end: `the first one`. */
  readonly one: Words
}

/** How requests and questions are said. */
export interface Requests {
  /** Before a request: `hello`, `please`. */
  readonly before: Words
  readonly please: Words
  readonly canYou: Phrases
  readonly giveMe: Phrases
  /** After a request: `for me`. */
  readonly after: Phrases
  /** Greetings that need no comma before a question. */
  readonly hello: Words
  /**
   * Phrases around a question that ask for nothing, up to a comma or the end of a sentence. `{whom}`: up to five words;
   * `{rest}`: any words; `{clause}`: any words that a colon may follow.
   */
  readonly courtesies: Phrases
  /** Words before the question itself, in its sentence: `does anyone know`. */
  readonly openings: Phrases
  /** First words of a question that may lack its question mark. `beforeQuestions`: words that may come before them. */
  readonly questionStarts: Phrases
  readonly beforeQuestions: Words
  /** First words of a question that is no clause of another one: `what is`, unlike `what they pay`. */
  readonly directQuestions: Phrases
  /** First words that a noun follows: `which`. */
  readonly nounQuestions: Phrases
  /** First words of one that has its noun after a verb: `how much is a`. */
  readonly withNoun: Phrases
  /** Long words that do not tell the subject of a question. */
  readonly common: Phrases
  readonly why: Phrases
  readonly because: Phrases
  /** Questions for something of somebody; `{thing}`, before the name. */
  readonly attributes: Phrases
  /** Asks who signed a letter or a mail; `{rest}`: which. */
  readonly whoSigned: Phrases
  readonly howMany: Phrases
  /** Asks for a length of time, and its units. */
  readonly howLong: Phrases
  readonly lengths: Phrases
  /** First words of a question for a rule, which holds for whatever is named. */
  readonly may: Phrases
  /** First words of a question for somebody, and words for people by what they do. */
  readonly who: Phrases
  readonly people: Phrases
  /** Words for somebody named in the sentence before. */
  readonly pronouns: Phrases
  /** First words of a question for a time, and words that tell one. */
  readonly when: Phrases
  readonly timeWords: Phrases
  /** First words of a question for a place, and words before one. */
  readonly where: Phrases
  readonly beforePlaces: Words
  /** Asks for `{thing}`, up to its place. */
  readonly things: Phrases
  /** First words of a question for an amount, up to its name, words for amounts without a number, and for how often. */
  readonly amounts: Phrases
  readonly numberWords: Phrases
  readonly oftenWords: Phrases
  /** Words for sums of money, in a question for one, and units of money. */
  readonly sums: Phrases
  readonly currencies: Phrases
  /** First words of a question for something with figures or an `@`, such as a phone number, up to its name. */
  readonly codes: Phrases

  /** Asks what Footbridge can do. */
  readonly help: Phrases
  /** Asks for the list of files. */
  readonly list: Phrases
  /** Asks for the contents of `{file}`. */
  readonly contents: Phrases
  readonly summary: Phrases
  /** Asks who dropped `{file}`, and when. */
  readonly dropper: Phrases
  /** Asks how many pages `{file}` has. */
  readonly pages: Phrases
  /** Asks for the page `{page}`, of `{file}` or of the last one. */
  readonly page: Phrases
  /** Asks which file is about `{topic}`. */
  readonly whichFile: Phrases
  /** Questions to one file alone: `{file}`, `{topic}`. */
  readonly inFile: Phrases
  /** Asks on which page of `{file}` there is `{topic}`. */
  readonly whichPage: Phrases
  /** Wants `{file}` removed, in other words than the command. */
  readonly remove: Phrases
  /** Asks for `{newest}`, or which `{kind}` is `{newestWord}`. */
  readonly newestFile: Phrases
  /** `newest`, and words for a file of any kind. */
  readonly newest: Phrases
  readonly anyFile: Phrases
  /** Asks for news. A span of time may follow. In `newsWithin` it is `{since}`. */
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
  /** Words that show that a question is about a file. */
  readonly ofFiles: Phrases
  /** Words for the file that was named last: `it`. */
  readonly lastFile: Phrases
  /** Words before and after the name of a file: `the … document`. */
  readonly beforeName: Phrases
  readonly afterName: Phrases
}

/** Commands by their names in the code. */
export type CommandName =
  | 'access'
  | 'ask'
  | 'askGroup'
  | 'askIn'
  | 'budget'
  | 'collection'
  | 'connect'
  | 'disconnect'
  | 'download'
  | 'files'
  | 'forget'
  | 'gaps'
  | 'help'
  | 'helpMore'
  | 'here'
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
  /** How a model begins to think aloud. `musingsBeforeComma`: only if a comma follows. */
  readonly musings: Phrases
  readonly musingsBeforeComma: Words
  /** First words of thinking aloud. `musingStartsOfTwo`: the next word is needed to tell. */
  readonly musingStarts: Words
  readonly musingStartsOfTwo: Words
  /** Words in brackets before a reference mark or before the name of a file: `see`. */
  readonly beforeMarks: Phrases
  readonly sources: Words
}

/** Names that programs give, and words of documents. */
export interface Documents {
  /** Names that a program gave a file; a space is `-` or `_` too. `{digits}`, something with a `{number}`, a `{rest}` that begins with a digit. */
  readonly givenNames: Phrases
  /** Files by their kind, without `the` and `file`: `spreadsheet`. */
  readonly sheets: Phrases
  readonly slides: Phrases
  readonly pictures: Phrases
  /** Words of `pictures` that may mean a PDF, too. */
  readonly scans: Phrases
  readonly mails: Phrases
  readonly wordFiles: Phrases
  readonly pdfs: Phrases
  /** Tags of a forum for posts that are answered. */
  readonly solved: Words
  /** Styles of quotations, divided by commas, and of headings. */
  readonly quoteStyles: Phrases
  readonly headingStyles: Words
  /** Words above the name of who signed. */
  readonly closings: Phrases
  /** Numbered headings that a question names: `Annex IV`. */
  readonly headings: Words
  /** Head or foot of a page: `page 3 of 8`. */
  readonly page: Phrases
  readonly pageOf: Words
  /** Words that end with a full stop within a sentence, with their capitals. */
  readonly abbreviations: Words
  /** Small words with a full stop before a number: `no. 12`. */
  readonly beforeNumbers: Words
  /** Capitalised words that may follow an ordinal number with a full stop. */
  readonly afterOrdinals: Words
}

/** Words of questions that the search knows. */
export interface Search {
  /** Question words and others that no list of the package has. */
  readonly stopWords: Words
  /** Phrases that ask for a time or a place and name nothing. `{gap}`: other words between. */
  readonly saysNothing: Phrases
  /** Words that name nothing by themselves: a passage that lacks them may still answer. */
  readonly light: Words
  /** Words that follow a verb and belong to it: `breaks down`. */
  readonly particles: Words
  /** Prefixes that a verb leaves at the end of its sentence: `holt … ein`. `verbEndings`: endings of such verbs. */
  readonly verbPrefixes: Words
  readonly verbEndings: Words
  readonly infinitive: string
  /** Short words that an apostrophe joins to the next one. */
  readonly elided: Words
  /** Endings that an apostrophe joins to a name. */
  readonly joinedEndings: Phrases
  /** Question words of languages without spaces, as pairs of characters. */
  readonly askingPairs: Words
  /** Particles of languages without spaces, as characters. */
  readonly grammar: string
}

/** The words of one language. Every list may be left out: the language is then read without it. */
export interface Lexicon {
  /** ISO 639-1. */
  readonly code: string
  /** How it writes 1.5; default a point. */
  readonly decimals?: 'point' | 'comma'
  /** Its nouns begin with a capital letter, as names do. */
  readonly nouns?: 'capital'
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
