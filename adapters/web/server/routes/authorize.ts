import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { createBodyPool } from '#lib/read-limited.ts'
import type { SignInRequest } from '#bridge/port/sign-in.ts'
import { plainDocument } from '../page-assets.ts'
import { policyOf, RequestFailure } from '../responses.ts'
import type { Login } from './login.ts'
import { readBody, type RouteServices } from './requests.ts'
import { PERSON } from './tokens.ts'

const MAX_FORM_BYTES = 8 * 1024
const FORMS = { bodies: 20, bytes: 128 * 1024 } as const

const tooLong = () => new RequestFailure(413, 'too-large', 'This is too long for a password.')

/**
 * The page on which the person at the page lets a program read for them. It asks for the password itself: a browser
 * that comes from another site brings no session along.
 */
export function addAuthorizeRoutes(
  app: Hono,
  { signIn, password, loginTimeoutMs, log }: RouteServices,
  login: Pick<Login, 'check'>,
): void {
  if (signIn === undefined) return
  const bodies = createBodyPool({ ...FORMS, timeoutMs: loginTimeoutMs })
  const asks = password !== undefined
  const read = (context: Context) => signIn.read(new URL(context.req.url).searchParams)
  app.get(signIn.path, async (context) => {
    const asked = await read(context)
    return typeof asked === 'string' ? showRefusal(context, asked) : show(context, asked, { asks })
  })
  app.post(signIn.path, async (context) => {
    const asked = await read(context)
    if (typeof asked === 'string') return showRefusal(context, asked)
    const body = await readBody(context.req.raw, bodies, MAX_FORM_BYTES, tooLong)
    const form = new URLSearchParams(body.toString('utf8'))
    if (form.get('answer') === 'no') return leave(context, asked, signIn.refuse(asked))
    if (form.get('answer') !== 'yes') return show(context, asked, { asks })
    const refused = await login.check(context, form.get('password'))
    if (refused !== undefined) return show(context, asked, { asks, ...refused })
    const to = await signIn.allow(asked, PERSON)
    if (to === undefined)
      return show(context, asked, {
        asks,
        status: 409,
        sentence: 'You have reached the limit of tokens. End one at /connect, then allow this again.',
      })
    log.info({ program: asked.program, host: hostOf(asked) }, 'The person at the web page let a program read for them')
    return leave(context, asked, to)
  })
}

interface Shown {
  /** Whether the password is asked for. */
  readonly asks: boolean
  readonly status?: 401 | 409 | 429
  readonly sentence?: string
}

const hostOf = ({ redirectUri }: SignInRequest) => new URL(redirectUri).host

/** A form's answer may lead to the program alone: Chromium applies `form-action` to redirects, too. */
function guard(context: Context, { redirectUri }: SignInRequest): void {
  context.header('content-security-policy', policyOf(`'self' ${new URL(redirectUri).protocol}`))
  context.header('cache-control', 'no-store')
}

function leave(context: Context, asked: SignInRequest, to: string): Response {
  guard(context, asked)
  return context.redirect(to, 303)
}

const documentOf = async (content: ReturnType<typeof html>) =>
  plainDocument('A program signs in', (await content).toString())

async function showRefusal(context: Context, sentence: string): Promise<Response> {
  context.header('cache-control', 'no-store')
  const content = html`<h1>This program is not let in</h1>
    <p role="alert">${sentence}</p>`
  return context.html(await documentOf(content), 400)
}

async function show(context: Context, asked: SignInRequest, { asks, status, sentence }: Shown): Promise<Response> {
  guard(context, asked)
  // With `no-referrer` the browser would send `Origin: null` with a form.
  context.header('referrer-policy', 'same-origin')
  const host = hostOf(asked)
  const described = asked.host === undefined ? '' : html` (described at <b>${asked.host}</b>)`
  const where = asked.isLocal ? html`a program on this computer (<b>${host}</b>)` : html`<b>${host}</b>`
  const field = html`<label for="password">Password</label>
    <input id="password" name="password" type="password" autocomplete="current-password" autofocus />`
  const content = html`<h1>May ${asked.program} read for you?</h1>
    <p>
      A program that calls itself <b>${asked.program}</b>${described} wants to search, read and ask the files of all
      channels of this page. It cannot change anything. Its access ends after a year, when the password changes, or when
      you end it at <code>/connect</code>.
    </p>
    <p>Your browser then goes to ${where}. Allow this only if you have just started it yourself.</p>
    <form method="post">
      ${asks ? field : ''} ${sentence === undefined ? '' : html`<p class="login-failure" role="alert">${sentence}</p>`}
      <button type="submit" name="answer" value="yes">Allow</button>
      <button type="submit" name="answer" value="no">Do not allow</button>
    </form>`
  return context.html(await documentOf(content), status ?? 200)
}
