import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine, type Engine, type EngineOptions } from '#platform/engine/engine.ts'
import { createPlatformApp } from '#platform/server/app.ts'
import type { ServerParts } from '#platform/server/routing.ts'
import { listen } from '#platform/server/listen.ts'
import { startUpstreamDouble, type UpstreamDouble } from '#test/doubles/upstream/double.ts'

export interface LogEntry {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly fields: object
  readonly message: string
}

export function createLogSink() {
  const entries: LogEntry[] = []
  const at = (level: LogEntry['level']) => (fields: object, message: string) =>
    void entries.push({ level, fields, message })
  return { entries, log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } }
}

export interface TestPlatform {
  readonly engine: Engine
  readonly key: string
  readonly entries: readonly LogEntry[]
  readonly dataDir: string
  /** Host root; in memory an address that nobody listens on. */
  readonly url: string
  /** Present when the platform was opened with one. */
  readonly upstream: UpstreamDouble
  /** A request with the raw key; `bearer` sends the other form, `key: null` none. */
  call(method: string, path: string, options?: CallOptions): Promise<Response>
  /** Collection with these files, indexed. */
  fill(name: string, files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>): Promise<void>
  close(): Promise<void>
}

export interface CallOptions {
  readonly json?: unknown
  readonly body?: FormData | string | ReadableStream<Uint8Array>
  readonly headers?: Readonly<Record<string, string>>
  readonly bearer?: boolean
  readonly key?: string | null
  readonly signal?: AbortSignal
}

export interface PlatformOptions
  extends
    Partial<EngineOptions>,
    Pick<ServerParts, 'passAnswerMs' | 'bodyIdleMs' | 'corsOrigins' | 'collectionsAsModels'> {
  readonly over?: 'memory' | 'socket'
  readonly withUpstream?: boolean
}

export const management = '/collections/api/v1'

/** Multipart body with one file. */
export function toForm(part: string, name: string, content: string | Uint8Array<ArrayBuffer>, fields: object = {}) {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, String(value))
  form.append(part, new File([content], name))
  return form
}

export async function openPlatform(options: PlatformOptions = {}): Promise<TestPlatform> {
  const { over = 'memory', withUpstream = false, passAnswerMs, bodyIdleMs, corsOrigins, ...others } = options
  const { collectionsAsModels = false, ...engineOptions } = others
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'footbridge-platform-')))
  const sink = createLogSink()
  const upstream = await startUpstreamDouble()
  const models = {
    baseUrl: upstream.baseUrl,
    chatModel: 'double-chat',
    embeddingModel: 'double-embed',
    transcriptionModel: 'double-whisper',
  }
  const engine = await createEngine({
    log: sink.log,
    ...(withUpstream ? { upstream: models } : {}),
    ...engineOptions,
    dataDir,
  })
  const app = createPlatformApp({
    engine,
    log: sink.log,
    ...(passAnswerMs === undefined ? {} : { passAnswerMs }),
    ...(bodyIdleMs === undefined ? {} : { bodyIdleMs }),
    ...(corsOrigins === undefined ? {} : { corsOrigins }),
    collectionsAsModels,
  })
  const server = over === 'socket' ? await listen({ host: '127.0.0.1', port: 0, fetch: app.fetch }) : undefined
  const url = server?.url ?? 'http://platform.test'
  const ask = (request: Request) => (server === undefined ? app.fetch(request) : fetch(request))

  const call = (method: string, path: string, given: CallOptions = {}) => {
    const key = given.key === undefined ? engine.firstKey.key : given.key
    const credential = given.bearer === true ? `Bearer ${key}` : key
    return ask(
      new Request(`${url}${path}`, {
        method,
        headers: {
          ...(credential === null ? {} : { authorization: credential }),
          ...(given.json === undefined ? {} : { 'content-type': 'application/json' }),
          ...given.headers,
        },
        ...(given.json === undefined ? {} : { body: JSON.stringify(given.json) }),
        ...(given.body === undefined ? {} : { body: given.body, duplex: 'half' as const }),
        ...(given.signal === undefined ? {} : { signal: given.signal }),
      }),
    )
  }

  return {
    engine,
    key: engine.firstKey.key,
    entries: sink.entries,
    dataDir,
    url,
    upstream,
    call,
    async fill(name, files) {
      await call('POST', `${management}/collection/`, { json: { name } })
      for (const [file, content] of Object.entries(files)) {
        await call('POST', `${management}/collection/${name}/files/`, { body: toForm('file', file, content) })
      }
      await call('POST', `${management}/collection/${name}/generate-index`)
    },
    async close() {
      await server?.close()
      await engine.close()
      await upstream.close()
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Chat body with the three additions, without the header. */
export function collectionChat(question: string, more: object = {}) {
  return {
    model: 'extractive',
    messages: [{ role: 'user', content: question }],
    collection: { id: 'local/notes' },
    'enable-tools': true,
    ...more,
  }
}

export const inference = { 'inference-service': 'saia-openai-gateway' }

/** Texts of the `data` lines of an event stream. */
export async function readEvents(response: Response): Promise<string[]> {
  const text = await response.text()
  return text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []))
}

/** Text of a streamed answer. */
export function joinDeltas(events: readonly string[]): string {
  return events
    .filter((event) => event !== '[DONE]')
    .map((event) => JSON.parse(event) as { choices?: { delta?: { content?: string | null } }[] })
    .map((event) => event.choices?.[0]?.delta?.content ?? '')
    .join('')
}
