/** Which texts of a conversation stand for themselves, and which need words of earlier ones. Tells it by small words. */

const SMALL_TALK =
  /^(?:hi|hello|hey|thanks?(?: you| a lot| so much| again)?|many thanks|thx|cheers|(?:ok(?:ay)?|great|perfect|cool|nice|super|prima|alles klar)(?:[\s,!.]+(?:thanks?(?: you| a lot)?|thx|danke(?: schön| dir| sehr)?))?|good (?:morning|evening|night)|bye|hallo|hi zusammen|moin|servus|danke(?: schön| dir| sehr)?|vielen dank|guten (?:morgen|tag|abend)|tschüss|merci|salut|bonjour|gracias|hola|grazie|ciao|obrigad[oa])(?:[\s,]+(?:footbridge|there|everyone|all|zusammen|du))?[\s!.,:)😊🙏👍]*$/iu

/** Thanks and goodbyes in the languages of greetings; spaces stand for any white space. */
const FAREWELLS = [
  '(?:no |many |ok |great )?(?:thanks|thx|thank you|thank u|cheers)(?: all| again| a lot| so much| very much| a bunch| everyone)*(?: for (?:the|your|all the|all your) (?:quick |fast )?(?:help|answers?|info|information|reply|support))?',
  '(?:good ?)?bye(?: bye)?|see (?:you|ya)(?: all)?(?: soon| later| then| tomorrow| around| next week| on (?:mon|tues|wednes|thurs|fri|satur|sun)day)?|take care|talk (?:to you )?(?:soon|later)|good ?night',
  'have a (?:very )?(?:nice|good|great|lovely) (?:day|evening|night|weekend|week|one)',
  '(?:nein |vielen |besten |herzlichen |tausend |schönen |lieben |ok )?danke?(?: dir| euch| ihnen| schön| sehr| vielmals| nochmals?| allen)*(?: für (?:die|deine|eure|ihre) (?:schnelle )?(?:hilfe|antwort|auskunft|infos?))?',
  "tschüss?|tschau|ciao|bis (?:dann|bald|später|morgen|nachher|gleich)|auf wiedersehen|gute nacht|mach(?:[’']?s|t[’']?s| es) gut",
  '(?:(?:dir |euch |ihnen |noch )*(?:einen )?schöne(?:n|s) (?:tag|abend|feierabend|wochenende)(?: noch| dir| euch| ihnen| allen)*)',
  "merci(?: beaucoup| bien| à tous| pour (?:ton|votre|l[’']) ?aide)*|au revoir|à (?:bientôt|demain|plus(?: tard)?)|bonne (?:journée|soirée|nuit)",
  '(?:muchas |mil )?gracias(?: a todos| por (?:la|tu|su) ayuda)*|adi[oó]s|hasta (?:luego|pronto|mañana)|nos vemos|buenas noches',
  '(?:mille |tante )?grazie(?: mille| tante| a tutti)*|arrivederci|a (?:presto|dopo|domani)|buona (?:giornata|serata|notte)',
  '(?:muito )?obrigad[oa]|tchau|até (?:logo|amanhã|breve)|boa noite',
]
/** Words beside them that ask for nothing; alone they may be an answer to us. */
const BESIDE = [
  "ok(?:ay)?|great|perfect|cool|nice|good|fine|all good|very helpful|got it|understood|no|yes|that(?:[’']?s| is) (?:all|it|great|perfect|clear|enough|everything)|that (?:helps|helped)(?: a lot| me)*",
  "super|prima|toll|perfekt|wunderbar|alles klar|passt|sehr gut|verstanden|nein|ja|das war[’']?s|das ist alles|das hilft(?: mir)?(?: sehr| weiter)*|(?:das )?hat (?:mir )?(?:sehr )?geholfen",
  "parfait|très bien|d[’']accord|c[’']est (?:bon|parfait|tout)|perfecto|vale|entendido|perfetto|va bene|perfeito",
  'footbridge|everyone|everybody|all|team|zusammen|then|dann',
]
const toPattern = (phrases: readonly string[]) => phrases.join('|').replaceAll(' ', String.raw`\s+`)
const FAREWELL = new RegExp(String.raw`(?<!\p{L})(?:${toPattern(FAREWELLS)})(?![\p{L}\p{N}])`, 'giu')
const WORDS_BESIDE = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${toPattern(BESIDE)}|and|und|et|y|e)(?![\p{L}\p{N}])`,
  'giu',
)
/** Signs, faces and their names. */
const SIGNS = /:[a-z0-9_+-]{1,30}:|[\p{P}\p{S}\p{M}\p{Extended_Pictographic}\s\u200D]/giu
/** A longer text says more. */
const MAX_CLOSING_CHARS = 160

/** Whether the whole text is thanks or a goodbye. */
export function isClosing(text: string): boolean {
  if (text.length > MAX_CLOSING_CHARS || text.includes('?')) return false
  const left = text.replace(FAREWELL, ' ')
  const hasFarewell = left !== text || /^[\s🙏👋\p{Emoji_Modifier}]+$/u.test(text.trim())
  return hasFarewell && left.replace(WORDS_BESIDE, ' ').replace(SIGNS, '') === ''
}

/** Whether this is a greeting, thanks or a goodbye. */
export const isSmallTalk = (text: string): boolean => SMALL_TALK.test(text.trim()) || isClosing(text)

const THANKS = /thank|thx|cheers|dank|merci|gracias|grazie|obrigad/i

export const isThanks = (text: string): boolean => isSmallTalk(text) && THANKS.test(text)

const WORDS = /[\p{L}\p{N}]{2,}/gu
export const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(WORDS) ?? []

const set = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Words that refer to earlier turns. */
const POINTING = set(
  'he him his she her hers it its they them their theirs this that these those there then one ones former latter same ' +
    'er ihn ihm sein seine seiner sie ihr ihre ihrer ihnen es dies diese dieser dieses diesem diesen jener jene dort da dann ' +
    'dafür dazu davon dabei damit daran darauf darin darüber deren dessen denen ' +
    'il elle lui eux leur leurs cela ceci ça celui celle ceux là y en él ella ellos ellas eso esto ese esa aquello allí ' +
    'lui lei loro quello questo ele ela eles isso isto',
)
/** Words without meaning of their own. */
const EMPTY = set(
  'and or but so the an of in on at to for from with by is are was were be been do does did has have had can could will would ' +
    'should may might must not no yes what which who whom whose when where why how about also too more please tell me us you we my our ' +
    'your if else really sure any some all get got much many long often ' +
    'und oder aber der die das den dem des ein eine einen einem einer ist sind war waren ' +
    'wird werden hat haben kann können soll sollen muss müssen nicht kein keine ja nein was welche welcher welches wer wen wem ' +
    'wann wo warum wieso wie auch noch mehr bitte ich du wir mir mich uns im am an auf zu zum zur mit von vom für bei denn wirklich viel viele lange oft gibt ' +
    'et ou mais le la les un une des du de est sont quand comment pourquoi qui que quoi aussi y o pero el los las una por qué ' +
    'cuándo cómo dónde quién también e ma il lo gli che chi quando come dove perché anche',
)
/** Beginnings that go on with what was said. */
const GOES_ON =
  /^\s*(?:and|or|but|what about|how about|und|oder|aber|was ist mit|wie ist es mit|et|mais|y|pero|e|ma|mas)(?!\p{L})/iu
/** A few words behind a preposition are the rest of an earlier question: `in Hamburg?` */
const ONLY_PLACE = /^\s*(?:in|for|on|at|with|during|from|im|für|bei|beim|mit|ab|am|während)\s+\S+(?:\s+\S+){0,2}$/iu
/** `There is`, `es gibt` refer to nothing. */
const EXISTS = /(?<!\p{L})(?:(?:is|are|was|were)\s+there|there\s+(?:is|are|was|were)|gibt\s+es|es\s+gibt)(?!\p{L})/giu
/** A question with fewer words of its own needs context. */
const FEW_WORDS = 3

const ownWords = (text: string) => wordsOf(text).filter((word) => !EMPTY.has(word) && !POINTING.has(word))

/** Whether earlier turns may change the meaning of a text: a cheap check before a model is asked. */
export function mayDepend(text: string): boolean {
  return GOES_ON.test(text) || wordsOf(text).some((word) => POINTING.has(word)) || ownWords(text).length < FEW_WORDS
}

/** Whether a text can't be understood without earlier ones: it has no words of its own, or few that go on or point. */
function needsMore(text: string): boolean {
  const own = ownWords(text).length
  if (own === 0 || own >= FEW_WORDS) return own === 0
  const bare = text.replaceAll(EXISTS, ' ')
  return GOES_ON.test(text) || ONLY_PLACE.test(text) || wordsOf(bare).some((word) => POINTING.has(word))
}

/** Longest chain of texts of which each needs the one before. */
const MAX_CHAIN = 3

/** Extremes in English and German, as alternatives of a pattern; `least` is the smallest number or the first date. */
export const EXTREMES = {
  least:
    'least|fewest|lowest|smallest|minimum|minimal|cheapest|shortest|earliest|oldest|lightest|slowest|' +
    '(?:niedrigst|kleinst|wenigst|geringst|billigst|günstigst|kürzest|frühest|ältest|leichtest|tiefst|langsamst)e[nmrs]?|minimale[nmrs]?',
  most:
    'most|highest|largest|biggest|greatest|maximum|longest|newest|latest|heaviest|tallest|fastest|youngest|' +
    '(?:höchst|grö(?:ß|ss)t|meist|teuerst|längst|neu(?:e)?st|jüngst|spätest|schwerst|schnellst)e[nmrs]?|maximale?[nmrs]?',
} as const
/** They are extremes at the end of a question: `the last one?`, but not `last week`. */
export const EXTREMES_AT_END = {
  least: 'first|zuerst|(?:als )?erste[nmrs]?',
  most: 'last|zuletzt|(?:als )?letzte[nmrs]?',
} as const

const EXTREME = new RegExp(`^(?:${EXTREMES.least}|${EXTREMES.most})$`, 'u')
const END = new RegExp(
  String.raw`(?<!\p{L})(?:${EXTREMES_AT_END.least}|${EXTREMES_AT_END.most})(?= ones?\W*$|\W*$)`,
  'u',
)

/** `cheapest`, `höchste`: a follow-up that asks for another extreme leaves the first one out. */
function extremesOf(text: string): readonly string[] {
  const atEnd = END.exec(text.toLowerCase().trimEnd())?.[0]
  const words = wordsOf(text)
  const isOfTwo = (word: string, at: number) =>
    /^(?:expensive|recent(?:ly)?)$/.test(word) && EXTREME.test(words[at - 1] ?? '')
  return [...words.filter((word, at) => EXTREME.test(word) || isOfTwo(word, at)), ...wordsOf(atEnd ?? '')]
}

/**
 * Adds the words that a text leaves out: those of the last text that stands for itself, and of those between.
 *
 * @param before what the same people said earlier, oldest first; greetings and thanks are passed over.
 * @returns undefined: it is complete, or there is nothing to add.
 */
export function carryOver(text: string, before: readonly string[]): string | undefined {
  if (isSmallTalk(text) || !needsMore(text)) return undefined
  const said = before.filter((each) => !isSmallTalk(each) && ownWords(each).length > 0)
  const whole = said.findLastIndex((each) => !needsMore(each))
  const from = Math.max(whole, said.length - MAX_CHAIN, 0)
  const own = new Set(wordsOf(text))
  // `And the most expensive one?` takes the place of the cheapest.
  const isExtreme = extremesOf(text).length > 0
  const wordsLeft = (earlier: string) => {
    const old = new Set(isExtreme ? extremesOf(earlier) : [])
    return ownWords(earlier).filter((word) => !own.has(word) && !old.has(word))
  }
  const added = [...new Set(said.slice(from).toReversed().flatMap(wordsLeft))]
  return added.length === 0 ? undefined : `${text} ${added.join(' ')}`
}
