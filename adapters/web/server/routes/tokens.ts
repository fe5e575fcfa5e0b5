import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { createBodyPool } from '#lib/read-limited.ts'
import type { AccessTokens, PersonRef, TokenInfo } from '#bridge/port/person-access.ts'
import { ADAPTER, PERSON_ID, WORKSPACE } from '../inbound.ts'
import { plainDocument } from '../page-assets.ts'
import { RequestFailure } from '../responses.ts'
import { readBody, type RouteServices } from './requests.ts'

export const PERSON: PersonRef = { adapter: ADAPTER, workspace: WORKSPACE, personId: PERSON_ID }
const MAX_FORM_BYTES = 4 * 1024
const FORMS = { bodies: 20, bytes: 64 * 1024 } as const

const tooLong = () => new RequestFailure(413, 'too-large', 'This is too long for a name.')

/** A page without scripts: tokens for programs of the person at the page, each shown once. */
export function addTokenRoutes(app: Hono, { tokens, loginTimeoutMs }: RouteServices): void {
  if (tokens === undefined) return
  const bodies = createBodyPool({ ...FORMS, timeoutMs: loginTimeoutMs })
  const nameOf = async (context: Context) => {
    const body = await readBody(context.req.raw, bodies, MAX_FORM_BYTES, tooLong)
    return new URLSearchParams(body.toString('utf8')).get('name')?.trim() ?? ''
  }
  app.get('/connect', async (context) => show(context, tokens))
  app.post('/connect', async (context) => {
    const name = await nameOf(context)
    if (name === '') return show(context, tokens, { status: 400, line: refusal('Give the program a name.') })
    return show(context, tokens, resultOf(name, await tokens.make(PERSON, name)))
  })
  app.post('/connect/end', async (context) => {
    await tokens.revoke(PERSON, await nameOf(context))
    return context.redirect('/connect', 303)
  })
}

/** The outcome of a form. */
interface Result {
  readonly status: 200 | 400 | 409
  readonly line: ReturnType<typeof html>
}

const day = (at: number) => new Date(at).toISOString().slice(0, 10)

const lineOf = ({ name, createdAt, usedAt, host }: TokenInfo) => {
  const made = host === undefined ? ', made' : ` (${host}), signed in`
  const used = usedAt === undefined ? 'never used' : `last used ${day(usedAt)}`
  return html`<li>
    <b>${name}</b>${made} ${day(createdAt)}, ${used}
    <form method="post" action="/connect/end">
      <input type="hidden" name="name" value="${name}" /><button type="submit">End</button>
    </form>
  </li>`
}

const refusal = (sentence: string) => html`<p role="alert">${sentence}</p>`

const resultOf = (name: string, token: string | undefined): Result =>
  token === undefined
    ? {
        status: 409,
        line: refusal(`You already have a token ${name}, or you have reached the limit: use another name, or end one.`),
      }
    : { status: 200, line: html`<p role="status">Token <b>${name}</b>, shown only once: <code>${token}</code></p>` }

function contentOf(address: string, known: readonly TokenInfo[], result: Result | undefined) {
  return html`<h1>Programs that read for you</h1>
    <p>
      A token lets a program (Claude, ChatGPT, Cursor …) read what you may read here. It ends after a year. The address
      for it is <code>${address}</code>.
    </p>
    ${result?.line ?? ''}
    <form method="post" action="/connect">
      <label for="name">Name of the program</label>
      <input id="name" name="name" maxlength="60" required />
      <button type="submit">Make a token</button>
    </form>
    <ul>
      ${known.map(lineOf)}
    </ul>
    <p><a href="/">Back to the page</a></p>`
}

async function show(context: Context, tokens: AccessTokens, result?: Result): Promise<Response> {
  // With `no-referrer` the browser would send `Origin: null` with a form.
  context.header('referrer-policy', 'same-origin')
  context.header('cache-control', 'no-store')
  const known: readonly TokenInfo[] = await tokens.list(PERSON)
  const content = await contentOf(tokens.address, known, result)
  return context.html(plainDocument('Programs', content.toString()), result?.status ?? 200)
}
