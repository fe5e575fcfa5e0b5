import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api'
import { AdapterError, type AdapterErrorCode } from '#bridge/port/errors.ts'
import { text, toFields } from '#adapters/shared/json.ts'

/** Slack's own codes, with blanks between them. */
const SLACK_CODES = {
  unauthorized:
    'invalid_auth not_authed account_inactive token_revoked token_expired not_allowed_token_type org_login_required',
  forbidden:
    'missing_scope no_permission access_denied team_access_not_granted not_in_channel user_not_in_channel is_archived is_inactive ' +
    'restricted_action restricted_action_read_only_channel cant_update_message ' +
    'cant_delete_message edit_window_closed message_not_owned_by_app file_uploads_disabled ' +
    'file_uploads_except_images_disabled posting_to_channel_denied storage_limit_reached',
  closed: 'restricted_action_thread_locked',
  'not-found':
    'channel_not_found message_not_found thread_not_found invalid_thread_ts user_not_found file_not_found file_deleted',
  'too-long': 'msg_too_long msg_blocks_too_long',
  'stream-closed': 'message_not_in_streaming_state',
  stopped: 'stopped_by_user',
  'rate-limited': 'ratelimited rate_limited message_limit_exceeded',
  // While a workspace moves to other servers, or into an organization.
  network: 'migration_in_progress team_added_to_org',
  // According to Slack, part of the work may have been done.
  ambiguous: 'fatal_error internal_error request_timeout service_unavailable',
} satisfies Partial<Record<AdapterErrorCode, string>>

const CODES: Readonly<Record<string, AdapterErrorCode>> = Object.fromEntries(
  Object.entries(SLACK_CODES).flatMap(([code, names]) =>
    names.split(' ').map((name) => [name, code as AdapterErrorCode] as const),
  ),
)

const REMEDIES: Readonly<Record<AdapterErrorCode, string>> = {
  unauthorized: 'Check SLACK_BOT_TOKEN and SLACK_APP_TOKEN, or install the app again.',
  forbidden: 'Invite the app to the channel, or give it the missing permission and install it again.',
  'not-found': 'It may have been deleted, or the app is not a member of the channel.',
  'rate-limited': 'Try again a little later.',
  'too-long': 'Split the text.',
  'stream-closed': 'Go on with an edit or a new message.',
  stopped: 'The person pressed stop.',
  ambiguous: 'It may or may not have been carried out: look before it is repeated.',
  invalid: 'Repeating it will not help; this is a fault of the adapter worth reporting.',
  blocked: 'Ask in other words, or ask an administrator of the workspace.',
  closed: 'Unlock the thread, or ask in another one.',
  network: 'Check the connection to Slack and SLACK_API_URL.',
}

/** Slack never saw the request. */
const UNREACHED = new Set(
  'ECONNREFUSED ENOTFOUND EAI_AGAIN ENETUNREACH EHOSTUNREACH UND_ERR_CONNECT_TIMEOUT CERT_HAS_EXPIRED'.split(' '),
)
const DEFAULT_RETRY_MS = 30_000

/** Slack's own error code, if there is one. */
export function slackCode(error: unknown): string | undefined {
  const cause = error instanceof AdapterError ? error.cause : error
  return cause instanceof WebAPIPlatformError ? cause.data.error : undefined
}

function wasReached(error: unknown): boolean {
  for (let each: unknown = error, depth = 0; each instanceof Error && depth < 6; each = each.cause, depth += 1) {
    const all: readonly unknown[] = each instanceof AggregateError ? each.errors : [each]
    if (all.some((one) => UNREACHED.has(text(toFields(one), 'code') ?? ''))) return false
  }
  return true
}

function fromPlatform(error: WebAPIPlatformError, method: string, mutates: boolean): AdapterError {
  const said = error.data.error
  // A proxy's page instead of JSON arrives as one long "error".
  if (!/^[a-z_]{3,60}$/.test(said)) {
    return new AdapterError(
      mutates ? 'ambiguous' : 'network',
      `Slack's answer to ${method} was not understood. ${REMEDIES.network}`,
      { cause: error },
    )
  }
  const code = CODES[said] ?? 'invalid'
  const settled = code === 'ambiguous' && !mutates ? 'network' : code
  const scope = text(toFields(error.data), 'needed')
  const remedy =
    said === 'missing_scope' && scope !== undefined
      ? `Add the scope ${scope} to the app and install it again.`
      : REMEDIES[settled]
  return new AdapterError(settled, `Slack refused ${method}: ${said}. ${remedy}`, {
    cause: error,
    retryAfterMs: code === 'rate-limited' ? DEFAULT_RETRY_MS : undefined,
  })
}

/** Every Slack has these: a 404 is that of a proxy, and passes. */
const EVERYWHERE = /^(?:auth\.test|apps\.|oauth\.|chat\.(?:post|update|delete)|conversations\.|users\.|files\.)/

/** Whether this Slack has no such method, so that asking again is of no use. */
export function isMissing(error: AdapterError, method: string): boolean {
  if (EVERYWHERE.test(method)) return false
  const { cause } = error
  return slackCode(error) === 'unknown_method' || (cause instanceof WebAPIHTTPError && cause.statusCode === 404)
}

/** @param mutates repeating the call could show something twice: then a lost response is `ambiguous` */
export function toAdapterError(error: unknown, method: string, mutates: boolean): AdapterError {
  if (error instanceof AdapterError) return error
  if (error instanceof WebAPIRateLimitedError) {
    return new AdapterError(
      'rate-limited',
      `Slack limits ${method} for ${error.retryAfter} s. ${REMEDIES['rate-limited']}`,
      { cause: error, retryAfterMs: Math.max(error.retryAfter, 1) * 1000 },
    )
  }
  if (error instanceof WebAPIPlatformError) return fromPlatform(error, method, mutates)
  // A 429 without Retry-After is a plain Error in web-api 8.2.0.
  if (error instanceof Error && error.message.startsWith('Retry header')) {
    return new AdapterError('rate-limited', `Slack limits ${method}. ${REMEDIES['rate-limited']}`, {
      cause: error,
      retryAfterMs: DEFAULT_RETRY_MS,
    })
  }
  if (error instanceof WebAPIHTTPError) {
    if (error.statusCode === 404 && !EVERYWHERE.test(method))
      return new AdapterError('invalid', `This Slack does not have ${method} (HTTP 404). ${REMEDIES.invalid}`, {
        cause: error,
      })
    return new AdapterError(
      mutates ? 'ambiguous' : 'network',
      `Slack answered ${method} with HTTP ${error.statusCode}. ${REMEDIES[mutates ? 'ambiguous' : 'network']}`,
      { cause: error },
    )
  }
  const code = mutates && wasReached(error) ? 'ambiguous' : 'network'
  return new AdapterError(code, `Slack did not answer ${method}. ${REMEDIES[code]}`, { cause: error })
}
