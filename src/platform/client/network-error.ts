import { abortedError } from './deadline.ts'
import { PlatformError, sentence } from './errors.ts'

/** With these the request certainly never reached the platform. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

const closedHere = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED'])

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at that address',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time limit',
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return typeof code === 'string' ? code : codeOf(cause)
}

/** A failure before the head of an answer. */
export function requestError(error: unknown, doing: string): PlatformError {
  if (error instanceof PlatformError) return error
  const code = codeOf(error)
  if (closedHere.has(code)) return abortedError(doing)
  if (neverSent.has(code) || /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/.test(code)) {
    const what = `The platform could not be reached while ${doing} (${reasons[code] ?? code})`
    return new PlatformError('unreachable', sentence('unreachable', what), { cause: error })
  }
  if (code.startsWith('UND_ERR_INVALID')) {
    const what = `The request could not be made while ${doing}`
    return new PlatformError('invalid', sentence('invalid', what), { cause: error })
  }
  const what = `The platform closed the connection without an answer while ${doing}`
  return new PlatformError('unreachable', sentence('unreachable', what), { cause: error, maybeDone: true })
}

/** A failure after the head of an answer. */
export function bodyError(error: unknown, doing: string): PlatformError {
  if (error instanceof PlatformError) return error
  if (closedHere.has(codeOf(error))) return abortedError(doing)
  const what = `The platform's answer broke off while ${doing}`
  return new PlatformError('cut', sentence('cut', what, 'Try again.'), { cause: error, maybeDone: true })
}
