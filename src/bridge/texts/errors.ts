import { clockTime } from './formats.ts'
import { isPlatformFailure } from '../port/errors.ts'
import type { PlatformFailure } from '../port/platform.ts'

/** Sentences about failures of the platform, of models and of Footbridge. */
export const failuresEn = {
  unauthorized:
    'The platform refused my key: it is wrong or has expired. Whoever runs me can set a new one (PLATFORM_API_KEY).',
  unreachable: 'I can’t reach the platform just now. Your message is safe; please ask again in a few minutes.',
  timeout: 'The platform took too long to answer. Please ask again in a moment.',
  rateLimited: (when: string | undefined): string =>
    when === undefined
      ? 'The limit of the platform is reached for now. Please ask again later.'
      : `The limit of the platform is reached for now. You can ask again at ${when}.`,
  locked: 'The files here are being indexed just now. Please ask again in a minute.',
  cut: 'The connection to the model broke in the middle. Please ask again.',
  empty: 'The model answered with nothing at all. Please ask again, or in other words.',
  server: (detail: string): string => `The platform reported an error: ${detail} Please ask again in a moment.`,
  refused: (detail: string): string => `The platform did not accept this: ${detail}`,
  noTranscription: (detail: string): string => `I could not turn this recording into text: ${detail}`,
  /** The platform has no speech model at all. */
  noSpeechModel:
    'I can’t listen to recordings here: no speech model is set up. Please type your question; whoever runs me can set one (UPSTREAM_TRANSCRIPTION_MODEL).',
  internal: 'Something went wrong on my side. It is in the log; please try again.',
}

export const failuresDe: typeof failuresEn = {
  unauthorized:
    'Die Plattform hat meinen Schlüssel abgelehnt: er ist falsch oder abgelaufen. Wer mich betreibt, kann einen neuen setzen (PLATFORM_API_KEY).',
  unreachable:
    'Ich erreiche die Plattform gerade nicht. Deine Nachricht ist nicht verloren; bitte frag in ein paar Minuten noch einmal.',
  timeout: 'Die Plattform hat zu lange gebraucht. Bitte frag gleich noch einmal.',
  rateLimited: (when) =>
    when === undefined
      ? 'Das Kontingent der Plattform ist im Augenblick aufgebraucht. Bitte frag später noch einmal.'
      : `Das Kontingent der Plattform ist im Augenblick aufgebraucht. Ab ${when} kannst du wieder fragen.`,
  locked: 'Die Dateien hier werden gerade indiziert. Bitte frag in einer Minute noch einmal.',
  cut: 'Die Verbindung zum Modell ist mittendrin abgerissen. Bitte frag noch einmal.',
  empty: 'Das Modell hat gar nichts geantwortet. Bitte frag noch einmal oder mit anderen Worten.',
  server: (detail) => `Die Plattform meldet einen Fehler: ${detail} Bitte frag gleich noch einmal.`,
  refused: (detail) => `Die Plattform hat das nicht angenommen: ${detail}`,
  noTranscription: (detail) => `Diese Aufnahme ließ sich nicht in Text verwandeln: ${detail}`,
  noSpeechModel:
    'Aufnahmen kann ich hier nicht anhören: es ist kein Sprachmodell zum Mitschreiben eingerichtet. Bitte tipp deine Frage; wer mich betreibt, kann eines setzen (UPSTREAM_TRANSCRIPTION_MODEL).',
  internal: 'Bei mir ist etwas schiefgegangen. Es steht im Protokoll; bitte versuch es noch einmal.',
}

/** The texts about failures. */
interface SpokenFailures {
  readonly failures: typeof failuresEn
  readonly stopped: string
}

/** The sentence for people about a failure: why, what was kept, what to do. */
export function sentenceFor(error: unknown, texts: SpokenFailures, language?: string): string {
  if (!isPlatformFailure(error)) return texts.failures.internal
  const { failures } = texts
  const { code } = error
  if (code === 'rate-limited')
    return failures.rateLimited(
      error.retryAfterMs === undefined ? undefined : clockTime(Date.now() + error.retryAfterMs, language),
    )
  if (code === 'server') return failures.server(wordsOf(error))
  if (code === 'aborted') return texts.stopped
  return isPlain(code) ? failures[code] : failures.refused(wordsOf(error))
}

const PLAIN = ['unauthorized', 'unreachable', 'timeout', 'locked', 'cut', 'empty'] as const

function isPlain(code: string): code is (typeof PLAIN)[number] {
  return PLAIN.some((plain) => plain === code)
}

/** Longer error texts of the platform are cut. */
const LONGEST_WORDS = 1000

/** The platform's own error text, without advice that ours would repeat. */
export function wordsOf({ said, message }: PlatformFailure): string {
  const words = withoutNames((said ?? message).slice(0, LONGEST_WORDS))
  return sentence(words.replace(/\s*[:;,.]\s*(?:ask|try) again\.?$/i, ''))
}

function sentence(text: string): string {
  const trimmed = text.trim()
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`
}

/** Collection names as the channel map makes them. */
const COLLECTION_NAME = /["'“„]?(?:[\w.-]+\/)?[a-z0-9]+-[a-z0-9]*-[0-9a-f]{10}-[0-9a-f]{20}["'”“]?/gi

/** A platform text without collection names, which are secret: a name gives read access. */
const withoutNames = (text: string): string => text.replace(COLLECTION_NAME, '…')
