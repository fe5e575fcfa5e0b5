import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api'
import { AdapterError, type AdapterErrorCode } from '../../src/bridge/port/errors.ts'
import { text, toFields } from '../shared/json.ts'

const CODES: Readonly<Record<string, AdapterErrorCode>> = {
  invalid_auth: 'unauthorized',
  not_authed: 'unauthorized',
  account_inactive: 'unauthorized',
  token_revoked: 'unauthorized',
  token_expired: 'unauthorized',
  not_allowed_token_type: 'unauthorized',
  org_login_required: 'unauthorized',
  missing_scope: 'forbidden',
  no_permission: 'forbidden',
  access_denied: 'forbidden',
  team_access_not_granted: 'forbidden',
  not_in_channel: 'forbidden',
  user_not_in_channel: 'forbidden',
  is_archived: 'forbidden',
  restricted_action: 'forbidden',
  restricted_action_read_only_channel: 'forbidden',
  restricted_action_thread_locked: 'forbidden',
  cant_update_message: 'forbidden',
  cant_delete_message: 'forbidden',
  edit_window_closed: 'forbidden',
  message_not_owned_by_app: 'forbidden',
  channel_not_found: 'not-found',
  message_not_found: 'not-found',
  thread_not_found: 'not-found',
  invalid_thread_ts: 'not-found',
  user_not_found: 'not-found',
  file_not_found: 'not-found',
  file_deleted: 'not-found',
  file_uploads_disabled: 'forbidden',
  file_uploads_except_images_disabled: 'forbidden',
  posting_to_channel_denied: 'forbidden',
  storage_limit_reached: 'forbidden',
  msg_too_long: 'too-long',
  msg_blocks_too_long: 'too-long',
  message_not_in_streaming_state: 'stream-closed',
  stopped_by_user: 'stopped',
  ratelimited: 'rate-limited',
  rate_limited: 'rate-limited',
  message_limit_exceeded: 'rate-limited',
  // According to Slack, part of the work may have been done.
  fatal_error: 'ambiguous',
  internal_error: 'ambiguous',
  request_timeout: 'ambiguous',
  service_unavailable: 'ambiguous',
}

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
  network: 'Check the connection to Slack and SLACK_API_URL.',
}

/** Slack never saw the request. */
const UNREACHED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
])
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
    return new AdapterError(
      mutates ? 'ambiguous' : 'network',
      `Slack answered ${method} with HTTP ${error.statusCode}. ${REMEDIES[mutates ? 'ambiguous' : 'network']}`,
      { cause: error },
    )
  }
  const code = mutates && wasReached(error) ? 'ambiguous' : 'network'
  return new AdapterError(code, `Slack did not answer ${method}. ${REMEDIES[code]}`, { cause: error })
}
