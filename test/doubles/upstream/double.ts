import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Refuse } from './quirks.ts'
import { answerChat, answerFault } from './chat.ts'
import {
  defaultAnswer,
  type FaultAnswer,
  type TranscriptAnswer,
  type UpstreamAnswer,
  type UpstreamRequest,
} from './script.ts'

/** An OpenAI-compatible model server on loopback that answers as it is told. */
export interface UpstreamDouble {
  /** Ends in `/v1`. */
  readonly baseUrl: string
  readonly origin: string
  /** Everything that was asked, in order. */
  readonly requests: readonly UpstreamRequest[]
  /** Queues answers after the waiting ones. Lists of models and embeddings take no answer from the queue. */
  script(...answers: readonly UpstreamAnswer[]): void
  /** From now on embeddings are made (or fail) like this; undefined: as at first, by the words of the text. */
  embedBy(how: EmbedBy | undefined): void
  /** The next request to this path that is not there yet. */
  next(path: string): Promise<UpstreamRequest>
  /** Idempotent; cuts what is open. */
  close(): Promise<void>
}

/** The vector of a text, or how the request for it fails. */
export type EmbedBy = ((text: string, model: string) => readonly number[]) | FaultAnswer

export interface UpstreamDoubleOptions {
  /** Ids in the list of models. */
  readonly models?: readonly string[]
  /** The day on which some of them are shut down, `YYYY-MM-DD`, by id; OpenAI says null of the others. */
  readonly shutdownDates?: Readonly<Record<string, string>>
  /** Those of them that take pictures. Default: the list does not tell. */
  readonly seeing?: readonly string[]
  /** Refuses every other key with 401. */
  readonly apiKey?: string
  /** Path of the interface: below others it has nothing, and says so as Go does. Default: `/v1`, and everywhere. */
  readonly root?: string
  /** Azure's dated versions: it answers only with this query, and takes its key as `api-key`. */
  readonly azure?: { readonly query: string }
  /** Refuses requests for chats. */
  readonly refuses?: Refuse
  /** Further fields of each model in the list. */
  readonly listed?: object
  /** Bodies of paths at the root of the server. */
  readonly routes?: Readonly<Record<string, object>>
  /** Makes the answers that are not scripted; undefined: the default answer. */
  readonly answerBy?: (request: UpstreamRequest) => UpstreamAnswer | undefined
}

const created = 1_760_000_000
const defaultModels = ['double-chat', 'double-embed', 'double-whisper']

async function readBody(message: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part as Buffer)
  return new Uint8Array(Buffer.concat(parts))
}

async function decode(type: string, bytes: Uint8Array<ArrayBuffer>): Promise<Partial<UpstreamRequest>> {
  if (type.startsWith('application/json')) {
    return { json: JSON.parse(Buffer.from(bytes).toString('utf8')) as Record<string, unknown> }
  }
  if (!type.startsWith('multipart/form-data')) return {}
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const fields: Record<string, string> = {}
  let file: UpstreamRequest['file']
  for (const [name, value] of form) {
    // Of a repeated field all values, with spaces between them.
    if (typeof value === 'string') fields[name] = [fields[name] ?? [], value].flat().join(' ')
    else file = { name: value.name, type: value.type, bytes: new Uint8Array(await value.arrayBuffer()) }
  }
  return { fields, ...(file === undefined ? {} : { file }) }
}

const sendJson = (response: ServerResponse, status: number, body: object) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const dimensions = 32

/** The same words give the same direction: enough to see that vectors went through. */
function embed(text: string): number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 0
    for (const character of word) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0
    vector[hash % dimensions] = (vector[hash % dimensions] ?? 0) + 1
  }
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}

function answerEmbeddings(
  request: UpstreamRequest,
  response: ServerResponse,
  vectorOf: (text: string, model: string) => readonly number[],
): void {
  const input = request.json?.['input']
  const texts = (Array.isArray(input) ? input : [input]).map(String)
  const model = String(request.json?.['model'])
  const asBase64 = request.json?.['encoding_format'] === 'base64'
  const data = texts.map((text, index) => {
    const vector = vectorOf(text, model)
    const embedding = asBase64 ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector
    return { object: 'embedding', index, embedding }
  })
  sendJson(response, 200, { object: 'list', model, data, usage: { prompt_tokens: 3, total_tokens: 3 } })
}

function answerTranscript(
  request: UpstreamRequest,
  response: ServerResponse,
  { text, segments, more }: TranscriptAnswer,
): void {
  const format = request.fields?.['response_format'] ?? 'json'
  if (format === 'text') {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`)
    return
  }
  if (format === 'srt' || format === 'vtt') {
    const stamp = format === 'srt' ? '1\n00:00:00,000 --> 00:00:01,000\n' : 'WEBVTT\n\n00:00.000 --> 00:01.000\n'
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(`${stamp}${text}\n`)
    return
  }
  const told = segments === null ? {} : { segments: segments ?? [{ id: 0, start: 0, end: 1, text }] }
  sendJson(
    response,
    200,
    format === 'json' ? { text } : { task: 'transcribe', language: 'en', duration: 1, text, ...told, ...more },
  )
}

/** Sound that tells what it says. */
function answerSpeech({ json }: UpstreamRequest, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(`sound of ${String(json?.['input'])}`)
}

export async function startUpstreamDouble(options: UpstreamDoubleOptions = {}): Promise<UpstreamDouble> {
  const requests: UpstreamRequest[] = []
  const waiting: UpstreamAnswer[] = []
  let embedBy: EmbedBy | undefined
  const watchers: { readonly path: string; readonly resolve: (request: UpstreamRequest) => void }[] = []

  function take(request: UpstreamRequest): UpstreamAnswer | undefined {
    const first = waiting.shift()
    return typeof first === 'function' ? first(request) : first
  }

  async function answer(request: UpstreamRequest, response: ServerResponse): Promise<void> {
    const key = options.azure === undefined ? request.headers['authorization'] : `Bearer ${request.headers['api-key']}`
    if (options.apiKey !== undefined && key !== `Bearer ${options.apiKey}`) {
      sendJson(response, 401, { error: { message: 'Incorrect API key provided', type: 'invalid_request_error' } })
      return
    }
    if (request.path === '/models') {
      const data = (options.models ?? defaultModels).map((id) => ({
        id,
        object: 'model',
        created,
        owned_by: 'double',
        ...options.listed,
        ...(options.shutdownDates && { shutdown_date: options.shutdownDates[id] ?? null }),
        ...(options.seeing?.includes(id) === true ? { input: ['text', 'image'] } : {}),
      }))
      sendJson(response, 200, { object: 'list', data })
      return
    }
    if (request.path === '/embeddings') {
      if (typeof embedBy === 'object') await answerFault(request, response, embedBy)
      else answerEmbeddings(request, response, embedBy ?? embed)
      return
    }
    const isVoice = request.path.startsWith('/audio/')
    if (!isVoice && request.path !== '/chat/completions') {
      sendJson(response, 404, { error: { message: `no route ${request.path}`, type: 'not_found' } })
      return
    }
    const refused = isVoice ? undefined : options.refuses?.(request.json ?? {})
    if (refused !== undefined) {
      sendJson(response, refused.status, refused.body)
      return
    }
    const said =
      take(request) ??
      options.answerBy?.(request) ??
      (isVoice ? { kind: 'transcript' as const, text: 'what was said' } : defaultAnswer(request))
    if (typeof said === 'function') throw new Error('A function of the script gave a function.')
    if (said.kind === 'fault') await answerFault(request, response, said)
    else if (request.path === '/audio/speech') answerSpeech(request, response)
    else if (said.kind === 'transcript') answerTranscript(request, response, said)
    else await answerChat(request, response, said)
  }

  const server = createServer((message, response) => {
    void (async () => {
      const bytes = await readBody(message)
      const ended = new Promise<'answered' | 'left'>((resolve) => {
        response.once('close', () => resolve(response.writableFinished ? 'answered' : 'left'))
      })
      const headers = Object.fromEntries(
        Object.entries(message.headers).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.join(', ') : (value ?? ''),
        ]),
      )
      const [pathname = '', query = ''] = (message.url ?? '').split('?')
      const { root, azure } = options
      const isThere = (root === undefined || pathname.startsWith(`${root}/`)) && (azure?.query ?? query) === query
      const path = pathname.slice(pathname.startsWith(root ?? '/v1') ? (root ?? '/v1').length : 0)
      const request: UpstreamRequest = {
        method: message.method ?? '',
        path,
        headers,
        ended,
        deltasWritten: 0,
        ...(await decode(headers['content-type'] ?? '', bytes)),
      }
      requests.push(request)
      const watcher = watchers.findIndex((one) => one.path === path)
      if (watcher >= 0) watchers.splice(watcher, 1)[0]?.resolve(request)
      const route = options.routes?.[pathname]
      if (route !== undefined) sendJson(response, 200, route)
      else if (isThere) await answer(request, response)
      else if (azure !== undefined) sendJson(response, 404, { error: { code: '404', message: 'Resource not found' } })
      else response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found')
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  let closing: Promise<void> | undefined
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    origin: `http://127.0.0.1:${port}`,
    requests,
    script: (...answers) => void waiting.push(...answers),
    embedBy: (how) => void (embedBy = how),
    next: (path) => new Promise((resolve) => watchers.push({ path, resolve })),
    close: () =>
      (closing ??= new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })),
  }
}
