import { oneLine, type TimeReader, whenAgain, withoutMarkup } from './formats.ts'
import { AdapterError, type FileRefusal, type FileTrouble, isPlatformFailure, NoAnswerError } from '../port/errors.ts'
import type { Log, PlatformFailure } from '../port/platform.ts'

/** Longest quote of a model's own words in a sentence. */
const MAX_SAID_CHARS = 600
const MAX_NAME_CHARS = 60

/** A sentence of the embedded platform about its model server, with the words of that server. */
const MODEL_FAULT =
  /^The model server (refused our key|has nothing at this address|cannot be reached|failed|says)[\s:.]*(.*)$/s
const KINDS = {
  'refused our key': 'key',
  'has nothing at this address': 'address',
  'cannot be reached': 'away',
  failed: 'failed',
  says: 'refused',
} as const

type ModelSentences = Readonly<Record<(typeof KINDS)[keyof typeof KINDS], (words: string) => string>>

function modelSentence(detail: string, sentences: ModelSentences): string | undefined {
  const [, fault, words = ''] = MODEL_FAULT.exec(detail) ?? []
  return fault === undefined ? undefined : sentences[KINDS[fault as keyof typeof KINDS]](words)
}

/** A sentence that is whole without the words that a server said; empty without words. */
const saying = (words: string, status: string, [open, close]: readonly [string, string]) => {
  if (words === '') return ''
  return /^status \d+\.$/.test(words)
    ? ` ${status} ${words.slice('status '.length)}`
    : ` ${open}${oneLine(words, MAX_SAID_CHARS)}${close}`
}
const saysEn = (words: string) => saying(words, 'It answered with status', ['It says: “', '”'])
const saysDe = (words: string) => saying(words, 'Die Antwort war der Status', ['Die Antwort war: „', '“'])

const ADMIN_EN = 'Please tell whoever runs me; the log says what to do.'
const ADMIN_DE = 'Bitte sag es denen, die mich betreiben; im Protokoll steht, was zu tun ist.'

/** Faults that are the same for a question and for a recording, by the name of the server. */
const faultsEn = (server: string) => ({
  key: () => `${server} refused our key. ${ADMIN_EN}`,
  address: () => `${server} is not at the address that I have. ${ADMIN_EN}`,
  away: () => `${server} cannot be reached. Please try again in a few minutes; if it stays away, tell whoever runs me.`,
})
const faultsDe = (server: string) => ({
  key: () => `${server} hat unseren Schlüssel abgelehnt. ${ADMIN_DE}`,
  address: () => `${server} ist nicht unter der Adresse, die ich habe. ${ADMIN_DE}`,
  away: () =>
    `${server} ist nicht zu erreichen. Bitte versuch es in ein paar Minuten noch einmal; bleibt es dabei, sag es denen, die mich betreiben.`,
})

const modelEn: ModelSentences = {
  ...faultsEn('The language model'),
  failed: (words) => `The language model failed.${saysEn(words)} Please ask again in a moment.`,
  refused: (words) =>
    `The language model did not accept this.${saysEn(words)} Please ask in other words, or choose another model with \`model\`.`,
}

const modelDe: ModelSentences = {
  ...faultsDe('Das Sprachmodell'),
  failed: (words) => `Das Sprachmodell ist gescheitert.${saysDe(words)} Bitte frag gleich noch einmal.`,
  refused: (words) =>
    `Das Sprachmodell hat das nicht angenommen.${saysDe(words)} Bitte frag mit anderen Worten, oder wähle mit \`model\` ein anderes Modell.`,
}

/** Sentences for a recording: advice to ask in other words is left out. */
const recordingEn: ModelSentences = {
  ...faultsEn('The model server'),
  failed: (words) => `The model server failed.${saysEn(words)}`,
  refused: (words) => `The model server did not accept this.${saysEn(words)}`,
}
const recordingDe: ModelSentences = {
  ...faultsDe('Der Modellserver'),
  failed: (words) => `Der Modellserver ist gescheitert.${saysDe(words)}`,
  refused: (words) => `Der Modellserver hat das nicht angenommen.${saysDe(words)}`,
}

/** Sentences about failures of the platform, of models and of Footbridge. */
export const failuresEn = {
  unauthorized: `The platform with your files refuses my key. ${ADMIN_EN}`,
  unreachable: 'I can’t reach the platform just now. Your message is safe; please ask again in a few minutes.',
  noRoom:
    'I can’t store anything just now: the disk is full. Nothing is lost; I go on by myself as soon as there is room. Please tell whoever runs me.',
  timeout: 'The platform took too long to answer. Please ask again in a moment.',
  rateLimited: (when: string | undefined): string =>
    when === undefined
      ? 'The limit of the platform is reached for now. Please ask again later.'
      : `The limit of the platform is reached for now. You can ask again ${when}.`,
  locked: 'The files here are being indexed just now. Please ask again in a minute.',
  cut: 'The connection to the model broke in the middle. Please ask again.',
  empty: 'The answer of the model is empty. Please ask again, or in other words.',
  tooLong:
    'The model can’t read this much at once: your question, what was said before, and the passages from the files. Ask a shorter question, or begin a `new conversation`. Whoever runs me can give the model more room.',
  server: (detail: string): string =>
    modelSentence(detail, modelEn) ??
    `${detail.startsWith('The model server ') ? detail : `The platform reported an error.${saysEn(detail)}`} Please ask again in a moment.`,
  refused: (detail: string): string =>
    modelSentence(detail, modelEn) ?? `The platform did not accept this.${saysEn(detail) || ` ${ADMIN_EN}`}`,
  noTranscription: (detail: string): string =>
    `I could not turn this recording into text. ${modelSentence(detail, recordingEn) ?? detail}`.trim(),
  /** The platform has no speech model at all. */
  noSpeechModel: 'I can’t listen to recordings here: no speech model is set up. Please type your question.',
  /** Why a file of the chat service can't be had. */
  noFile: ({ message }: FileRefusal): string => message,
  declined: (said: string): string => `The model declines to answer this. It says: “${oneLine(said, MAX_SAID_CHARS)}”`,
  toolCall: (name: string): string =>
    `The model called a tool${name === '' ? '' : ` (\`${withoutMarkup(oneLine(name, MAX_NAME_CHARS))}\`)`} instead of answering, and there is no such tool here. Please ask again, or choose another model with \`model\`.`,
  filtered: 'A filter of the model stopped the answer before its first word. Please ask in other words.',
  internal: 'Something went wrong on my side. Please try again; the log says why.',
}

export const failuresDe: typeof failuresEn = {
  unauthorized: `Die Plattform mit euren Dateien lehnt meinen Schlüssel ab. ${ADMIN_DE}`,
  unreachable:
    'Ich erreiche die Plattform gerade nicht. Deine Nachricht ist nicht verloren; bitte frag in ein paar Minuten noch einmal.',
  noRoom:
    'Ich kann gerade nichts speichern: Die Festplatte ist voll. Nichts geht verloren; ich mache von selbst weiter, sobald Platz ist. Bitte sag es denen, die mich betreiben.',
  timeout: 'Die Plattform hat zu lange gebraucht. Bitte frag gleich noch einmal.',
  rateLimited: (when) =>
    when === undefined
      ? 'Das Kontingent der Plattform ist im Augenblick aufgebraucht. Bitte frag später noch einmal.'
      : `Das Kontingent der Plattform ist im Augenblick aufgebraucht. Du kannst ${when} wieder fragen.`,
  locked: 'Die Dateien hier werden gerade indiziert. Bitte frag in einer Minute noch einmal.',
  cut: 'Die Verbindung zum Modell ist mittendrin abgerissen. Bitte frag noch einmal.',
  empty: 'Die Antwort des Modells ist leer. Bitte frag noch einmal oder mit anderen Worten.',
  tooLong:
    'So viel kann das Modell nicht auf einmal lesen: deine Frage, was vorher gesagt wurde, und die Stellen aus den Dateien. Frag kürzer, oder beginn ein `neues Gespräch`. Wer mich betreibt, kann dem Modell mehr Platz geben.',
  server: (detail) =>
    modelSentence(detail, modelDe) ??
    `${detail.startsWith('The model server ') ? 'Das Sprachmodell hat nichts Brauchbares geantwortet.' : `Die Plattform meldet einen Fehler.${saysDe(detail)}`} Bitte frag gleich noch einmal.`,
  refused: (detail) =>
    modelSentence(detail, modelDe) ?? `Die Plattform hat das nicht angenommen.${saysDe(detail) || ` ${ADMIN_DE}`}`,
  noTranscription: (detail) =>
    `Diese Aufnahme ließ sich nicht in Text verwandeln. ${modelSentence(detail, recordingDe) ?? detail}`.trim(),
  noSpeechModel:
    'Aufnahmen kann ich hier nicht anhören: es ist kein Sprachmodell zum Mitschreiben eingerichtet. Bitte tipp deine Frage.',
  noFile: ({ trouble }) =>
    trouble === undefined
      ? 'Der Chat-Dienst hat das abgelehnt. Versuch es später noch einmal; im Protokoll steht mehr.'
      : NO_FILE_DE[trouble.kind](trouble),
  declined: (said) => `Das Modell lehnt die Antwort ab. Es sagt: „${oneLine(said, MAX_SAID_CHARS)}“`,
  toolCall: (name) =>
    `Das Modell hat ein Werkzeug aufgerufen${name === '' ? '' : ` (\`${withoutMarkup(oneLine(name, MAX_NAME_CHARS))}\`)`}, statt zu antworten, und so ein Werkzeug gibt es hier nicht. Bitte frag noch einmal, oder wähle mit \`model\` ein anderes Modell.`,
  filtered: 'Ein Filter des Modells hat die Antwort vor ihrem ersten Wort abgebrochen. Bitte frag mit anderen Worten.',
  internal: 'Bei mir ist etwas schiefgegangen. Bitte versuch es noch einmal; der Grund steht im Protokoll.',
}

const NO_FILE_DE: Readonly<Record<FileTrouble['kind'], (trouble: FileTrouble) => string>> = {
  gone: ({ service }) => `Die Datei ist bei ${service} nicht mehr da. Lad sie noch einmal hoch.`,
  'no-scope': ({ service }) =>
    `${service} gibt mir die Datei nicht. Die App braucht das Recht files:read und muss danach neu installiert werden.`,
  busy: ({ service }) => `${service} begrenzt gerade das Herunterladen. Versuch es etwas später noch einmal.`,
  silent: ({ service }) =>
    `${service} hat die Datei nicht ganz herausgegeben. Leg sie noch einmal ab, oder versuch es später.`,
  elsewhere: ({ service, detail }) =>
    detail === undefined
      ? `${service} nennt keine brauchbare Adresse der Datei. Lad die Datei selbst hoch.`
      : `Die Datei liegt auf ${detail}, und das gehört nicht zu ${service}. Lad die Datei selbst hoch.`,
  'not-shared': () => 'Die Datei ist in diesem Kanal nicht geteilt. Teil sie hier.',
  hidden: ({ service }) =>
    `${service} verbirgt diese Datei, denn der Tarif des Workspace hebt sie nicht so lange auf. Lad sie noch einmal hoch.`,
  untold: ({ service }) => `${service} sagt nicht, was für eine Datei das ist. Leg sie noch einmal ab.`,
  refused: ({ service, detail }) => `${service} hat die Datei verweigert (HTTP ${detail}). Lad sie noch einmal hoch.`,
}

/** The texts about failures. */
interface SpokenFailures {
  readonly failures: typeof failuresEn
  readonly stopped: string
}

/** The sentence for people about a failure: its reason, the kept data, the remedy. */
export function sentenceFor(error: unknown, texts: SpokenFailures, reader: TimeReader = {}): string {
  const { failures } = texts
  if (error instanceof NoAnswerError) return noAnswerSentence(error, failures)
  if (!isPlatformFailure(error)) return failures.internal
  const { code } = error
  if (code === 'rate-limited')
    return failures.rateLimited(
      error.retryAfterMs === undefined ? undefined : whenAgain(Date.now() + error.retryAfterMs, reader),
    )
  if (code === 'too-long') return failures.tooLong
  if (code === 'no-room') return failures.noRoom
  if (code === 'server') return failures.server(wordsOf(error))
  if (code === 'aborted') return texts.stopped
  return isPlain(code) ? failures[code] : failures.refused(wordsOf(error))
}

function noAnswerSentence({ kind, said }: NoAnswerError, failures: SpokenFailures['failures']): string {
  if (kind === 'declined') return failures.declined(said)
  return kind === 'tool-call' ? failures.toolCall(said) : failures.filtered
}

const PLAIN = ['unauthorized', 'unreachable', 'timeout', 'locked', 'cut', 'empty'] as const

function isPlain(code: string): code is (typeof PLAIN)[number] {
  return PLAIN.some((plain) => plain === code)
}

/** Longer error texts of the platform are cut. */
const MAX_WORDS_CHARS = 1000

/** Names of settings are for who runs Footbridge: `UPSTREAM_BASE_URL`. */
const SETTING = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/

const withoutSettings = (text: string) =>
  text
    .split(/(?<=[.!?])\s+/)
    .flatMap((part) => (SETTING.test(part) ? upToAdvice(part) : part))
    .join(' ')

/** `The server cannot be reached: check UPSTREAM_BASE_URL.` without its advice; nothing if that is all. */
function upToAdvice(said: string): string | [] {
  const end = said.search(/[:;]/)
  return end === -1 || SETTING.test(said.slice(0, end)) ? [] : `${said.slice(0, end)}.`
}

/** The platform's own error text, without advice that ours would repeat, and without names of settings. */
export function wordsOf({ said, message }: PlatformFailure): string {
  const words = withoutSettings(withoutNames((said ?? message).slice(0, MAX_WORDS_CHARS)))
  return words.trim() === '' ? '' : sentence(words.replace(/\s*[:;,.]\s*(?:ask|try) again\.?$/i, ''))
}

function sentence(text: string): string {
  const trimmed = text.trim()
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`
}

/** Collection names as the channel map makes them. */
const COLLECTION_NAME = /["'“„]?(?:[\w.-]+\/)?[a-z0-9]+-[a-z0-9]*-[0-9a-f]{10}-[0-9a-f]{20}["'”“]?/gi

/** A platform text without collection names, which are secret: a name gives read access. */
const withoutNames = (text: string): string => text.replace(COLLECTION_NAME, '…')

/** The same log; a failure of the platform gets the field `hint` with the remedy of an operator. */
export function withHints(log: Log): Log {
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(hinted(fields), message),
    error: (fields, message) => log.error(hinted(fields), message),
  }
}

function hinted(fields: object): object {
  const hint = 'err' in fields ? operatorHint(fields.err) : undefined
  return hint === undefined ? fields : { ...fields, hint }
}

function operatorHint(error: unknown): string | undefined {
  if (!isPlatformFailure(error)) return undefined
  if (error.status === 501) return 'Set UPSTREAM_TRANSCRIPTION_MODEL to a speech model of the model server.'
  // A platform that says why it failed is there.
  return HINTS.get(error.code === 'unreachable' && error.said !== undefined ? 'server' : error.code)
}

const HINTS: ReadonlyMap<string, string> = new Map([
  ['unauthorized', 'Set PLATFORM_API_KEY to a valid key; npm run doctor checks it.'],
  ['unreachable', 'Check PLATFORM_BASE_URL, and that the platform runs; npm run doctor asks it.'],
  ['timeout', 'The platform or its model server is slow: look there, or choose a smaller model (UPSTREAM_CHAT_MODEL).'],
  ['server', 'The log of the platform has more; for the embedded one check UPSTREAM_BASE_URL and UPSTREAM_CHAT_MODEL.'],
  [
    'too-long',
    'The context of the model is small: raise it at the model server (Ollama: OLLAMA_CONTEXT_LENGTH), choose another model, or set UPSTREAM_CONTEXT_TOKENS.',
  ],
  ['no-room', 'The disk of the platform is full: free some space, and everything goes on by itself.'],
  ['rate-limited', 'The quota of the key is used up; npm run keys raises it on the embedded platform.'],
])

/** Whether asking the same again can help: not where a key, a budget or the question itself is refused. */
export function isWorthRetrying(error: unknown): boolean {
  // A model that declines, or a filter, does so again; a tool is called by chance.
  if (error instanceof NoAnswerError) return error.kind === 'tool-call'
  // A model server that refuses its key goes on doing so.
  if (isPlatformFailure(error))
    return PASSING.has(error.code) && error.status !== 501 && !/_KEY\b/.test(error.said ?? '')
  return error instanceof Error && !(error instanceof AdapterError) && !NO_FAULTS.has(error.name)
}

const PASSING: ReadonlySet<string> = new Set([
  'unreachable',
  'timeout',
  'locked',
  'cut',
  'empty',
  'rate-limited',
  'server',
])

const NO_FAULTS: ReadonlySet<string> = new Set(['OverBudgetError', 'CollectionLostError'])
