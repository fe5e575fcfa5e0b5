import type { IncomingMessage, ServerResponse } from 'node:http'
import { createPaths, type Profile } from '#platform/wire/profile.ts'
import type { Fault, Operation } from './faults.ts'

export interface RecordedRequest {
  readonly op: Operation
  readonly method: string
  /** Below the base URL, decoded. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** Names in the path. */
  readonly collection?: string
  readonly file?: string
  /** The body as JSON, where it is. */
  readonly json?: unknown
  /** The body as multipart, where it is. */
  readonly form?: RecordedForm
  /** The client's port: requests with the same one came over one connection. */
  readonly clientPort: number
  /** Resolves when the connection closes before the answer was complete. */
  readonly closedEarly: Promise<void>
  readonly met?: Fault | undefined
}

export interface RecordedForm {
  readonly fields: Readonly<Record<string, string>>
  readonly file?: RecordedUpload
}

export interface RecordedUpload {
  readonly part: string
  readonly name: string
  readonly mimeType: string
  readonly bytes: Uint8Array
}

type Route = readonly [method: string, path: string, op: Operation]

/** Every operation by method and path, from the names of the contract. */
export function createRoutes(profile: Profile) {
  const paths = createPaths(profile, (segment) => segment)
  const [c, f] = [':collection', ':file']
  const routes: readonly Route[] = [
    ['GET', paths.version, 'version'],
    ['GET', paths.heartbeat, 'heartbeat'],
    ['GET', paths.user, 'user'],
    ['GET', paths.collections, 'list'],
    ['POST', paths.collections, 'create'],
    ['GET', paths.collection(c), 'get'],
    ['DELETE', paths.collection(c), 'delete'],
    ['GET', paths.files(c), 'files'],
    ['POST', paths.files(c), 'upload'],
    ['PUT', paths.file(c, f), 'replace'],
    ['DELETE', paths.file(c, f), 'delete-file'],
    ['GET', paths.download(c, f), 'download'],
    ['POST', paths.generateIndex(c), 'generate-index'],
    ['DELETE', paths.deleteIndex(c), 'delete-index'],
    ['GET', paths.models, 'models'],
    ['POST', paths.models, 'models'],
    ['POST', paths.chat, 'chat'],
    ['GET', paths.chat, 'probe'],
    ['POST', paths.transcriptions, 'transcribe'],
    ['POST', paths.translations, 'translate'],
    ['POST', paths.convert, 'convert'],
    ['POST', paths.embeddings, 'embeddings'],
  ]
  const compiled = routes.map(([method, path, op]) => ({
    method,
    op,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  }))
  return (method: string, path: string) => {
    for (const route of compiled) {
      const match = route.method === method ? route.pattern.exec(path) : null
      if (match !== null) return { op: route.op, groups: match.groups ?? {} }
    }
    return undefined
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

async function readForm(body: Buffer, contentType: string): Promise<RecordedForm> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  const fields: Record<string, string> = {}
  let file: RecordedUpload | undefined
  for (const [part, value] of form) {
    if (typeof value === 'string') fields[part] = value
    else file = { part, name: value.name, mimeType: value.type, bytes: await value.bytes() }
  }
  return file === undefined ? { fields } : { fields, file }
}

/** Reads a request whole. Undefined when it fits no operation. Rejects when the client gives up in the middle of it. */
export async function recordRequest(
  request: IncomingMessage,
  response: ServerResponse,
  route: ReturnType<typeof createRoutes>,
): Promise<RecordedRequest | undefined> {
  const closed = Promise.withResolvers<void>()
  response.on('close', () => {
    if (!response.writableFinished) closed.resolve()
  })
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  const method = request.method ?? 'GET'
  // Gone with the socket, so taken before the body is awaited.
  const clientPort = request.socket.remotePort ?? 0
  const body = await readBody(request)
  const path = url.pathname.replace(/^\/v1/, '')
  const found = url.pathname.startsWith('/v1/') ? route(method, path) : undefined
  if (found === undefined) return undefined
  const contentType = request.headers['content-type'] ?? ''
  const { collection, file } = found.groups
  return {
    op: found.op,
    method,
    path: decodeURIComponent(path),
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    clientPort,
    closedEarly: closed.promise,
    ...(collection === undefined ? {} : { collection: decodeURIComponent(collection) }),
    ...(file === undefined ? {} : { file: decodeURIComponent(file) }),
    ...(contentType.includes('application/json') ? { json: JSON.parse(body.toString('utf8')) as unknown } : {}),
    ...(contentType.includes('multipart/form-data') ? { form: await readForm(body, contentType) } : {}),
  }
}
