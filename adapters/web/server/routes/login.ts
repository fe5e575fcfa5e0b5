import type { Context, Hono, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { createBodyPool } from '#lib/read-limited.ts'
import { addressOf, type Caller, createAttempts } from '#adapters/shared/attempts.ts'
import { isPassword } from '../access.ts'
import { loginDocument } from '../page-assets.ts'
import { RequestFailure } from '../responses.ts'
import { DEVICE_MS, SESSION_MS } from '../store/sessions.ts'
import { readBody, type RouteServices } from './requests.ts'

const SESSION_COOKIE = 'footbridge_session'
const DEVICE_COOKIE = 'footbridge_device'
/** Paths that a browser opens: the login comes in their place. */
const PAGES: ReadonlySet<string> = new Set(['/', '/connect'])
/** Limits the body of an unauthenticated request. */
const MAX_LOGIN_BYTES = 8 * 1024
const LOGIN_BODIES = { bodies: 200, bytes: 1024 * 1024 } as const

/** Values passed along with a request. */
export interface RequestBindings {
  /** Address of the peer, as far as it is known. */
  readonly address?: string
}

export interface Login {
  readonly guard: MiddlewareHandler
  /** Compares a typed password; each wrong one counts. Undefined: it is right, or none is set. */
  check(context: Context, typed: string | null): Promise<LoginRefusal | undefined>
  addRoutes(app: Hono): void
}

/** Why nobody is let in. */
export interface LoginRefusal {
  readonly status: 401 | 429
  readonly sentence: string
}

/** Login with the one password. Without a password everything is open; only for loopback. */
export function createLogin(parts: RouteServices): Login {
  const { password, store, hub } = parts
  const { begin, logIn } = createPasswordCheck(parts)
  const loggedIn = async (context: Context) => {
    const token = sessionToken(context)
    return password === undefined || (token !== undefined && (await store.sessions.valid(token)))
  }
  return {
    async check(context, typed) {
      const attempt = await begin(context)
      return attempt.waiting ?? attempt.end(typed)
    },
    guard: async (context, next) => {
      if (await loggedIn(context)) return next()
      if (PAGES.has(context.req.path)) return context.redirect('/login', 303)
      throw new RequestFailure(401, 'login-needed', 'Please log in again: your session is over.')
    },
    addRoutes(app) {
      app.get('/login', async (context) => ((await loggedIn(context)) ? context.redirect('/', 303) : showForm(context)))
      app.post('/login', async (context) => (password === undefined ? context.redirect('/', 303) : logIn(context)))
      app.post('/logout', async (context) => {
        const token = sessionToken(context)
        if (token !== undefined) {
          await store.sessions.end(token)
          // Streams of this session in other tabs end too.
          hub.disconnect(token)
        }
        deleteCookie(context, SESSION_COOKIE, cookieOptions(context))
        return context.redirect('/login', 303)
      })
    },
  }
}

const tooLong = () => new RequestFailure(413, 'too-large', 'This is too long for a password.')

/** Secret of the session that a request belongs to. */
export function sessionToken(context: Context): string | undefined {
  return getCookie(context, SESSION_COOKIE, prefixOf(context))
}

function createPasswordCheck({ password, store, clock, log, loginTimeoutMs, publicHost }: RouteServices) {
  const attempts = createAttempts(clock)
  const bodies = createBodyPool({ ...LOGIN_BODIES, timeoutMs: loginTimeoutMs })
  /** Counted before the body is read, so that parallel requests count too. */
  async function begin(context: Context) {
    const caller = await callerOf(context, store.sessions, publicHost !== undefined)
    const waitS = attempts.begin(caller)
    if (waitS > 0) context.header('retry-after', String(waitS))
    const sentence = `Too many wrong passwords. Try again in ${waitS} seconds.`
    return {
      caller,
      waiting: waitS > 0 ? ({ status: 429, sentence } satisfies LoginRefusal) : undefined,
      end(typed: string | null): LoginRefusal | undefined {
        if (password !== undefined && (typed === null || !isPassword(typed, password))) {
          log.warn({}, 'A login on the web page was refused: wrong password')
          return { status: 401, sentence: 'This is not the password. It is the one set as WEB_PASSWORD.' }
        }
        attempts.succeeded(caller)
        return undefined
      },
    }
  }

  async function logIn(context: Context) {
    const attempt = await begin(context)
    const { caller, waiting } = attempt
    if (waiting) return showForm(context, waiting)
    const body = await readBody(context.req.raw, bodies, MAX_LOGIN_BYTES, tooLong)
    const refused = attempt.end(new URLSearchParams(body.toString('utf8')).get('password'))
    if (refused) return showForm(context, refused)
    const options = { ...cookieOptions(context), httpOnly: true, sameSite: 'Strict' } as const
    setCookie(context, SESSION_COOKIE, await store.sessions.create(), { ...options, maxAge: SESSION_MS / 1000 })
    if (caller.device === undefined)
      setCookie(context, DEVICE_COOKIE, await store.sessions.createDevice(), { ...options, maxAge: DEVICE_MS / 1000 })
    return context.redirect('/', 303)
  }

  return { begin, logIn }
}

async function callerOf(
  context: Context,
  sessions: RouteServices['store']['sessions'],
  proxied: boolean,
): Promise<Caller> {
  const token = getCookie(context, DEVICE_COOKIE, prefixOf(context))
  const device = token !== undefined && (await sessions.knowsDevice(token)) ? token : undefined
  const { address = '' } = (context.env ?? {}) as RequestBindings
  return { address: addressOf(context.req.raw.headers, address, proxied), device }
}

/** Whether the browser uses https, by the proxy's header; a forged one only makes the forger's own cookie stricter. */
function isHttps(context: Context): boolean {
  const { raw } = context.req
  return new URL(raw.url).protocol === 'https:' || raw.headers.get('x-forwarded-proto') === 'https'
}

/** `__Host-` binds a cookie to this host; browsers accept it over https only. */
function prefixOf(context: Context): 'host' | undefined {
  return isHttps(context) ? 'host' : undefined
}

function cookieOptions(context: Context) {
  const https = isHttps(context)
  return { path: '/', secure: https, prefix: https ? ('host' as const) : undefined }
}

function showForm(context: Context, refused?: LoginRefusal): Response | Promise<Response> {
  // With `no-referrer` the browser would send `Origin: null` with this form.
  context.header('referrer-policy', 'same-origin')
  context.header('cache-control', 'no-store')
  return context.html(loginDocument(refused?.sentence), refused?.status ?? 200)
}
