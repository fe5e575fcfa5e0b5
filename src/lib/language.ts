/** Languages that speech models return by their English name. */
const CODES =
  'af ar bg bn ca cs da de el en es et fa fi fr gl he hi hr hu id is it ja kk ko lt lv mk ms nl no pl pt ro ru sk sl sr sv ta th tr uk ur vi zh'.split(
    ' ',
  )

/** Created on first use: language names take some MB. */
let byName: ReadonlyMap<string, string> | undefined

function codesByName(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'language' })
  return new Map(CODES.map((code) => [names.of(code)?.toLowerCase() ?? code, code]))
}

/** `german`, `German` or `de-DE` → `de`. Undefined: unknown. */
export function toLanguageCode(told: string | undefined): string | undefined {
  if (told === undefined) return undefined
  const lower = told.trim().toLowerCase()
  const code = lower.split(/[-_]/, 1)[0] ?? ''
  byName ??= codesByName()
  return byName.get(lower) ?? (CODES.includes(code) ? code : undefined)
}

/** Places of the languages of a word among the lists, and the part that it counts for each. */
interface Entry {
  readonly at: number[]
  part: number
}

/** The language of a row of words in lower case; `weigh` favours languages that are expected. */
export type LanguageDetector = (words: readonly string[], weigh?: (code: string) => number) => string | undefined

/**
 * Tells a language by its small words, in one look for each word. A word of several languages counts for each in part.
 *
 * @param lists small words by language; the first of those that are found equally often wins
 * @param leastShare undefined where no language has more than this share of the words
 * @param tellByLetters language of a word that is no small word
 */
export function createLanguageDetector(
  lists: readonly (readonly [code: string, words: Iterable<string>])[],
  leastShare: number,
  tellByLetters: (word: string) => string | undefined = () => undefined,
): LanguageDetector {
  const known = new Map<string, Entry>()
  for (const [at, [, words]] of lists.entries()) {
    for (const word of new Set(words)) {
      const entry = known.get(word)
      if (entry === undefined) known.set(word, { at: [at], part: 1 })
      else entry.part = 1 / Math.sqrt(entry.at.push(at))
    }
  }
  const byCode = new Map<string | undefined, Entry>(lists.map(([code], at) => [code, { at: [at], part: 1 }]))
  return (words, weigh = () => 1) => {
    const counts = new Float64Array(lists.length)
    const weights = new Float64Array(lists.length)
    for (const word of words) {
      const entry = known.get(word) ?? byCode.get(tellByLetters(word))
      if (entry === undefined) continue
      for (const at of entry.at) {
        counts[at] = (counts[at] ?? 0) + 1
        weights[at] = (weights[at] ?? 0) + entry.part
      }
    }
    let best: string | undefined
    let most = 0
    for (const [at, [code]] of lists.entries()) {
      const value = (weights[at] ?? 0) * weigh(code)
      if ((counts[at] ?? 0) > words.length * leastShare && value > most) [best, most] = [code, value]
    }
    return best
  }
}

/** Small words of languages that share the Latin script, each in hardly any other. */
const SMALL_WORDS: Readonly<Record<string, string>> = {
  de: 'und der die das ist nicht ein eine mit für auf dem den von zu wird werden auch sich oder',
  en: 'the and of to is in that for with are was this be on as it by from or not',
  es: 'el los las del una por para que con como más pero está son sus también muy entre hasta desde',
  fr: 'le les des une est pour dans que qui sur avec par pas sont aux cette ces mais ou nous',
  it: 'il gli della che per una con non sono del alla anche come più nel dalla questo essere ha delle',
  nl: 'het een van en niet dat zijn voor met op ook wordt aan naar uit bij maar deze dan nog',
  pl: 'nie jest się na do że dla przez oraz są jak tego przy który od po czy lub także tym',
  pt: 'os das uma para com não que mais como pelo são foi pela seu também entre até isso muito nos',
  sv: 'och att det som är för inte med av på den till har om ett eller från vi kan ska',
  tr: 've bir bu için ile olarak daha çok olan gibi kadar sonra ancak ise değil veya her en var',
}

const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Cyrillic}/gu, 'ru'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Devanagari}/gu, 'hi'],
  [/\p{Script=Thai}/gu, 'th'],
]

const MIN_LETTERS = 40
/** This part of the letters in a script makes a text one of that script; of the words small words of a language, one of that. */
const SCRIPT_SHARE = 0.2
const WORD_SHARE = 0.06

/** Made when it is first used. */
let detectLatin: LanguageDetector | undefined

/** The language of a text, ISO 639-1; undefined where there is too little of it, or nothing tells. */
export function textLanguage(text: string): string | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters < MIN_LETTERS) return undefined
  const script = SCRIPTS.find(([pattern]) => (text.match(pattern)?.length ?? 0) / letters > SCRIPT_SHARE)
  if (script !== undefined) return script[1]
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  detectLatin ??= createLanguageDetector(
    Object.entries(SMALL_WORDS).map(([code, list]) => [code, list.split(' ')]),
    WORD_SHARE,
  )
  return detectLatin(words)
}

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** Words of short messages; those that both languages have, such as `in` and `an`, are left out. */
const GERMAN = wordSet(
  'der das dem den ein eine einen einem einer eines ist sind waren wird werden wurde wurden und oder aber nicht kein keine keinen ' +
    'wie wann welche welcher welches welchen welchem warum wieso weshalb wo wer wen wem wessen woher wohin wieviel ' +
    'ich er wir ihr mir dir mich dich uns unser unsere unserem unseren mein meine meinen dein deine für von vom zum zur bei beim auf aus im ' +
    'über unter nach seit vor zwischen ohne gegen durch gibt kann kannst können darf dürfen muss müssen soll sollen hat haben habe hast bist ' +
    'macht machen steht stehen kostet liegt bitte hallo danke hier alle zusammen dateien viel viele noch auch schon nur bis wenn dass sich',
)
/** German only beside one of those: other languages have these words too. */
const GERMAN_IN_COMPANY = wordSet('die des du um mit es')
const GERMAN_ABOUT = /^wor?(?:ab|an|auf|aus|bei|durch|für|gegen|in|mit|nach|über|um|unter|von|vor|zu)$/
const ENGLISH = wordSet(
  'the is are and or but not how when which why where who whom whose what i you we they he she my your our their it its this that these ' +
    'those a for with to of from at on by can could must may should would will has have had does do did please hello thanks was were be been ' +
    'there if me us any some about',
)

/** Endings of English words that hardly any German word has: `Was payment received?` */
const ENGLISH_ENDING = /(?:ed|ing|ly)$/

/** German or English by the words of a short message; undefined where neither has more. */
export function englishOrGerman(text: string): 'en' | 'de' | undefined {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  let [german, inCompany, english] = [0, 0, 0]
  for (const [at, word] of words.entries()) {
    // `was` and `die` begin German questions, not English ones.
    const beginsGerman = at === 0 && /^(?:was|die)$/.test(word) && !words.some((other) => ENGLISH_ENDING.test(other))
    if (beginsGerman || GERMAN.has(word) || (word.startsWith('wo') && GERMAN_ABOUT.test(word))) german += 1
    else if (GERMAN_IN_COMPANY.has(word)) inCompany += 1
    else if (ENGLISH.has(word)) english += 1
  }
  const lead = german - english + (german > 0 ? inCompany : 0)
  return lead === 0 ? undefined : lead > 0 ? 'de' : 'en'
}
