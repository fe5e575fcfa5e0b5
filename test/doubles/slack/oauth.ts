/** Slack's side of an installation: codes, bot tokens, rotation. https://docs.slack.dev/authentication/installing-with-oauth */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Json } from './types.ts'

export interface OAuthSide {
  readonly clientId: string
  readonly clientSecret: string
  /** Tokens of later installations expire after 12 hours. */
  rotates: boolean
  /** Scopes that the last installation asked for. */
  scopes: readonly string[]
  /** The answer to every exchange of a code or a refresh token. */
  readonly exchanges: Json[]
  /** `Authorization` of every exchange; Slack documents none. */
  readonly authorizations: (string | undefined)[]
  /** Scripted answers of the next exchanges. `drop`: Slack has done it, and the answer is lost. */
  readonly faults: (Json | 'drop')[]
  /** A person allows the app on Slack's page: the address to which the browser is sent back. */
  allow(authorizeUrl: string, team: string, choice?: { readonly denied?: boolean }): string
  /** The workspace of a good token. */
  teamOf(token: string): string | undefined
  /** Slack's word for a token that is not good. */
  refusalOf(token: string): string
  revoke(team: string): void
  exchange(request: IncomingMessage): Promise<{ readonly status: number; readonly body: Json }>
}

interface Code {
  readonly team: string
  readonly redirect: string
  readonly at: number
}

/** Codes expire after ten minutes, tokens after twelve hours. */
const CODE_MS = 600_000
const TOKEN_S = 43_200
/** "The refresh token you used is revoked after a short grace period": https://docs.slack.dev/authentication/using-token-rotation */
const GRACE_MS = 30_000
/** "We will enforce a limit of 2 active tokens": the oldest go, same page. */
const MAX_TOKENS = 2

const random = (prefix: string) => `${prefix}-${randomBytes(18).toString('base64url')}`
const refuse = (error: string): Json => ({ ok: false, error })

/** @param botOf the bot of a workspace, as people mention it */
export function createOAuthSide(clock: () => number, botOf: (team: string) => string): OAuthSide {
  const clientId = '1234567890.987654'
  const clientSecret = randomBytes(16).toString('hex')
  const codes = new Map<string, Code>()
  const tokens = new Map<string, { readonly team: string; readonly until: number; isRevoked?: boolean }>()
  const refreshes = new Map<string, { readonly team: string; usedAt: number }>()

  function issue(team: string): Json {
    const token = random(side.rotates ? 'xoxe.xoxb' : 'xoxb')
    tokens.set(token, { team, until: side.rotates ? clock() + TOKEN_S * 1000 : Infinity })
    const rotating = side.rotates ? { refresh_token: random('xoxe'), expires_in: TOKEN_S } : {}
    if (rotating.refresh_token !== undefined) refreshes.set(rotating.refresh_token, { team, usedAt: Infinity })
    const live = [...tokens.values()].filter((one) => one.team === team && one.isRevoked !== true)
    for (const known of live.slice(0, -MAX_TOKENS)) known.isRevoked = true
    return {
      ok: true,
      app_id: 'A0APP',
      access_token: token,
      token_type: 'bot',
      scope: side.scopes.join(','),
      bot_user_id: botOf(team),
      // An id that begins with E is an organization.
      team: team.startsWith('E') ? null : { id: team, name: `Team ${team}` },
      enterprise: team.startsWith('E') ? { id: team, name: `Organization ${team}` } : null,
      is_enterprise_install: team.startsWith('E'),
      authed_user: { id: 'U0ADMIN' },
      ...rotating,
    }
  }

  function answer(args: URLSearchParams): Json {
    if (args.get('client_id') !== clientId) return refuse('invalid_client_id')
    if (args.get('client_secret') !== clientSecret) return refuse('bad_client_secret')
    if (args.get('grant_type') === 'refresh_token') {
      const known = refreshes.get(args.get('refresh_token') ?? '')
      if (known === undefined || clock() - known.usedAt > GRACE_MS) return refuse('invalid_refresh_token')
      known.usedAt = Math.min(known.usedAt, clock())
      return issue(known.team)
    }
    const code = codes.get(args.get('code') ?? '')
    if (code === undefined || clock() - code.at > CODE_MS) return refuse('invalid_code')
    codes.delete(args.get('code') ?? '')
    if (code.redirect !== args.get('redirect_uri')) return refuse('bad_redirect_uri')
    return issue(code.team)
  }

  const side: OAuthSide = {
    clientId,
    clientSecret,
    rotates: false,
    scopes: [],
    exchanges: [],
    authorizations: [],
    faults: [],
    allow(authorizeUrl, team, { denied = false } = {}) {
      const { searchParams: asked } = new URL(authorizeUrl)
      if (asked.get('client_id') !== clientId) throw new Error('invalid_client_id')
      const redirect = asked.get('redirect_uri') ?? ''
      const back = new URL(redirect)
      back.searchParams.set('state', asked.get('state') ?? '')
      if (denied) back.searchParams.set('error', 'access_denied')
      else {
        const code = random('code')
        side.scopes = (asked.get('scope') ?? '').split(',')
        codes.set(code, { team, redirect, at: clock() })
        back.searchParams.set('code', code)
      }
      return back.href
    },
    teamOf(token) {
      const known = tokens.get(token)
      return known === undefined || known.isRevoked === true || known.until <= clock() ? undefined : known.team
    },
    refusalOf(token) {
      const known = tokens.get(token)
      return known === undefined ? 'invalid_auth' : known.isRevoked === true ? 'account_inactive' : 'token_expired'
    },
    revoke(team) {
      for (const known of tokens.values()) if (known.team === team) known.isRevoked = true
      for (const [refresh, owner] of refreshes) if (owner.team === team) refreshes.delete(refresh)
    },
    async exchange(request) {
      side.authorizations.push(request.headers.authorization)
      let body = ''
      for await (const part of request) body += String(part)
      const scripted = side.faults.shift()
      if (scripted !== undefined && scripted !== 'drop') return { status: 200, body: scripted }
      const said = answer(new URLSearchParams(body))
      side.exchanges.push(said)
      return scripted === 'drop' ? { status: 500, body: {} } : { status: 200, body: said }
    },
  }
  return side
}
