import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js'
import { AdapterError } from '#bridge/port/errors.ts'

/** Codes of https://discord.com/developers/docs/topics/opcodes-and-status-codes#json */
const API_CODES = {
  tooManyEditsOfOldMessage: 30046,
  acknowledgedBefore: 40060,
  tooLarge: 40005,
  missingAccess: 50001,
  cannotSendToUser: 50007,
  invalidWebhookToken: 50027,
  invalidForm: 50035,
} as const

/** AutoMod refused a text, the title of a post, a link (discord-api-docs#5128). */
const BLOCKED_CODES: readonly (number | string)[] = [200_000, 200_001, 240_000]

/** The thread is archived, or locked: discord-api-docs#6884. */
const CLOSED_CODES: readonly (number | string)[] = [50_083, 160_005]

/** Slow mode, writes into a channel, writes into a server: bots are exempt from the first one by the documentation. */
const SLOW_CODES: readonly unknown[] = [20_016, 20_028, 20_029]
export const isSlowMode = (code: unknown): boolean => SLOW_CODES.includes(code)

/** Cloudflare, in front of Discord, blocks the request and says so as JSON: discord-api-docs#6473. */
const BLOCKED_ON_THE_WAY = 40_333

/** Discord has not seen the request: its own refusals carry a number. */
const isFromInBetween = ({ code }: DiscordAPIError): boolean => typeof code !== 'number' || code === BLOCKED_ON_THE_WAY

/** @param call `write`: it may have been carried out although its response was lost. */
export function toAdapterError(error: unknown, call: { readonly write: boolean }): AdapterError {
  if (error instanceof AdapterError) return error
  if (error instanceof RateLimitError) {
    const seconds = Math.ceil(error.retryAfter / 1000)
    const text = `Discord asks to wait ${seconds} s before the next request of this kind.`
    return new AdapterError('rate-limited', text, { retryAfterMs: error.retryAfter, cause: error })
  }
  if (error instanceof DiscordAPIError) return fromApi(error)
  if (error instanceof HTTPError) {
    return new AdapterError(
      call.write ? 'ambiguous' : 'network',
      `Discord answered ${error.status}: it has a problem of its own. Try again in a moment.`,
      { cause: error },
    )
  }
  return fromTransport(error, call)
}

function fromApi(error: DiscordAPIError): AdapterError {
  const cause = { cause: error }
  // A 401 of one interaction; our own token is valid.
  if (error.code === API_CODES.invalidWebhookToken) {
    return new AdapterError(
      'not-found',
      'This person can no longer be shown something alone: their press of a button is 15 minutes old. Ask them to press again.',
      cause,
    )
  }
  if (error.status === 401) return unauthorized(error)
  if (isFromInBetween(error)) {
    return new AdapterError(
      'network',
      `Something between Footbridge and Discord refused this (${error.status}), such as Cloudflare or a proxy. It is tried again; if it stays, check the network and its address.`,
      cause,
    )
  }
  if (error.status === 404) {
    return new AdapterError('not-found', `Discord does not know this (any more): ${error.message}.`, cause)
  }
  if (error.code === API_CODES.tooLarge) {
    return new AdapterError(
      'invalid',
      'This file is larger than Discord takes here (10 MB, more in boosted servers). Get it from the web page instead.',
      cause,
    )
  }
  if (CLOSED_CODES.includes(error.code)) {
    return new AdapterError(
      'closed',
      'This Discord thread is closed or locked, so nothing can be written in it. Open it again, or give the role of Footbridge Manage Threads.',
      cause,
    )
  }
  if (isSlowMode(error.code)) return slowMode(error)
  if (error.status === 403) return new AdapterError('forbidden', forbidden(error.code), cause)
  if (error.code === API_CODES.tooManyEditsOfOldMessage) {
    return new AdapterError(
      'rate-limited',
      'Discord allows no more edits of this message for now, since it is older than an hour. Wait a minute.',
      { ...cause, retryAfterMs: 60_000 },
    )
  }
  if (BLOCKED_CODES.includes(error.code)) {
    return new AdapterError(
      'blocked',
      'The AutoMod of a Discord server blocked what Footbridge wrote. Exempt its role in the rule (Server Settings, AutoMod).',
      cause,
    )
  }
  const tooLong = error.code === API_CODES.invalidForm && error.message.includes('content[BASE_TYPE_MAX_LENGTH]')
  if (tooLong) return tooLongError()
  return new AdapterError('invalid', `Discord refused this: ${firstLines(error.message)}.`, cause)
}

/** Discord answers slow mode with 429 and `retry_after`, in seconds (Discord-S.C.U.M#232). */
function slowMode(error: DiscordAPIError): AdapterError {
  const told = 'retry_after' in error.rawError ? Number(error.rawError.retry_after) : Number.NaN
  const isTold = Number.isFinite(told)
  const wait = isTold ? `${Math.ceil(told)} s` : 'a minute'
  return new AdapterError('rate-limited', `Discord takes no more messages here for now (slow mode). Wait ${wait}.`, {
    cause: error,
    retryAfterMs: isTold ? told * 1000 : 60_000,
  })
}

export const tooLongError = () =>
  new AdapterError('too-long', 'This is longer than the 2,000 characters of a Discord message. Split it.')

const unauthorized = (cause: unknown) =>
  new AdapterError(
    'unauthorized',
    'Discord does not accept DISCORD_TOKEN. Copy the token again from the Bot page of the application at ' +
      'https://discord.com/developers/applications.',
    { cause },
  )

function forbidden(code: number | string): string {
  if (code === API_CODES.missingAccess) {
    return 'Footbridge may not see this Discord channel. Give its role View Channel and Read Message History there.'
  }
  if (code === API_CODES.cannotSendToUser) {
    return 'This person takes no direct messages from Footbridge. Ask in a channel of the server instead.'
  }
  return (
    'Footbridge lacks a permission in this Discord channel. Give its role Send Messages, Send Messages in Threads ' +
    'and Read Message History there.'
  )
}

/** A failure of the connection: no response, or an unreadable one. */
function fromTransport(error: unknown, call: { readonly write: boolean }): AdapterError {
  const code = transportCode(error)
  const refused = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'ENETUNREACH']
  if (refused.includes(code)) {
    return new AdapterError('network', `Discord could not be reached (${code}). Check the network.`, { cause: error })
  }
  if (error instanceof Error && error.message.startsWith('Expected token to be set')) {
    return new AdapterError('network', 'Footbridge is not connected to Discord (any more).', { cause: error })
  }
  return new AdapterError(
    call.write ? 'ambiguous' : 'network',
    `The connection to Discord broke before it answered (${code}). Try again in a moment.`,
    { cause: error },
  )
}

function transportCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'no answer in time'
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause === undefined ? error.name : transportCode(error.cause)
}

/** An interaction is answered once: by a process before, or by a request whose response was lost. */
export const isAcknowledgedBefore = ({ cause }: Error): boolean =>
  cause instanceof DiscordAPIError && cause.code === API_CODES.acknowledgedBefore

const firstLines = (message: string) => message.split('\n').slice(0, 3).join('; ').replace(/[.:]$/, '')

/** Whether to repeat the call: all calls are safe to repeat, since every new message carries an enforced nonce. */
export function isTransient(error: unknown): boolean {
  if (error instanceof DiscordAPIError || error instanceof RateLimitError || error instanceof AdapterError) {
    return false
  }
  if (error instanceof HTTPError) return true
  return error instanceof Error && !error.message.startsWith('Expected token to be set')
}

/**
 * Why the gateway refused or closed the connection.
 * https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes
 */
export function closeSentence(code: number, cause?: unknown): AdapterError {
  switch (code) {
    case 4004:
      return unauthorized(cause)
    case DISALLOWED_INTENTS:
      return disallowedIntents(cause)
    case 4010:
      return new AdapterError(
        'invalid',
        'Discord knows no such gateway connection. Correct DISCORD_SHARDS: the first number counts from 0, and all processes name the same total.',
      )
    case 4011:
      return new AdapterError(
        'invalid',
        'Discord asks for more gateway connections than Footbridge opened (sharding). Start it again; where DISCORD_SHARDS is set, raise its total.',
      )
    case 4013:
      return new AdapterError(
        'invalid',
        'Discord does not know what Footbridge wants to hear (4013, intents). Update Footbridge.',
      )
    default:
      return new AdapterError(
        'invalid',
        `Discord closed the connection for good (code ${code}). Update Footbridge and start it again.`,
      )
  }
}

/** Message Content is the one privileged intent that is asked for, and it was left out before: another one is at fault. */
const disallowedIntents = (cause?: unknown) =>
  new AdapterError(
    'forbidden',
    'Discord refuses the intents of Footbridge (4014), even those that need no approval. Check the Bot page at ' +
      'https://discord.com/developers/applications and start again.',
    { cause },
  )

/** Close code: a privileged intent is not granted to this application. */
export const DISALLOWED_INTENTS = 4014

/** Messages of @discordjs/ws about a close at login, with its code. */
const START_CLOSES: Readonly<Record<string, number>> = {
  'Invalid shard': 4010,
  'Sharding is required': 4011,
  'Used invalid intents': 4013,
  'Used disallowed intents': DISALLOWED_INTENTS,
}

/** Whether a login failed since an intent is not granted. */
export const isIntentRefusal = (error: unknown): boolean =>
  error instanceof AdapterError &&
  error.cause instanceof Error &&
  START_CLOSES[error.cause.message] === DISALLOWED_INTENTS

/** For a refused `login()`. */
export function toStartError(error: unknown): AdapterError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const text = error instanceof Error ? error.message : ''
  if (code === 'TokenInvalid' || text === 'Authentication failed') return unauthorized(error)
  const closed = START_CLOSES[text]
  if (closed !== undefined) return closeSentence(closed, error)
  if (text.startsWith('Not enough sessions remaining')) {
    return new AdapterError(
      'rate-limited',
      `Discord allows no more logins of this bot today. ${text}. Something restarts it too often.`,
      { cause: error },
    )
  }
  return toAdapterError(error, { write: false })
}
