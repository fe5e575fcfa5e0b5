import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type ReceivedCollection,
  receivedCollection,
  receivedFile,
  type ReceivedFile,
} from '#platform/wire/collections.ts'
import { readReceived } from '#platform/wire/received-chat.ts'
import { parseErrorBody } from '#platform/wire/errors.ts'
import { createPaths, INFERENCE_HEADER, TOOL_FIELD } from '#platform/wire/profile.ts'
import type { Target } from './target.ts'

export type Content = string | Uint8Array<ArrayBuffer>

export interface CallOptions {
  readonly json?: unknown
  readonly form?: FormData
  readonly headers?: Readonly<Record<string, string>>
  /** Default: raw for management, Bearer elsewhere. */
  readonly credential?: 'raw' | 'bearer' | 'none'
  /** In place of the target's key. */
  readonly key?: string
  readonly signal?: AbortSignal
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly text: string
  /** Undefined where the body is no JSON. */
  readonly json: unknown
}

/** Multipart body with one file. */
export function toForm(part: string, name: string, content: Content, fields: object = {}): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, String(value))
  form.append(part, new File([content], name))
  return form
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const terminal = new Set(['INDEXED', 'ERROR'])
const transient = new Set(['PENDING', 'PROCESSING'])

/** The words that rows speak to a server with; `end` removes the things that they make. */
export type Session = ReturnType<typeof createSession>

export function createSession(target: Target) {
  const { profile } = target
  const paths = createPaths(profile)
  const root = target.baseUrl.replace(/\/v1$/, '')
  const made: string[] = []

  /** `path` below the base URL, or a whole address. */
  async function call(method: string, path: string, options: CallOptions = {}): Promise<Reply> {
    const url = path.startsWith('http') ? path : `${target.baseUrl}${path}`
    const form = options.credential ?? (path.includes(profile.managementPrefix) ? 'raw' : 'bearer')
    const key = options.key ?? target.key
    const response = await fetch(url, {
      method,
      headers: {
        ...(form === 'none' ? {} : { authorization: form === 'raw' ? key : `Bearer ${key}` }),
        ...(options.json === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.json === undefined ? {} : { body: JSON.stringify(options.json) }),
      ...(options.form === undefined ? {} : { body: options.form }),
      signal: AbortSignal.any([AbortSignal.timeout(120_000), ...(options.signal ? [options.signal] : [])]),
    })
    const { status, headers } = response
    const bytes = new Uint8Array(await response.arrayBuffer())
    target.exchanges.push({ method, url, status, headers, bytes })
    const text = new TextDecoder().decode(bytes)
    return { status, headers, bytes, text, json: readJson(text) }
  }

  async function create(name = `fb-${randomUUID()}`): Promise<string> {
    const reply = await call('POST', paths.collections, { json: { name } })
    assert.ok(reply.status < 300, `create answers ${reply.status}: ${reply.text}`)
    made.push(name)
    return name
  }

  const upload = (name: string, one: string, content: Content) =>
    call('POST', paths.files(name), { form: toForm('file', one, content) })

  async function files(name: string): Promise<ReceivedFile[]> {
    const reply = await call('GET', paths.files(name))
    assert.equal(reply.status, 200)
    return receivedFile.array().parse(reply.json)
  }

  async function file(name: string, wanted: string): Promise<ReceivedFile> {
    const found = (await files(name)).find((one) => one.name === wanted)
    assert.ok(found, `${wanted} is not listed`)
    return found
  }

  /** Polls, as a client has to, until all files reached an end state and the collection left its transient one. */
  async function settled(name: string): Promise<ReceivedFile[]> {
    for (let left = 600; left > 0; left -= 1) {
      const all = await files(name)
      const isOver = all.every((one) => terminal.has(one.index_info?.index_status ?? ''))
      if (isOver && !transient.has((await record(name)).index_info?.index_status ?? '')) return all
      await delay(200)
    }
    throw new Error('the index pass came to no end in two minutes')
  }

  /** One index pass, waited for also where the trigger times out. */
  async function pass(name: string): Promise<Reply | undefined> {
    const reply = await call('POST', paths.generateIndex(name)).catch(() => undefined)
    if (reply !== undefined && reply.status !== 504) assert.ok(reply.status < 300, reply.text)
    await settled(name)
    return reply
  }

  /** A collection with these files, indexed. */
  async function withFiles(contents: Readonly<Record<string, Content>>): Promise<string> {
    const name = await create()
    for (const [one, content] of Object.entries(contents)) {
      const reply = await upload(name, one, content)
      assert.ok(reply.status < 300, `upload of ${one} answers ${reply.status}: ${reply.text}`)
    }
    await pass(name)
    return name
  }

  async function record(name: string): Promise<ReceivedCollection> {
    const reply = await call('GET', paths.collection(name))
    assert.equal(reply.status, 200, reply.text)
    return receivedCollection.parse(reply.json)
  }

  async function idOf(name: string): Promise<string> {
    const { id, owner_user_name: owner } = await record(name)
    return id ?? `${owner}/${name}`
  }

  const chatBody = (text: string, more: object = {}) => ({
    model: target.chatModel,
    messages: [{ role: 'user', content: text }],
    ...more,
  })

  const chat = (body: object, options: CallOptions = {}) => call('POST', paths.chat, { json: body, ...options })

  /** Question to a collection, with all three additions. */
  async function askFiles(name: string, question: string, more: object = {}, options: CallOptions = {}) {
    const additions = { [profile.chatObject]: { id: await idOf(name) }, [TOOL_FIELD]: true }
    return chat(chatBody(question, { ...additions, ...more }), {
      credential: profile.collectionChatCredential,
      ...options,
      headers: { [INFERENCE_HEADER.name]: INFERENCE_HEADER.value, ...options.headers },
    })
  }

  return {
    target,
    paths,
    /** Host root. */
    root,
    call,
    create,
    /** Removed at the end, too. */
    willRemove: (name: string) => void made.push(name),
    upload,
    replace: (name: string, one: string, content: Content) =>
      call('PUT', paths.file(name, one), { form: toForm('file', one, content) }),
    files,
    file,
    settled,
    pass,
    withFiles,
    record,
    idOf,
    chatBody,
    chat,
    askFiles,
    async end() {
      for (const name of new Set(made)) await call('DELETE', paths.collection(name)).catch(() => undefined)
    },
  }
}

/** Text of a whole answer. */
export function answerText(reply: Reply): string {
  assert.equal(reply.status, 200, reply.text)
  return readReceived(reply.json)?.choices[0]?.words.content ?? ''
}

/** Texts of the `data` lines of an event stream. */
export function events(reply: Pick<Reply, 'text'>): string[] {
  return reply.text.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : []))
}

/** Text of a streamed answer. */
export function streamedText(reply: Reply): string {
  return events(reply)
    .filter((event) => event !== '[DONE]')
    .map((event) => readReceived(JSON.parse(event))?.choices[0]?.words.content ?? '')
    .join('')
}

/** The sentence of a refusal. */
export function sentence(reply: Reply): string {
  return parseErrorBody(reply.text).message
}
