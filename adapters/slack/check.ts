import { setTimeout as sleep } from 'node:timers/promises'
import { AdapterError } from '#bridge/port/errors.ts'
import { isOwnFault, ownFault, waitAtMost } from '#adapters/shared/session.ts'
import { isAllowedHost } from '#adapters/shared/files.ts'
import { list, parseFields, text } from '#adapters/shared/json.ts'
import { allowedHosts, type SlackOptions } from './config.ts'
import { connectionsIn, FULL, isOneTooMany, LOOKS, MAX_LOOKED_AT, UNSURE } from './inbound/shared-token.ts'
import { SCOPES } from './manifest.ts'

/** One thing that was checked. A failure says what to do, and on which page of Slack. */
export interface SlackFinding {
  readonly ok: boolean
  readonly text: string
}

const APPS = 'https://api.slack.com/apps'
const CHECK_MS = 15_000
const HELLO_MS = 5_000
const LOOK_AGAIN_MS = 3_000

export interface EventCheck extends Pick<SlackOptions, 'appToken' | 'signingSecret'> {
  /**
   * No Footbridge with these settings runs, so a connection may be opened for a moment: Slack says how many there are.
   * Default false: it would take events away from the running one.
   */
  readonly isAlone?: boolean
  /** Wait before the connections are counted again, milliseconds. Default 3 s. */
  readonly lookAgainMs?: number | undefined
}

/** Asks Slack whether the tokens are good, have all scopes, and are used by nobody else. */
export async function checkSlack(
  options: EventCheck & Pick<SlackOptions, 'botToken' | 'apiUrl' | 'fileHosts'>,
): Promise<readonly SlackFinding[]> {
  return asking(options, async (root) => [...(await botFindings(root, options)), await eventFinding(root, options)])
}

interface TokenCheck extends Pick<SlackOptions, 'apiUrl'> {
  readonly token: string
  readonly fileHosts?: readonly string[] | undefined
}

/** The same for the bot token alone. */
export const checkBotToken = ({ token, apiUrl, fileHosts }: TokenCheck): Promise<readonly SlackFinding[]> =>
  asking({ apiUrl }, (root) => botFindings(root, { botToken: token, fileHosts }))

/** The same for the app-level token alone. */
export const checkAppToken = ({ token, apiUrl }: TokenCheck): Promise<readonly SlackFinding[]> =>
  asking({ apiUrl }, async (root) => [await eventFinding(root, { appToken: token })])

/** Gives the findings of `look`; a Slack that can't be reached is one finding. */
async function asking(
  { apiUrl = 'https://slack.com/api' }: Pick<SlackOptions, 'apiUrl'>,
  look: (root: string) => Promise<readonly SlackFinding[]>,
): Promise<readonly SlackFinding[]> {
  const root = apiUrl.replace(/\/+$/, '')
  try {
    return await look(root)
  } catch (error) {
    if (isOwnFault(error)) return [fault(ownFault('Slack', error))]
    const why = error instanceof Error ? error.message : String(error)
    return [fault(`Slack can't be reached at ${root} (${why}). Check the network and SLACK_API_URL`)]
  }
}

async function botFindings(
  root: string,
  options: Pick<SlackOptions, 'botToken' | 'fileHosts'>,
): Promise<readonly SlackFinding[]> {
  const bot = await call(root, 'auth.test', options.botToken)
  if (bot.error !== undefined)
    return [
      fault(`Slack refuses SLACK_BOT_TOKEN (${bot.error}). Copy the bot token from "OAuth & Permissions"`, 'oauth'),
    ]
  const good = { ok: true, text: `Slack: the bot token is good, for the workspace ${bot.team ?? '?'}` }
  return [good, scopeFinding(bot.scopes), ...(await fileFindings(root, options))]
}

export function scopeFinding(scopes: readonly string[] | undefined): SlackFinding {
  if (scopes === undefined) return { ok: true, text: 'Slack: does not tell the scopes of the token here' }
  const missing = SCOPES.filter((scope) => !scopes.includes(scope))
  if (missing.length === 0) return { ok: true, text: `Slack: the token has all ${SCOPES.length} scopes` }
  return fault(
    `Slack: the token lacks ${missing.join(', ')}. Paste the manifest again ("App Manifest"), then install the app again ("Install App")`,
    'app-manifest',
  )
}

/** Tries the newest file that the app can see; without a file it finds nothing. */
async function fileFindings(
  root: string,
  { botToken, fileHosts }: Pick<SlackOptions, 'botToken' | 'fileHosts'>,
): Promise<readonly SlackFinding[]> {
  const { files } = await call(root, 'files.list?count=1', botToken)
  const url = URL.parse(files.flatMap((file) => text(file, 'url_private_download') ?? [])[0] ?? '')
  if (url === null) return []
  if (!isAllowedHost(url, allowedHosts(fileHosts)))
    return [
      fault(`Slack: a file lies on ${url.host}, and Footbridge takes no files from there. Allow it with FILE_HOSTS`),
    ]
  const headers = { authorization: `Bearer ${botToken}` }
  const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(CHECK_MS) })
  const reader = response.body?.getReader()
  const page = Buffer.from((await reader?.read())?.value ?? new Uint8Array()).toString('latin1')
  await reader?.cancel()
  const isLogin = /html/i.test(response.headers.get('content-type') ?? '') && /<title>[^<]{0,100}\bslack\b/i.test(page)
  return response.ok && !isLogin
    ? [{ ok: true, text: 'Slack: gives out files' }]
    : [fault('Slack gives Footbridge no files. Add the scope files:read to the app and install it again', 'oauth')]
}

export async function eventFinding(
  root: string,
  { appToken, signingSecret, isAlone = false, lookAgainMs }: EventCheck,
): Promise<SlackFinding> {
  if (appToken === undefined) {
    if (signingSecret !== undefined && /^[0-9a-f]{32}$/.test(signingSecret))
      return {
        ok: true,
        text: 'Slack: events come over HTTP; "Event Subscriptions" shows whether the address is verified',
      }
    return fault(
      'Slack: SLACK_SIGNING_SECRET does not look like a signing secret. Copy it from "Basic Information"',
      'general',
    )
  }
  const { error, url } = await call(root, 'apps.connections.open', appToken)
  if (error === undefined) {
    const others = isAlone ? await findOthers(root, appToken, url, lookAgainMs) : undefined
    if (others !== undefined) return fault(`Slack: ${others}`)
    return { ok: true, text: 'Slack: the app-level token opens Socket Mode connections' }
  }
  return fault(
    `Slack refuses SLACK_APP_TOKEN (${error}). Make one with connections:write in "Basic Information", and switch on "Socket Mode"`,
    'general',
  )
}

/** A sentence where each of several looks finds another connection. @param url of the first look */
async function findOthers(root: string, appToken: string, url: string | undefined, lookAgainMs = LOOK_AGAIN_MS) {
  let at = url
  for (let look = 1; look <= LOOKS; look += 1) {
    if (look > 1) {
      await sleep(lookAgainMs)
      at = (await call(root, 'apps.connections.open', appToken)).url
    }
    const connections = at === undefined ? undefined : await connectionsAt(at)
    if (connections === 'refused') return FULL
    if (connections === undefined || connections <= 1) return undefined
    if (connections >= MAX_LOOKED_AT) return UNSURE
  }
  return UNSURE
}

/** The connections of the app, with this one; undefined: Slack does not say. Events that come meanwhile are sent again elsewhere. */
async function connectionsAt(url: string): Promise<number | 'refused' | undefined> {
  const socket = new WebSocket(url)
  const hello = Promise.withResolvers<number | 'refused' | undefined>()
  socket.addEventListener('message', ({ data }) => hello.resolve(isOneTooMany(data) ? 'refused' : connectionsIn(data)))
  for (const end of ['error', 'close']) socket.addEventListener(end, () => hello.resolve(undefined))
  try {
    return await waitAtMost(HELLO_MS, hello.promise)
  } finally {
    socket.close()
  }
}

export const fault = (words: string, page?: string): SlackFinding => ({
  ok: false,
  text: page === undefined ? words : `${words}: ${APPS} → your app → ${page}`,
})

/** @param token undefined: the call names the app instead */
export async function call(root: string, method: string, token: string | undefined, args: Record<string, string> = {}) {
  const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` }
  const body = new URLSearchParams(args)
  const signal = AbortSignal.timeout(CHECK_MS)
  const response = await fetch(`${root}/${method}`, { method: 'POST', headers, body, redirect: 'error', signal })
  const answer = parseFields(await response.text())
  if (answer['ok'] !== true && text(answer, 'error') === undefined)
    throw new AdapterError('network', `${method} was answered with HTTP ${response.status}`)
  return {
    error: answer['ok'] === true ? undefined : text(answer, 'error'),
    team: text(answer, 'team'),
    url: text(answer, 'url'),
    files: list(answer, 'files'),
    scopes: response.headers
      .get('x-oauth-scopes')
      ?.split(',')
      .map((scope) => scope.trim()),
  }
}
