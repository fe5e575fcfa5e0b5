/** A question about the files themselves, which no passage answers. */
export type ShelfQuestion =
  | { readonly kind: 'contents' | 'summary' | 'dropper'; readonly name: string }
  | { readonly kind: 'news'; readonly since: Since }

/** Days back: 0 is today. Or the last day of this name, 0 Sunday. */
export type Since = { readonly days: number } | { readonly weekday: number }

const BEFORE = String.raw`(?:(?:hi|hello|hey|hallo|ok|okay|please|bitte|so|and|und|also)[\s,!.]+)*`
const POLITE = String.raw`(?:(?:can|could|would|will) you (?:please )?|(?:kannst|könntest|würdest) du (?:mir )?(?:bitte )?)?(?:please |bitte )?(?:give me |get me |i need |i(?:'d| would) like (?:you to )?|gib mir |ich (?:brauche|möchte|hätte gern) )?(?:please |bitte )?`
const AFTER = String.raw`(?:[\s,]+(?:please|bitte|for me|für mich|footbridge|here|hier|briefly|kurz|in short))*[\s?!.…]*`
/** The name of a file in a sentence. */
const NAME = '(?<name>.{1,200}?)'

/** A whole text in one of these wordings. */
export const wording = (...words: readonly string[]): RegExp =>
  new RegExp(`^${BEFORE}${POLITE}(?:${words.join('|')})${AFTER}$`, 'iu')

const CONTENTS = wording(
  `what(?:'s|’s| is| stands| are| does it say)? (?:in|inside|on) ${NAME}`,
  `what (?:does|do) ${NAME} (?:contain|cover|include|say|tell(?: us| me)?|hold)`,
  `(?:show (?:me )?|list )?(?:the )?(?:contents?|outline|structure|table of contents|headings|chapters|sheets|columns) (?:of|in) ${NAME}`,
  `outline ${NAME}`,
  `was (?:steht|ist|gibt es|findet sich|liegt)(?: alles)? (?:in|im) ${NAME}`,
  `was (?:enthält|beinhaltet|sagt) ${NAME}`,
  `(?:zeig(?:e)? (?:mir )?)?(?:den |die )?(?:inhalt(?:sverzeichnis)?|gliederung|überschriften|kapitel) (?:von|der|des|in) ${NAME}`,
)
const SUMMARY = wording(
  `(?:summari[sz]e|sum up|recap|condense|tl;?dr:?(?: of)?) ${NAME}`,
  `(?:a |an |the )?(?:short |brief |quick )?(?:summary|overview|abstract|gist|recap|tl;?dr)(?: of| about| on| over) ${NAME}`,
  `what(?:'s|’s| is) ${NAME} (?:all )?about`,
  `what are the (?:main |key |most important )?(?:points|topics|takeaways|messages) (?:of|in) ${NAME}`,
  `tell me (?:something )?about the (?:file|document) ${NAME}`,
  `fass(?:e|t)? (?:mir )?(?:bitte )?(?:mal )?(?:kurz )?${NAME} (?:mal )?(?:kurz |bitte )*zusammen`,
  `${NAME} (?:kurz )?zusammen(?:fassen|gefasst)`,
  `(?:eine |die )?(?:kurze )?zusammenfassung (?:von|der|des|über|zu|zur|zum) ${NAME}`,
  `(?:einen |den )?(?:kurzen )?überblick (?:über|zu|zur|zum|von) ${NAME}`,
  `worum (?:geht(?:'s| es)?|dreht es sich) (?:in|im|bei) ${NAME}`,
)
const DROPPER = wording(
  `who (?:has )?(?:dropped|uploaded|added|shared|posted|sent|put|brought|provided|gave us) ${NAME}(?: in)?`,
  `who is ${NAME} from`,
  `(?:from whom|where) (?:is|does|did) ${NAME} (?:come )?from`,
  `when (?:was|were|did somebody) ${NAME} (?:dropped|uploaded|added|shared|posted|updated|changed)`,
  `whose (?:file|document) is ${NAME}`,
  `wer hat ${NAME} (?:hier )?(?:hochgeladen|abgelegt|geteilt|eingestellt|reingestellt|hinzugefügt|gepostet|geschickt|gebracht)`,
  `von wem (?:ist|kommt|stammt|wurde) ${NAME}(?: hochgeladen| abgelegt)?`,
  `wann wurde ${NAME} (?:hier )?(?:hochgeladen|abgelegt|geteilt|aktualisiert|geändert)`,
)
const DAY =
  'sunday|monday|tuesday|wednesday|thursday|friday|saturday|sonntag|montag|dienstag|mittwoch|donnerstag|freitag|samstag'
const SPAN = `(?:since |from |after |in |seit |ab )?(?:the |der |dem |den )?(?<since>(?:last |letzte[mnr]? )?(?:${DAY})|yesterday|gestern|today|heute|(?:this|last|past|diese[rn]?|letzte[rn]?|vergangene[rn]?) (?:week|month|woche|monat)|(?:the )?(?:last|past|letzten) \\d{1,3} (?:days?|tagen?)|\\d{1,3} days? ago|vor \\d{1,3} tagen?|\\d{4}-\\d{2}-\\d{2})?`
/** Wordings that end with a span, which stands once behind them: repeated in each wording, the pattern would compile to two megabytes. */
const NEWS_HEADS = [
  `what(?:'s|’s| is)(?: there)? new(?: (?:here|in here))?`,
  '(?:is there )?any(?:thing)? (?:news|new)(?: files?)?',
  'what (?:was|has been|got|files? (?:were|was|have been)) (?:added|dropped|uploaded|changed|updated)',
  'what (?:has )?changed',
  '(?:which|what) files are new',
  '(?:show (?:me )?)?(?:the )?(?:new|newest|latest|recent) (?:files|documents)',
  'was (?:ist|war) (?:hier )?neu(?: hier)?',
  `was (?:gibt es|gibt's|gibts) (?:hier )?neues`,
  '(?:welche|was für) (?:dateien|dokumente) sind neu',
  '(?:die )?(?:neue|neuen|neueste|neuesten) (?:dateien|dokumente)',
]
const NEWS = wording(
  `(?:${NEWS_HEADS.join('|')}) ?${SPAN}`,
  `was (?:hat sich|wurde) (?:hier )?${SPAN} ?(?:geändert|hochgeladen|abgelegt|hinzugefügt)`,
)

/** Longer texts ask for more than a file. */
const MAX_QUESTION_CHARS = 300
const WEEK = 7

/** Tells questions about the shelf by their wording, English and German; a name need not be that of a file. */
export function readShelfQuestion(text: string): ShelfQuestion | undefined {
  const asked = text.trim()
  if (asked.length > MAX_QUESTION_CHARS || asked.includes('\n')) return undefined
  const news = NEWS.exec(asked)
  if (news !== null) return { kind: 'news', since: readSince(news.groups?.['since']?.toLowerCase() ?? '') }
  for (const [kind, pattern] of [
    ['summary', SUMMARY],
    ['dropper', DROPPER],
    ['contents', CONTENTS],
  ] as const) {
    const name = pattern.exec(asked)?.groups?.['name']
    if (name !== undefined) return { kind, name: name.trim() }
  }
  return undefined
}

function readSince(words: string): Since {
  const weekday = DAY.split('|').findIndex((day) => words.endsWith(day))
  if (weekday !== -1) return { weekday: weekday % WEEK }
  const number = /\d+/.exec(words)?.[0]
  const date = /^\d{4}-/.test(words) ? Date.parse(words) : undefined
  // The last week stands in for a day that no calendar has.
  if (Number.isNaN(date)) return { days: WEEK }
  if (date !== undefined) return { days: Math.max(0, Math.ceil((Date.now() - date) / 86_400_000) - 1) }
  if (number !== undefined) return { days: Number(number) }
  if (/today|heute/.test(words)) return { days: 0 }
  if (/yesterday|gestern/.test(words)) return { days: 1 }
  return { days: /month|monat/.test(words) ? 31 : WEEK }
}
