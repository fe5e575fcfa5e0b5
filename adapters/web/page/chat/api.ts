import {
  type ApiKeyInfo,
  type FileOutline,
  type KeyChoices,
  type KeyScope,
  type ModelChoice,
  type WebAttachment,
  type WebChannel,
  type WebEvent,
  type WebFailure,
  type WebFile,
  type WebFindings,
  type WebHistory,
  type WebMessage,
  type WebPost,
  type WebSearch,
  type WebState,
  type WebTokens,
  type WebTokenWish,
  ZONE_HEADER,
} from '#adapters/web/protocol.ts'
import { language, texts } from '../texts.ts'

/** A failure, as a sentence for the person. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** Error code of the server; absent if the server was not reached. */
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

/** A failure of any kind, as a sentence. */
export const sentenceOf = (error: unknown): string => (error instanceof ApiError ? error.message : texts.unreachable)

const path = (strings: TemplateStringsArray, ...values: readonly (string | number)[]) =>
  `/api/web/${String.raw({ raw: strings }, ...values.map(encodeURIComponent))}`

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()

async function call(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  if (timeZone) headers.set(ZONE_HEADER, timeZone)
  headers.set('accept-language', language)
  const response = await fetch(url, { ...init, headers }).catch(() => {
    throw new ApiError(texts.unreachable)
  })
  if (response.status === 401) location.assign('/login')
  if (!response.ok) throw await failureOf(response)
  return response
}

async function failureOf(response: Response): Promise<ApiError> {
  return toApiError((await response.json().catch(() => null)) as WebFailure | null)
}

/** The server speaks English: a page in another language has sentences of its own by code. */
function toApiError(body: WebFailure | null): ApiError {
  if (body === null) return new ApiError(texts.unreachable)
  const { code, message } = body.error
  return new ApiError(texts.failures[code] ?? message, code)
}

const json = (method: string, body: object): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

async function read<T>(response: Promise<Response>): Promise<T> {
  return (await (await response).json()) as T
}

export const api = {
  state: () => read<WebState>(call('/api/web/state')),
  history: (channel: string, before?: string) =>
    read<WebHistory>(call(path`channels/${channel}/messages` + (before === undefined ? '' : `?before=${before}`))),
  sample: async () => (await call('/api/web/sample')).blob(),
  newChat: () => read<WebChannel>(call('/api/web/chats', { method: 'POST' })),
  createChannel: (name: string) => read<WebChannel>(call('/api/web/channels', json('POST', { name }))),
  changeChannel: (channel: string, change: { readonly name?: string; readonly archived?: boolean }) =>
    read<WebChannel>(call(path`channels/${channel}`, json('PATCH', change))),
  deleteChannel: (channel: string) => call(path`channels/${channel}`, { method: 'DELETE' }),
  files: (channel: string) => read<readonly WebFile[]>(call(path`channels/${channel}/files`)),
  outline: (channel: string, file: string) =>
    read<FileOutline>(call(`${path`channels/${channel}/files/outline`}?${new URLSearchParams({ id: file })}`)),
  changeFile: (channel: string, change: { readonly file: string; readonly do: 'forget' | 'retry'; name: string }) =>
    call(path`channels/${channel}/files`, json('POST', { id: newId(), ...change })),
  model: (channel: string) => read<ModelChoice>(call(path`channels/${channel}/model`)),
  /** @param model empty: back to the usual one */
  chooseModel: (channel: string, model: string) =>
    read<ModelChoice>(call(path`channels/${channel}/model`, json('PUT', { model: model || null }))),
  tokens: () => read<WebTokens>(call('/api/web/tokens')),
  makeToken: (wish: WebTokenWish) => read<{ readonly token: string }>(call('/api/web/tokens', json('POST', wish))),
  endToken: (name: string) => read<WebTokens>(call('/api/web/tokens', json('DELETE', { name }))),
  chooseMeaning: (on: boolean) => read<WebSearch>(call('/api/web/meaning', json('PUT', { on }))),
  keys: () => read<readonly ApiKeyInfo[]>(call('/api/web/keys')),
  keyChoices: () => read<KeyChoices>(call('/api/web/keys/choices')),
  makeKey: (name: string, scope: KeyScope | undefined) =>
    read<{ readonly key: string }>(call('/api/web/keys', json('POST', { name, scope }))),
  revokeKey: (id: number) => read<readonly ApiKeyInfo[]>(call('/api/web/keys', json('DELETE', { id }))),
  search: (query: string, signal: AbortSignal) =>
    read<WebFindings>(call(`/api/web/search?${new URLSearchParams({ q: query })}`, { signal })),
  post: (channel: string, post: WebPost) =>
    read<WebMessage>(call(path`channels/${channel}/messages`, json('POST', post))),
  press: (message: string, press: { action: string; value: string; text?: string; name: string }) =>
    call(path`messages/${message}/actions`, json('POST', { id: newId(), ...press })),
  pin: (message: string, name: string) => call(path`messages/${message}/pin`, json('POST', { id: newId(), name })),
  stop: (channel: string, thread: string | undefined, name: string) =>
    call(path`channels/${channel}/stop`, json('POST', { id: newId(), thread, name })),
  edit: (message: string, text: string) => call(path`messages/${message}`, json('PATCH', { text })),
  remove: (message: string) => call(path`messages/${message}`, { method: 'DELETE' }),
  logOut: () => call('/logout', { method: 'POST' }),
  fileUrl: (id: string) => path`files/${id}`,
  /** A page of a PDF of the channel as a picture, by name, version and page; the words of the reference are marked. */
  pageUrl: (channel: string, page: Readonly<Record<string, string>>) =>
    `${path`channels/${channel}/files/page`}?${new URLSearchParams(page)}`,
  /** Bytes of a file of the channel, by its id or by name and version. */
  bytesUrl: (channel: string, file: Readonly<Record<string, string>>) =>
    `${path`channels/${channel}/files/bytes`}?${new URLSearchParams(file)}`,
}

export interface UploadFile {
  readonly id: string
  readonly name: string
  readonly bytes: Blob
  readonly voice: boolean
  readonly durationMs?: number
}

/** Uploads one file by XMLHttpRequest, since `fetch` reports no upload progress. */
export function upload(file: UploadFile, onProgress: (sentBytes: number) => void): Promise<WebAttachment> {
  const { promise, resolve, reject } = Promise.withResolvers<WebAttachment>()
  const query = new URLSearchParams({ name: file.name })
  if (file.voice) query.set('kind', 'voice')
  if (file.durationMs !== undefined) query.set('durationMs', String(Math.round(file.durationMs)))
  const request = new XMLHttpRequest()
  request.open('PUT', `${path`uploads/${file.id}`}?${query}`)
  if (file.bytes.type) request.setRequestHeader('content-type', file.bytes.type)
  request.responseType = 'json'
  request.upload.addEventListener('progress', (event) => onProgress(event.loaded))
  request.addEventListener('error', () => reject(new ApiError(texts.fileUnreadable(file.name))))
  request.addEventListener('load', () => {
    if (request.status === 401) location.assign('/login')
    if (request.status < 300) resolve(request.response as WebAttachment)
    else reject(toApiError(request.response as WebFailure | null))
  })
  request.send(file.bytes)
  return promise
}

/** A random id. `crypto.randomUUID` is missing on plain http beyond localhost. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Pause before reconnecting after a refusal, milliseconds. The browser itself restores lost connections sooner. */
const RETRY_MS = 2000

interface Listener {
  /** Events in order, those of one frame together. */
  readonly onEvents: (events: readonly WebEvent[]) => void
  readonly onConnected: (connected: boolean) => void
  /** The server refused the stream: it is stopping, or the session is over. */
  readonly onRefused: () => void
}

/** Listens to the server's events until the returned function is called. */
export function connect({ onEvents, onConnected, onRefused }: Listener): () => void {
  let source: EventSource
  let closed = false
  let waiting: WebEvent[] = []

  const flush = () => {
    const events = waiting
    waiting = []
    if (events.length > 0 && !closed) onEvents(events)
  }
  const open = () => {
    source = new EventSource('/api/web/events')
    source.addEventListener('open', () => onConnected(true))
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      waiting.push(JSON.parse(data) as WebEvent)
      if (waiting.length > 1) return
      // A hidden page gets no animation frames, but its texts must keep streaming.
      if (document.hidden) queueMicrotask(flush)
      else requestAnimationFrame(flush)
    })
    source.addEventListener('error', () => {
      onConnected(false)
      if (source.readyState !== EventSource.CLOSED || closed) return
      onRefused()
      setTimeout(() => !closed && open(), RETRY_MS)
    })
  }
  open()
  return () => {
    closed = true
    source.close()
  }
}
