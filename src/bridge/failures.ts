import { AdapterError } from './errors.ts'
import type { PlatformFailure } from './ports.ts'
import type { Texts } from './texts.ts'

export function isPlatformFailure(error: unknown): error is PlatformFailure {
  return error instanceof Error && error.name === 'PlatformError' && 'code' in error
}

/** What a person is told about a failure: why, what was kept, what to do. Never a stack trace. */
export function sentenceFor(error: unknown, texts: Texts, language?: string): string {
  if (!isPlatformFailure(error)) return texts.failures.internal
  const { failures } = texts
  const { code } = error
  if (code === 'rate-limited') return failures.rateLimited(clockTime(error.retryAfterMs, language))
  if (code === 'server') return failures.server(wordsOf(error))
  if (code === 'aborted') return texts.stopped
  return isPlain(code) ? failures[code] : failures.refused(wordsOf(error))
}

const PLAIN = ['unauthorized', 'unreachable', 'timeout', 'locked', 'cut', 'empty'] as const

function isPlain(code: string): code is (typeof PLAIN)[number] {
  return PLAIN.some((plain) => plain === code)
}

function clockTime(retryAfterMs: number | undefined, language: string | undefined): string | undefined {
  if (retryAfterMs === undefined) return undefined
  const style = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const
  return new Date(Date.now() + retryAfterMs).toLocaleTimeString(localeOf(language), style)
}

/** Services write `en_US`, and anybody may write anything: what is no language tag is the system's own. */
function localeOf(language: string | undefined): string | undefined {
  try {
    return language === undefined ? undefined : Intl.getCanonicalLocales(language.replaceAll('_', '-'))[0]
  } catch {
    return undefined
  }
}

/** What the platform says about a failure, for people: without an advice that ours would repeat. */
export function wordsOf({ said, message }: PlatformFailure): string {
  return sentence((said ?? message).replace(/\s*[:;,.]\s*(?:ask|try) again\.?$/i, ''))
}

function sentence(text: string): string {
  const trimmed = text.trim()
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`
}

/** Whether the chat service, not our work, stood in the way, so that the same job may be tried again later. */
export function isPassing(error: unknown): error is AdapterError {
  return error instanceof AdapterError && ['network', 'rate-limited', 'ambiguous'].includes(error.code)
}
