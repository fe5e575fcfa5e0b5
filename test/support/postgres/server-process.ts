import { fork, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EngineOptions } from '#platform/engine/engine.ts'
import type { ServeSettings } from '../conformance/our-server.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const serve = fileURLToPath(new URL('../conformance/serve.ts', import.meta.url))
const management = '/collections/api/v1/collection/'

const inference = { 'inference-service': 'saia-openai-gateway' }

/** A platform as a process of its own, as on another machine: its own data folder, the database of the others. */
export interface ServerProcess {
  readonly key: string
  call(method: string, path: string, request?: Request): Promise<Response>
  /** Below the management prefix: `''`, `notes`, `notes/files/` … */
  manage(method: string, path?: string, request?: Request): Promise<Response>
  upload(collection: string, name: string, text: string): Promise<Response>
  /** Text that the model made of the collection's files answers with. */
  ask(collection: string, question: string): Promise<string>
  /** `kill -9`. */
  kill(): Promise<void>
  isAlive(): boolean
  close(): Promise<void>
}

interface Request {
  readonly json?: unknown
  readonly body?: FormData
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

type Settings = Pick<EngineOptions, 'quota' | 'writeWaitMs' | 'firstKey'> & { readonly databaseUrl: string }

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise((resolve) => child.once('exit', resolve))
}

export async function startServerProcess(settings: Settings): Promise<ServerProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'footbridge-process-'))
  const given: Omit<ServeSettings, 'upstream'> = { ...settings, root, dataDir }
  const child = fork(serve, [JSON.stringify(given)], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let said = ''
  child.stderr?.on('data', (text: Buffer) => (said += text.toString('utf8')))
  const { url, key } = await new Promise<{ readonly url: string; readonly key: string }>((resolve, reject) => {
    child.once('message', resolve as (told: unknown) => void)
    child.once('exit', () => reject(new Error(`The server ended: ${said}`)))
  })

  const call = (method: string, path: string, request: Request = {}) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: path.startsWith(management) ? (request.key ?? key) : `Bearer ${request.key ?? key}`,
        ...(request.json === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(request.json === undefined ? {} : { body: JSON.stringify(request.json) }),
      ...(request.body === undefined ? {} : { body: request.body }),
    })
  const manage: ServerProcess['manage'] = (method, path = '', request) => call(method, `${management}${path}`, request)

  return {
    key,
    call,
    manage,
    upload(collection, name, text) {
      const body = new FormData()
      body.append('file', new File([text], name))
      return manage('POST', `${collection}/files/`, { body })
    },
    async ask(collection, question) {
      const json = {
        model: 'extractive',
        messages: [{ role: 'user', content: question }],
        collection: { id: `local/${collection}` },
        'enable-tools': true,
      }
      return (await call('POST', '/v1/chat/completions', { json, headers: inference })).text()
    },
    async kill() {
      child.kill('SIGKILL')
      await ended(child)
    },
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async close() {
      if (child.connected) child.disconnect()
      await ended(child)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
