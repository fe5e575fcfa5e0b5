import type { InstallPage } from '../outbound/texts.ts'
import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { WebClient } from '@slack/web-api'
import { AdapterError } from '#bridge/port/errors.ts'
import type { Clock, Log } from '#bridge/port/platform.ts'
import type { State } from '#bridge/port/state.ts'
import { addressOf, createAttempts } from '#adapters/shared/attempts.ts'
import { type Fields, number, text, toFields } from '#adapters/shared/json.ts'
import { type ApiOptions, createApi, fixed, REPEATABLE_NOW, type SdkLogger, toClientOptions } from '../api.ts'
import { AT_ONCE } from '../calls/call-order.ts'
import { REDIRECT_PATH } from '../config.ts'
import { slackCode, toAdapterError } from '../errors.ts'
import { ALL_SCOPES } from '../manifest.ts'
import type { Installation } from './installations.ts'
import { renderPage } from './install-page.ts'

const INSTALL_PATH = '/slack/install'
const START_PATH = '/slack/install/start'

/** Settings of an app that several workspaces install. */
export interface OAuthOptions extends ApiOptions {
  readonly clientId: string
  readonly clientSecret: string
  /** Outside address, without a slash at its end. */
  readonly publicUrl: string
  /** Where people allow the app. Default Slack's page. */
  readonly authorizeUrl?: string
  readonly log: Log
  readonly clock?: Clock
}

interface OAuthParts {
  readonly options: OAuthOptions
  readonly logger: SdkLogger
  /** States of installations that are done. */
  readonly states: State
  /** Called with a new installation; it is stored when this resolves. */
  readonly installed: (installation: Installation) => Promise<void>
}

const STATE_MS = 600_000
const TOKEN = /^[\w-]{43}$/
/** Until when it is good, something random, and the signature. */
const STATE = /^(\d{13}\.[\w-]{22})\.([\w-]{43})$/

const random = (bytes: number) => randomBytes(bytes).toString('base64url')
const hash = (words: string) => createHash('sha256').update(words).digest('base64url')

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Token in Slack's answer, at an installation and at each rotation. */
function readToken(answer: Fields, now: number): Pick<Installation, 'botToken' | 'refreshToken' | 'expiresAt'> {
  const botToken = text(answer, 'access_token')
  if (botToken === undefined)
    throw new AdapterError('invalid', 'Slack gave no bot token. Check the scopes of the app ("OAuth & Permissions").')
  const lifetimeS = number(answer, 'expires_in')
  const expiresAt = lifetimeS === undefined ? undefined : now + lifetimeS * 1000
  return { botToken, refreshToken: text(answer, 'refresh_token'), expiresAt }
}

/**
 * States that are signed for one browser. Nothing is kept of one that was begun: everybody may press the button, as often
 * as they like.
 */
function createStates({ clientSecret, clock = Date.now }: OAuthOptions) {
  const key = Buffer.from(hkdfSync('sha256', clientSecret, 'footbridge', 'slack installation state', 32))
  const sign = (words: string, cookie: string) =>
    createHmac('sha256', key).update(`${words}.${cookie}`).digest('base64url')
  return {
    make(cookie: string): string {
      const words = `${clock() + STATE_MS}.${random(16)}`
      return `${words}.${sign(words, cookie)}`
    },
    /** How long it is still good for this browser, milliseconds; 0: not at all. */
    leftMs(state: string, cookie: string): number {
      const [, words = '', signature = ''] = STATE.exec(state) ?? []
      return isSame(signature, sign(words, cookie)) ? Math.max(0, Number(words.split('.')[0]) - clock()) : 0
    },
  }
}

/** The pages on which a workspace installs Footbridge. `address` is that of the peer. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createOAuth(parts: OAuthParts): { fetch(request: Request, address?: string): Promise<Response> } {
  const { options } = parts
  const isSecure = options.publicUrl.startsWith('https:')
  // A browser takes a cookie of this prefix only from this very host.
  const cookieName = isSecure ? '__Host-footbridge-install' : 'footbridge-install'
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${STATE_MS / 1000}${isSecure ? '; Secure' : ''}`
  const states = createStates(options)
  // Slack counts the exchanges of all, and a guessed code is one.
  const attempts = createAttempts(options.clock ?? Date.now)

  const cookieOf = (request: Request): string | undefined => {
    const cookies = (request.headers.get('cookie') ?? '').split(/;\s*/)
    const value = cookies.find((one) => one.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1)
    return value !== undefined && TOKEN.test(value) ? value : undefined
  }

  function start(request: Request): Response {
    const cookie = cookieOf(request) ?? random(32)
    const address = new URL(options.authorizeUrl ?? 'https://slack.com/oauth/v2/authorize')
    const { clientId, publicUrl } = options
    const query = {
      client_id: clientId,
      scope: ALL_SCOPES.join(','),
      redirect_uri: `${publicUrl}${REDIRECT_PATH}`,
      state: states.make(cookie),
    }
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
    const headers = { location: address.href, 'set-cookie': `${cookieName}=${cookie}; ${attributes}`, ...PRIVATE }
    return new Response(null, { status: 302, headers })
  }

  async function finish(request: Request, peer: string): Promise<Response> {
    const query = new URL(request.url).searchParams
    const state = query.get('state') ?? ''
    const leftMs = states.leftMs(state, cookieOf(request) ?? '')
    const used = hash(state)
    if (leftMs === 0 || (await parts.states.get(used)) !== undefined) return show(request, 'stale')
    const code = query.get('code')
    if (code === null) return show(request, 'denied')
    const caller = { address: addressOf(request.headers, peer, true) }
    if (attempts.begin(caller) > 0) return show(request, 'busy')
    try {
      const installation = await redeem(parts, code)
      attempts.succeeded(caller)
      // Slack takes a code once, so the same address visited twice ends here once, whatever is stored.
      await parts.states.set(used, true, leftMs)
      await parts.installed(installation)
      options.log.info({ team: installation.workspace }, 'Footbridge was installed in a Slack workspace')
      return show(request, 'done', installation)
    } catch (error) {
      options.log.warn({ err: error }, 'An installation in Slack failed: npm run doctor checks the app')
      return show(request, slackCode(error) === 'invalid_code' ? 'stale' : 'failed')
    }
  }

  return {
    async fetch(request, address = '') {
      const { pathname } = new URL(request.url)
      if (request.method !== 'GET' && request.method !== 'HEAD') return new Response(null, { status: 405 })
      try {
        if (pathname === START_PATH) return start(request)
        if (pathname === REDIRECT_PATH) return await finish(request, address)
        return show(request, 'begin')
      } catch (error) {
        options.log.error(
          { err: error },
          'An installation in Slack failed: its state could not be read. Check disk and database',
        )
        return show(request, 'failed')
      }
    },
  }
}

/** The address of the redirect holds a code. */
const PRIVATE = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

function show(request: Request, page: InstallPage, installation?: Installation): Response {
  const { status, html, policy } = renderPage(page, request.headers.get('accept-language') ?? '', {
    start: START_PATH,
    install: INSTALL_PATH,
    name: installation?.name,
    workspace: installation?.workspace,
  })
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy, ...PRIVATE }
  return new Response(html, { status, headers: { ...headers, 'x-content-type-options': 'nosniff' } })
}

/** Exchanges a refresh token for the next pair. Slack takes each once, and for a short while more: a lost answer is asked for again. */
export function createRefresh(options: OAuthOptions, logger: SdkLogger) {
  const app = createApi(options, logger, fixed(''), AT_ONCE)
  return async (installation: Installation): Promise<Installation> => {
    const { clientId, clientSecret, clock = Date.now } = options
    const { refreshToken = '', workspace } = installation
    const names = { client_id: clientId, client_secret: clientSecret, refresh_token: refreshToken }
    const args = { ...names, grant_type: 'refresh_token' } as const
    const exchange = app.call('oauth.v2.access', (web) => web.oauth.v2.access(args), REPEATABLE_NOW)
    const answer = toFields(
      await exchange.catch((error: unknown) => {
        if (!/^invalid_(refresh_token|grant)$/.test(slackCode(error) ?? '')) throw error
        const remedy = `Install Footbridge there again: ${options.publicUrl}${INSTALL_PATH}`
        throw new AdapterError('unauthorized', `Slack gives no new token for the workspace ${workspace}. ${remedy}`, {
          cause: error,
        })
      }),
    )
    const places = [toFields(answer['team']), toFields(answer['enterprise'])].map((place) => text(place, 'id'))
    if (!places.includes(workspace))
      throw new AdapterError('invalid', 'Slack renewed the token of another workspace than was asked for.')
    return { ...installation, ...readToken(answer, clock()) }
  }
}

/** Exchanges the code for a token, and asks Slack whose it is. */
async function redeem({ options, logger }: OAuthParts, code: string): Promise<Installation> {
  const { clientId, clientSecret, publicUrl, clock = Date.now } = options
  const args = { client_id: clientId, client_secret: clientSecret, redirect_uri: `${publicUrl}${REDIRECT_PATH}`, code }
  const anybody = new WebClient(undefined, toClientOptions(options, logger))
  const answer = toFields(
    await anybody.oauth.v2.access(args).catch((error: unknown) => {
      throw toAdapterError(error, 'oauth.v2.access', false)
    }),
  )
  const token = readToken(answer, clock())
  const bot = new WebClient(token.botToken, toClientOptions(options, logger))
  const who = await bot.auth.test().catch((error: unknown) => {
    throw toAdapterError(error, 'auth.test', false)
  })
  const isOrganization = answer['is_enterprise_install'] === true
  const place = toFields(answer[isOrganization ? 'enterprise' : 'team'])
  const workspace = text(place, 'id')
  if (workspace === undefined || workspace !== (isOrganization ? who.enterprise_id : who.team_id))
    throw new AdapterError('invalid', 'Slack gave a token of another workspace than it says.')
  return {
    ...token,
    workspace,
    name: text(place, 'name') ?? workspace,
    userId: who.user_id ?? text(answer, 'bot_user_id') ?? '',
    botId: who.bot_id ?? '',
    installedAt: clock(),
  }
}
