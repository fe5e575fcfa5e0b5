import { AdapterError } from '../port/errors.ts'
import type { PlatformFailure } from '../port/platform.ts'
import type { Texts } from './texts.ts'

export function isPlatformFailure(error: unknown): error is PlatformFailure {
  return error instanceof Error && error.name === 'PlatformError' && 'code' in error
}

/** What a person is told about a failure: why, what was kept, what to do. Never a stack trace. */
export function sentenceFor(error: unknown, texts: Texts, language?: string): string {
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

/** `14:05 UTC`; with the day where it is not within the next twelve hours. */
export function clockTime(at: number, language: string | undefined): string {
  const isFar = at - Date.now() > 12 * 3_600_000
  return new Date(at).toLocaleString(localeOf(language), {
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    ...(isFar ? { weekday: 'short', day: 'numeric', month: 'short' } : {}),
  })
}

/** Services write `en_US`, and anybody may write anything: what is no language tag is the system's own. */
export function localeOf(language: string | undefined): string | undefined {
  try {
    return language === undefined ? undefined : Intl.getCanonicalLocales(language.replaceAll('_', '-'))[0]
  } catch {
    return undefined
  }
}

/** What the platform says about a failure, for people: without an advice that ours would repeat. */
export function wordsOf({ said, message }: PlatformFailure): string {
  return sentence(withoutNames(said ?? message).replace(/\s*[:;,.]\s*(?:ask|try) again\.?$/i, ''))
}

function sentence(text: string): string {
  const trimmed = text.trim()
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`
}

/** Whether the platform may well do the same thing later. */
export function isPassingFailure(error: unknown): error is PlatformFailure {
  return isPlatformFailure(error) && PASSING.has(error.code)
}

const PASSING: ReadonlySet<string> = new Set([
  'unreachable',
  'timeout',
  'locked',
  'cut',
  'empty',
  'rate-limited',
])

/** Whether the chat service, not our work, stood in the way, so that the same job may be tried again later. */
export function isPassing(error: unknown): error is AdapterError {
  return error instanceof AdapterError && ['network', 'rate-limited', 'ambiguous'].includes(error.code)
}

/** The form in which the channel map names collections. */
const COLLECTION_NAME = /["'“„]?(?:[\w.-]+\/)?[a-z0-9]+-[a-z0-9]*-[0-9a-f]{10}-[0-9a-f]{20}["'”“]?/gi

/** Words of the platform without names of collections, which are secrets: who knows one may read it. */
const withoutNames = (text: string): string => text.replace(COLLECTION_NAME, '…')
