/** The HTTP side of the Slack double: `/api/<method>` and `/files/<id>/<name>`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Away, awayAnswer } from './away.ts'
import { checkChildren } from './blocks.ts'
import { chatMethods, checkContents, type Method, type MethodContext } from './chat.ts'
import type { Faults } from './faults.ts'
import { isMethod, scopeFor, unknownFields } from './fields.ts'
import { readMethods, readPause } from './reads.ts'
import { roomMethods } from './rooms.ts'
import { entityMethods } from './entities.ts'
import { sessionMethods } from './sessions.ts'
import { streamMethods } from './streams.ts'
import { uploadMethods } from './uploads.ts'
import { viewMethods } from './views.ts'
import { isJson, Refusal, type Call, type Fault, type Json } from './types.ts'

export interface HttpSide {
  readonly context: MethodContext
  readonly faults: Faults
  readonly calls: Call[]
  readonly botToken: string
  readonly appToken: string
  /** Address of a fresh Socket Mode connection. */
  readonly openConnection: () => string
  readonly changed: () => void
  readonly away: () => Away | undefined
}

const methods: Readonly<Record<string, Method>> = {
  ...chatMethods,
  ...entityMethods,
  ...sessionMethods,
  ...streamMethods,
  ...readMethods,
  ...roomMethods,
  ...viewMethods,
  ...uploadMethods,
}
const loginPage =
  '<!DOCTYPE html><html><head><title>Sign in | Slack</title></head><body>Sign in to your workspace</body></html>'

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

function decodeField(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Free text is never decoded: an answer may begin with a brace. */
const literal = new Set(['text', 'markdown_text', 'status', 'ts', 'thread_ts', 'token'])

function parseArgs(body: string, contentType: string): Json {
  if (contentType.startsWith('application/json')) {
    const parsed: unknown = body === '' ? {} : JSON.parse(body)
    return isJson(parsed) ? parsed : {}
  }
  const args: Json = {}
  for (const [name, value] of new URLSearchParams(body)) args[name] = literal.has(name) ? value : decodeField(value)
  return args
}

function checkToken(side: HttpSide, method: string, header: string | undefined, args: Json) {
  const token = header?.replace(/^Bearer /, '') ?? args['token']
  if (token === undefined || token === '') throw new Refusal('not_authed')
  const wanted = method === 'apps.connections.open' ? side.appToken : side.botToken
  if (token !== wanted)
    throw new Refusal(token === side.appToken || token === side.botToken ? 'not_allowed_token_type' : 'invalid_auth')
}

function perform(side: HttpSide, method: string, header: string | undefined, args: Json): Json {
  try {
    if (!isMethod(method)) throw new Refusal('unknown_method', { req_method: method })
    checkToken(side, method, header, args)
    const { workspace } = side.context
    const needed = scopeFor(method, workspace.channels.get(String(args['channel'] ?? args['channel_id']))?.kind)
    if (needed !== undefined && workspace.scopes?.includes(needed) === false)
      throw new Refusal('missing_scope', { needed, provided: workspace.scopes.join(',') })
    const unknown = unknownFields(method, args)
    if (unknown.length > 0)
      throw new Refusal('invalid_arguments', {
        response_metadata: { messages: unknown.map((name) => `[ERROR] unknown field ${name}`) },
      })
    if (method === 'apps.connections.open') return { ok: true, url: side.openConnection() }
    checkChildren(args['blocks'], workspace)
    const run = methods[method]
    if (run === undefined) throw new Refusal('unknown_method', { req_method: method })
    return { ok: true, ...run(args, side.context) }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, error: error.code, ...error.extra }
    throw error
  }
}

function send(
  response: ServerResponse,
  call: Call | undefined,
  status: number,
  body: string,
  headers: Record<string, string>,
) {
  if (call !== undefined) call.status = status
  response.writeHead(status, headers).end(body)
}

const delay = async (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref())

/** True when the fault has taken care of the answer. */
async function suffer(
  fault: Fault | undefined,
  response: ServerResponse,
  call: Call | undefined,
  act: () => void,
): Promise<boolean> {
  if (fault === undefined || 'pass' in fault) return false
  if ('delayMs' in fault) {
    await delay(fault.delayMs)
    return false
  }
  if ('until' in fault) {
    await fault.until
    return false
  }
  if ('hang' in fault) {
    if (fault.perform === true) act()
    return true
  }
  if ('drop' in fault) {
    if (fault.drop === 'after') act()
    response.destroy()
    return true
  }
  if ('error' in fault) {
    if (call !== undefined) call.error = fault.error
    send(response, call, 200, JSON.stringify({ ok: false, error: fault.error, ...fault.extra }), {
      'content-type': 'application/json',
    })
    return true
  }
  if ('html' in fault) {
    send(response, call, 200, loginPage, { 'content-type': 'text/html' })
    return true
  }
  if ('redirect' in fault) {
    send(response, call, 302, '', { location: fault.redirect })
    return true
  }
  if (call !== undefined) call.error = fault.status === 429 ? 'ratelimited' : `http_${fault.status}`
  const retry: Record<string, string> =
    fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) }
  send(response, call, fault.status, fault.body ?? '{"ok":false,"error":"ratelimited"}', {
    'content-type': fault.type ?? 'application/json',
    ...retry,
  })
  return true
}

async function serveMethod(side: HttpSide, method: string, request: IncomingMessage, response: ServerResponse) {
  const contentType = request.headers['content-type'] ?? ''
  const args = parseArgs(await readBody(request), contentType)
  const call: Call = { method, args, at: Date.now(), contentType, status: 0 }
  side.calls.push(call)
  const away = awayAnswer(side.away(), method)
  if (away === null) return
  if (away !== undefined) return send(response, call, away.status, away.body, { ...away.headers })
  const act = () => {
    const answer = perform(side, method, request.headers.authorization, args)
    if (answer['ok'] === false) call.error = String(answer['error'])
    return answer
  }
  const retryAfter = readPause(side.context.workspace, method)
  const fault = retryAfter === undefined ? side.faults.next(method) : { status: 429, retryAfter }
  if (!(await suffer(fault, response, call, act))) {
    const scopes = side.context.workspace.scopes
    send(response, call, 200, JSON.stringify(act()), {
      'content-type': 'application/json; charset=utf-8',
      ...(scopes === undefined ? {} : { 'x-oauth-scopes': scopes.join(',') }),
    })
  }
  side.changed()
}

async function serveFile(side: HttpSide, id: string, request: IncomingMessage, response: ServerResponse) {
  const file = side.context.workspace.files.get(id)
  side.calls.push({
    method: `file:${id}`,
    args: { authorization: request.headers.authorization },
    at: Date.now(),
    contentType: '',
    status: 0,
  })
  const call = side.calls.at(-1)
  if (await suffer(side.faults.next(`file:${id}`), response, call, () => {})) return side.changed()
  if (file === undefined) send(response, call, 404, 'not found', { 'content-type': 'text/plain' })
  // Slack answers a wrong token or a missing scope with its login page and 200.
  else if (request.headers.authorization !== `Bearer ${side.botToken}`)
    send(response, call, 200, loginPage, { 'content-type': 'text/html' })
  else {
    if (call !== undefined) call.status = 200
    response.writeHead(200, {
      'content-type': file.record.mimetype === '' ? 'application/octet-stream' : file.record.mimetype,
      'content-length': String(file.bytes.length),
    })
    response.end(file.bytes)
  }
  side.changed()
}

/** The address is the credential: no token is to come along. */
async function takeUpload(side: HttpSide, id: string, request: IncomingMessage, response: ServerResponse) {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const bytes = Buffer.concat(parts)
  const upload = side.context.workspace.uploads.get(id)
  const { authorization } = request.headers
  side.calls.push({
    method: `upload:${id}`,
    args: { authorization },
    at: Date.now(),
    contentType: request.headers['content-type'] ?? '',
    status: 200,
  })
  const fits = upload !== undefined && bytes.length === upload.length && authorization === undefined
  if (fits) upload.bytes = bytes
  response.writeHead(fits ? 200 : 400).end(fits ? `OK - ${bytes.length}` : 'no')
  side.changed()
}

/** https://docs.slack.dev/interactivity/handling-user-interaction: "up to 5 times within 30 minutes". */
async function takeResponse(side: HttpSide, id: string, request: IncomingMessage, response: ServerResponse) {
  const args = parseArgs(await readBody(request), request.headers['content-type'] ?? '')
  const { workspace } = side.context
  const address = workspace.responses.get(id)
  const isGood = address !== undefined && address.left > 0 && request.headers.authorization === undefined
  side.calls.push({ method: 'response', args, at: Date.now(), contentType: '', status: isGood ? 200 : 404 })
  if (isGood) {
    address.left -= 1
    const contents = checkContents(args)
    const original = args['replace_original'] === true ? workspace.message(address.channel, address.ts) : undefined
    if (original !== undefined) Object.assign(original, { text: contents.text, blocks: contents.blocks })
    else
      workspace.insert({
        channel: address.channel,
        user: workspace.botUserId,
        botId: workspace.botId,
        text: contents.text,
        blocks: contents.blocks,
        files: [],
        ephemeralTo: address.user,
      })
  }
  response.writeHead(isGood ? 200 : 404).end(isGood ? 'ok' : 'used_url')
  side.changed()
}

export async function serve(side: HttpSide, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const [, area = '', name = ''] = pathname.split('/')
  if (area === 'api' && request.method === 'POST') return serveMethod(side, name, request, response)
  if (area === 'upload' && request.method === 'POST') return takeUpload(side, name, request, response)
  if (area === 'response' && request.method === 'POST') return takeResponse(side, name, request, response)
  if (area === 'files' && request.method === 'GET') return serveFile(side, name, request, response)
  response.writeHead(404).end()
}
