import type { PlatformFailure, PlatformFailureCode } from '#bridge/port/platform.ts'
import { contextExcess } from '../wire/context-excess.ts'
import type { WireError } from '../wire/errors.ts'

export interface PlatformErrorOptions {
  readonly status?: number
  readonly retryAfterMs?: number
  readonly maybeDone?: boolean
  readonly said?: string | undefined
  readonly refusal?: WireError
  readonly cause?: unknown
}

/** The one error of the client. `message` is a sentence with a remedy; it never holds the key. */
export class PlatformError extends Error implements PlatformFailure {
  override readonly name = 'PlatformError'
  readonly code: PlatformFailureCode
  /** HTTP status, or the status inside a stream's error event. */
  readonly status?: number
  /** Milliseconds until a retry makes sense: with `rate-limited`, or where the platform said so. */
  readonly retryAfterMs?: number
  /** True when the request went out and may have been carried out although no answer came. */
  readonly maybeDone: boolean
  /** The platform's own message, at most 300 characters. */
  readonly said?: string
  /** The platform's whole refusal of a request. */
  readonly refusal?: WireError

  constructor(code: PlatformFailureCode, message: string, options: PlatformErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.maybeDone = options.maybeDone ?? false
    this.status = options.status
    this.retryAfterMs = options.retryAfterMs
    if (options.refusal !== undefined) this.refusal = options.refusal
    this.said = options.said?.trim().slice(0, 300) || undefined
  }
}

const ALREADY_THERE = /already (exists|present|in use)|exists already|duplicate/i

/** Code of a status. A 400 or 422 whose text says "already exists" is a conflict. */
function codeOfStatus(status: number, message: string): PlatformFailureCode {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404 || status === 410) return 'not-found'
  if (status === 409) return 'conflict'
  if (status === 413) return 'too-large'
  if (status === 415 || status === 501) return 'unsupported'
  if (status === 423) return 'locked'
  if (status === 429) return 'rate-limited'
  if (status === 408) return 'timeout'
  if (status === 507) return 'no-room'
  if (status >= 500) return 'server'
  return ALREADY_THERE.test(message) ? 'conflict' : 'invalid'
}

/** Remedies by error code. */
export type Remedies = { readonly [code in PlatformFailureCode]?: string }

export const REMEDIES: Readonly<Record<PlatformFailureCode, string>> = {
  unauthorized: 'Check PLATFORM_API_KEY: keys expire and can be withdrawn.',
  'not-found': 'Check the name, and that PLATFORM_BASE_URL and PLATFORM_PROFILE fit the platform.',
  conflict: 'Use another name, or replace what is there.',
  'no-room': 'Free some space on the disk of the platform; the same works then.',
  'too-large': 'Use a smaller file, or split it.',
  'too-long': 'Ask a shorter question, or use a model that reads more tokens at once.',
  unsupported: 'Use a format that the platform takes: PDF, text or markdown always.',
  invalid: 'Change the request: sending it again as it is will not help.',
  'rate-limited': 'Ask again after that, or use a PLATFORM_API_KEY with a larger quota.',
  locked: 'The collection is probably being indexed: try again in a few minutes.',
  unreachable: 'Check PLATFORM_BASE_URL and that the platform is running.',
  timeout: 'Try again; if it stays silent, check the platform behind PLATFORM_BASE_URL.',
  cut: 'What came until then is kept; ask again for the rest.',
  empty: 'Ask again; if it stays empty, try another PLATFORM_MODEL.',
  server: 'Try again in a moment; if it stays, ask whoever runs the platform.',
  aborted: 'It was stopped on purpose.',
}

/** One sentence that names the failure and the work, and one with the remedy. */
export function sentence(code: PlatformFailureCode, what: string, remedy = REMEDIES[code]): string {
  return `${what.replace(/[\s.]+$/, '')}. ${remedy}`
}

export function abortedError(doing: string): PlatformError {
  return new PlatformError('aborted', sentence('aborted', `Stopped while ${doing}`))
}

const VERBS: Remedies = {
  unauthorized: 'refused the API key',
  'not-found': 'did not find what was asked for',
  conflict: 'found a conflict',
  'no-room': 'has no room left',
  'too-large': 'found it too large',
  'too-long': 'found the prompt too long',
  unsupported: 'does not take this format',
  locked: 'has locked the collection',
  server: 'failed',
}

/** An answer that is no success. */
interface Refusal {
  readonly status: number
  readonly said: WireError
  readonly retryAfterMs?: number
}

/** The error for a status that is no success. `doing` completes "The platform … while <doing>". */
export function errorOfStatus({ said, ...refusal }: Refusal, doing: string, better: Remedies = {}): PlatformError {
  const isPrompt = [400, 413, 422].includes(refusal.status) && contextExcess(said) !== undefined
  const code = isPrompt ? 'too-long' : codeOfStatus(refusal.status, said.message)
  const saying = said.message === '' ? '' : `: ${said.message.slice(0, 300).replace(/[\s.]+$/, '')}`
  const undone = refusal.status === 501
  const verb = undone ? 'is not set up for this' : (VERBS[code] ?? 'refused the request')
  const what = `The platform ${verb} while ${doing}${saying} (status ${refusal.status})`
  const remedy = undone ? 'Ask whoever runs the platform.' : better[code]
  const more = { ...refusal, said: said.message, refusal: said }
  return new PlatformError(code, sentence(code, what, remedy), more)
}

/** Error codes after which the request certainly never reached the platform. */
const NEVER_SENT_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

const CLOSED_HERE_CODES = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED'])

const REASONS: Readonly<Record<string, string>> = {
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
  if (CLOSED_HERE_CODES.has(code)) return abortedError(doing)
  if (NEVER_SENT_CODES.has(code) || /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/.test(code)) {
    const what = `The platform could not be reached while ${doing} (${REASONS[code] ?? code})`
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
  if (CLOSED_HERE_CODES.has(codeOf(error))) return abortedError(doing)
  const what = `The platform's answer broke off while ${doing}`
  return new PlatformError('cut', sentence('cut', what, 'Try again.'), { cause: error, maybeDone: true })
}
