import { LANGUAGES } from '#lexicon/languages.ts'
import { oneOf, allPhrases, matchWithin, allWords, wordsIn } from '#lexicon/match.ts'
import { wording } from '#lexicon/wording.ts'
import { KIND_PHRASES } from './file-named.ts'

/** A question about the files themselves, which no passage answers. */
export type ShelfQuestion =
  | { readonly kind: NamingKind; readonly name: string }
  /** Without a name it is the file that was spoken of last. */
  | { readonly kind: 'page'; readonly name: string | undefined; readonly page: number }
  | { readonly kind: 'whichFile'; readonly topic: string }
  /** `asksPage`: on which of its pages that is. */
  | { readonly kind: 'inFile'; readonly name: string; readonly topic: string; readonly asksPage?: boolean }
  | { readonly kind: 'news'; readonly since: Since }

type NamingKind = 'contents' | 'summary' | 'dropper' | 'pages' | 'remove' | 'newest'

/** Days back: 0 is today. Or the last day of this name, 0 Sunday. */
export type Since = { readonly days: number } | { readonly weekday: number }

/** The name of a file in a sentence. */
const NAME = '(?<name>.{1,200}?)'

const KIND = oneOf([...allPhrases('requests', 'anyFile'), ...KIND_PHRASES])
const NEWEST = String.raw`(?:${oneOf(allPhrases('requests', 'beforeName'))}\s+)?${oneOf(allPhrases('requests', 'newest'))}`
const NEWEST_FILE = {
  newest: String.raw`(?<name>${NEWEST}\s+${KIND})`,
  kind: `(?<kind>${KIND})`,
  newestWord: `(?<newest>${NEWEST})`,
}

const SAYS_NEWEST = new RegExp(oneOf(allPhrases('requests', 'newest')), 'iu')
const NEWEST_WORDING = wording(allPhrases('requests', 'newestFile'), NEWEST_FILE)
/** The patterns of its wordings are long: they are made when something is called newest. */
const nameNewest: typeof NEWEST_WORDING = {
  exec: (text) => (SAYS_NEWEST.test(text) ? NEWEST_WORDING.exec(text) : null),
}

const naming = (list: 'contents' | 'summary' | 'dropper' | 'pages' | 'remove') =>
  wording(allPhrases('requests', list), { file: NAME })
/** Contents come last: their wordings are the widest. */
const NAMING = [
  ['pages', naming('pages')],
  ['newest', nameNewest],
  ['summary', naming('summary')],
  ['dropper', naming('dropper')],
  ['remove', naming('remove')],
  ['contents', naming('contents')],
] as const
const PAGE = wording(allPhrases('requests', 'page'), { file: NAME, page: String.raw`(?<page>\d{1,4})` })
const WHICH_FILE = wording(allPhrases('requests', 'whichFile'), { topic: NAME })

const WHICH_PAGE = wording(allPhrases('requests', 'whichPage'), { file: NAME, topic: '(?<topic>.{1,200}?)' })
const IN_FILE = wording(allPhrases('requests', 'inFile'), { file: NAME, topic: '(?<topic>.{1,200}?)' })

const WEEKDAYS = LANGUAGES.map(({ requests }) => wordsIn(requests?.weekdays))
const SPANS = oneOf(allPhrases('requests', 'spans'), {
  weekday: `(?:${WEEKDAYS.flat().join('|')})`,
  number: String.raw`\d{1,3}`,
})
const SINCE = oneOf(allWords('requests', 'since'))
const ARTICLE = oneOf(allWords('requests', 'sinceArticles'))
const SPAN = String.raw`(?:${SINCE} )?(?:${ARTICLE} )?(?<since>${SPANS}|\d{4}-\d{2}-\d{2})?`
const NEWS = wording(
  allPhrases('requests', 'news').map((head) => `${head}[ ]{since}`),
  { since: SPAN },
)
const NEWS_WITHIN = wording(allPhrases('requests', 'newsWithin'), { since: SPAN })

/** Longer texts ask for more than a file. */
const MAX_QUESTION_CHARS = 300
const WEEK = 7

/** Tells questions about the shelf by their wording; a name need not be that of a file. */
export function readShelfQuestion(text: string): ShelfQuestion | undefined {
  const asked = text.trim()
  if (asked.length > MAX_QUESTION_CHARS || asked.includes('\n')) return undefined
  const news = NEWS.exec(asked) ?? NEWS_WITHIN.exec(asked)
  if (news !== null) return { kind: 'news', since: readSince(news.groups?.['since']?.toLowerCase() ?? '') }
  const page = PAGE.exec(asked)?.groups
  if (page !== undefined) return { kind: 'page', name: page['name']?.trim(), page: Number(page['page']) }
  const topic = WHICH_FILE.exec(asked)?.groups?.['name']
  if (topic !== undefined) return { kind: 'whichFile', topic: topic.trim() }
  const onPage = WHICH_PAGE.exec(asked)
  const { name: file, topic: about } = (onPage ?? IN_FILE.exec(asked))?.groups ?? {}
  if (file !== undefined && about !== undefined)
    return { kind: 'inFile', name: file.trim(), topic: about.trim(), ...(onPage === null ? {} : { asksPage: true }) }
  for (const [kind, pattern] of NAMING) {
    const { name, newest, kind: kindOfFile } = pattern.exec(asked)?.groups ?? {}
    if (name !== undefined) return { kind, name: name.trim() }
    if (newest !== undefined) return { kind, name: `${newest} ${kindOfFile ?? ''}` }
  }
  return undefined
}

const MONTH = matchWithin(allWords('requests', 'month'))
const TODAY = matchWithin(allWords('requests', 'today'))
const YESTERDAY = matchWithin(allWords('requests', 'yesterday'))

function readSince(said: string): Since {
  const weekday = WEEKDAYS.map((days) => days.findIndex((day) => said.endsWith(day))).find((at) => at !== -1)
  if (weekday !== undefined) return { weekday }
  const number = /\d+/.exec(said)?.[0]
  const date = /^\d{4}-/.test(said) ? Date.parse(said) : undefined
  // A day that no calendar has becomes the last week.
  if (Number.isNaN(date)) return { days: WEEK }
  if (date !== undefined) return { days: Math.max(0, Math.ceil((Date.now() - date) / 86_400_000) - 1) }
  if (number !== undefined) return { days: Number(number) }
  if (TODAY.test(said)) return { days: 0 }
  if (YESTERDAY.test(said)) return { days: 1 }
  return { days: MONTH.test(said) ? 31 : WEEK }
}
