import { AdapterError } from '../../src/bridge/port/errors.ts'
import { parseFields, text } from '../shared/json.ts'
import type { SlackOptions } from './config.ts'
import { SCOPES } from './manifest.ts'

/** One thing that was checked. A failure says what to do, and on which page of Slack. */
export interface SlackFinding {
  readonly ok: boolean
  readonly text: string
}

const APPS = 'https://api.slack.com/apps'
const CHECK_MS = 15_000

/**
 * Asks Slack whether the tokens are good and have all scopes. Takes no events away from a running Footbridge: an address
 * for a connection is asked for, and no connection opened.
 */
export async function checkSlack(
  options: Pick<SlackOptions, 'botToken' | 'appToken' | 'signingSecret' | 'apiUrl'>,
): Promise<readonly SlackFinding[]> {
  const root = (options.apiUrl ?? 'https://slack.com/api').replace(/\/+$/, '')
  try {
    const bot = await call(root, 'auth.test', options.botToken)
    return [
      bot.error === undefined
        ? { ok: true, text: `Slack: the bot token is good, for the workspace ${bot.team ?? '?'}` }
        : fault(`Slack refuses SLACK_BOT_TOKEN (${bot.error}). Copy the bot token from "OAuth & Permissions"`, 'oauth'),
      ...(bot.error === undefined ? [scopeFinding(bot.scopes)] : []),
      await eventFinding(root, options),
    ]
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [fault(`Slack can't be reached at ${root} (${why}). Check the network and SLACK_API_URL`)]
  }
}

function scopeFinding(scopes: readonly string[] | undefined): SlackFinding {
  if (scopes === undefined) return { ok: true, text: 'Slack: does not tell the scopes of the token here' }
  const missing = SCOPES.filter((scope) => !scopes.includes(scope))
  if (missing.length === 0) return { ok: true, text: `Slack: the token has all ${SCOPES.length} scopes` }
  return fault(
    `Slack: the token lacks ${missing.join(', ')}. Paste the manifest again ("App Manifest"), then install the app again ("Install App")`,
    'app-manifest',
  )
}

async function eventFinding(
  root: string,
  { appToken, signingSecret }: Pick<SlackOptions, 'appToken' | 'signingSecret'>,
): Promise<SlackFinding> {
  if (appToken === undefined) {
    if (signingSecret !== undefined && /^[0-9a-f]{32}$/.test(signingSecret))
      return {
        ok: true,
        text: 'Slack: events come over HTTP; "Event Subscriptions" shows whether the address is verified',
      }
    return fault('Slack: SLACK_SIGNING_SECRET has not the form of one. Copy it from "Basic Information"', 'general')
  }
  const { error } = await call(root, 'apps.connections.open', appToken)
  if (error === undefined) return { ok: true, text: 'Slack: the app-level token opens Socket Mode connections' }
  return fault(
    `Slack refuses SLACK_APP_TOKEN (${error}). Make one with connections:write in "Basic Information", and switch on "Socket Mode"`,
    'general',
  )
}

const fault = (words: string, page?: string): SlackFinding => ({
  ok: false,
  text: page === undefined ? words : `${words}: ${APPS} → your app → ${page}`,
})

async function call(root: string, method: string, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  const signal = AbortSignal.timeout(CHECK_MS)
  const response = await fetch(`${root}/${method}`, { method: 'POST', headers, redirect: 'error', signal })
  const answer = parseFields(await response.text())
  if (answer['ok'] !== true && text(answer, 'error') === undefined)
    throw new AdapterError('network', `${method} was answered with HTTP ${response.status}`)
  return {
    error: answer['ok'] === true ? undefined : text(answer, 'error'),
    team: text(answer, 'team'),
    scopes: response.headers
      .get('x-oauth-scopes')
      ?.split(',')
      .map((scope) => scope.trim()),
  }
}
