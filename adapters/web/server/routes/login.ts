import type { Context, Hono, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { createAttemptLimit, samePassword } from '../access.ts'
import { RequestFailure } from '../responses.ts'
import { loginDocument } from '../page-assets.ts'
import { limitBody, type RouteParts } from './requests.ts'
import { SESSION_MS } from '../store/store.ts'

const COOKIE = 'footbridge_session'

/** Before the login nobody may make us read much. */
const limit = limitBody(
  8 * 1024,
  () => new RequestFailure(413, 'too-large', 'This is too long for a password.'),
)

/** Login with the one password. Without a password everything is open, which is right on loopback only. */
export function createLogin(parts: RouteParts): { guard: MiddlewareHandler; addRoutes(app: Hono): void } {
  const { password, store, hub, clock, log } = parts
  const attempts = createAttemptLimit(clock)
  const loggedIn = (context: Context) => {
    const token = getCookie(context, COOKIE)
    return password === undefined || (token !== undefined && store.sessions.valid(token))
  }

  const guard: MiddlewareHandler = async (context, next) => {
    if (loggedIn(context)) return next()
    if (context.req.path === '/') return context.redirect('/login', 303)
    throw new RequestFailure(401, 'login-needed', 'Please log in again: your session is over.')
  }

  const logIn = async (context: Context, expected: string) => {
    const waitS = attempts.waitS()
    if (waitS > 0) {
      context.header('retry-after', String(waitS))
      return showForm(context, 429, `Too many wrong passwords. Try again in ${waitS} seconds.`)
    }
    const given = (await context.req.parseBody())['password']
    if (typeof given !== 'string' || !samePassword(given, expected)) {
      attempts.failed()
      log.warn({}, 'A login on the web page was refused: wrong password.')
      return showForm(context, 401, 'This is not the password. It is the one set as WEB_PASSWORD.')
    }
    attempts.succeeded()
    setCookie(context, COOKIE, store.sessions.create(), {
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
      maxAge: SESSION_MS / 1000,
      secure: isHttps(context.req.raw),
    })
    return context.redirect('/', 303)
  }

  return {
    guard,
    addRoutes(app) {
      app.get('/login', async (context) =>
        loggedIn(context) ? context.redirect('/', 303) : showForm(context, 200),
      )
      app.post('/login', limit, async (context) =>
        password === undefined ? context.redirect('/', 303) : logIn(context, password),
      )
      app.post('/logout', (context) => {
        const token = getCookie(context, COOKIE)
        if (token !== undefined) store.sessions.end(token)
        // Streams of this session in other tabs end too.
        hub.disconnect()
        deleteCookie(context, COOKIE, { path: '/' })
        return context.redirect('/login', 303)
      })
    },
  }
}

/** A proxy in front ends the TLS; a lie here only adds `Secure` to the liar's own cookie. */
function isHttps(request: Request): boolean {
  return new URL(request.url).protocol === 'https:' || request.headers.get('x-forwarded-proto') === 'https'
}

function showForm(context: Context, status: 200 | 401 | 429, failure?: string): Response | Promise<Response> {
  // `no-referrer` would make the browser send `Origin: null` with this form.
  context.header('referrer-policy', 'same-origin')
  context.header('cache-control', 'no-store')
  return context.html(loginDocument(failure), status)
}
