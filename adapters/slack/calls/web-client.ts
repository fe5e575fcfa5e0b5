import {
  type WebAPICallResult,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api'
import { Agent } from 'undici'
import { text, toFields } from '#adapters/shared/json.ts'

/**
 * With a thousand open answers a call takes several turns of the event loop: fewer connections let first texts wait.
 */
export const CONNECTIONS = 128
const pool = new Agent({ connections: CONNECTIONS })

/** Seconds to wait when Slack does not say how many. */
const DEFAULT_RETRY_SECONDS = 30

type Options = Required<Pick<WebClientOptions, 'slackApiUrl' | 'timeout' | 'logger'>> & WebClientOptions

/**
 * The SDK's methods and errors with requests of our own: for each call the SDK writes an unused log line, and it
 * encodes a text character by character; that was a third of the garbage of a long answer. Texts and JSON only, no
 * bytes; one attempt.
 */
export class TextClient extends WebClient {
  readonly #options: Options
  readonly #base: URL

  constructor(token: string, options: Options) {
    super(token, options)
    this.#options = options
    this.#base = new URL(options.slackApiUrl)
  }

  override async apiCall(method: string, given: Readonly<Record<string, unknown>> = {}): Promise<WebAPICallResult> {
    const { timeout, logger } = this.#options
    const { token = '' } = this
    const { origin, pathname } = this.#base
    const { statusCode, headers, body } = await pool.request({
      origin,
      path: pathname + method,
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        // The exchange of a token is sent without one.
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      },
      body: toForm(given),
      // These limits cost less than a signal for each call.
      headersTimeout: timeout,
      bodyTimeout: timeout,
    })
    const late = setTimeout(() => body.destroy(new Error('The answer of Slack did not end in time.')), timeout)
    const content = await body.text().finally(() => clearTimeout(late))
    if (statusCode === 429) {
      const seconds = Number.parseInt(String(headers['retry-after']), 10)
      throw new WebAPIRateLimitedError(Number.isNaN(seconds) ? DEFAULT_RETRY_SECONDS : seconds)
    }
    if (statusCode !== 200) throw new WebAPIHTTPError(statusCode, '', {}, content)
    const result = readResult(content)
    for (const said of [result.response_metadata?.warnings, result.response_metadata?.messages].flat())
      if (said !== undefined) logger.warn(said)
    if (!result.ok) throw new WebAPIPlatformError(result)
    return result
  }
}

/** Slack takes objects and lists as JSON in a field; undefined fields are left out. */
function toForm(given: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(given).flatMap(([name, value]) => {
    if (value === undefined || value === null) return []
    const shown = typeof value === 'string' ? value : JSON.stringify(value)
    return [`${name}=${encodeURIComponent(shown.toWellFormed())}`]
  })
  return fields.join('&')
}

/** A page of a proxy is an error whose code is the page. */
function readResult(body: string): WebAPICallResult & { readonly error: string } {
  try {
    const result = toFields(JSON.parse(body))
    return { ...result, ok: result['ok'] === true, error: text(result, 'error') ?? '' }
  } catch {
    return { ok: false, error: body }
  }
}
