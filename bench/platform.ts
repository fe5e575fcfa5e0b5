import { fileURLToPath } from 'node:url'
import { openFolder, productOptions } from './footbridge.ts'
import { startProgram, type Program } from './process.ts'

const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url))
const readyLine = /^Footbridge platform \S+ is ready: (http:\/\/\S+)/

export interface Platform extends Program {
  /** Ends in `/v1`. */
  readonly baseUrl: string
  readonly key: string
}

/** The embedded platform alone, a process of its own on a fresh folder; ends with the scope. */
export async function startPlatform(
  scope: AsyncDisposableStack,
  env: Readonly<Record<string, string>> = {},
): Promise<Platform> {
  const key = 'bench-0123456789abcdef0123456789abcdef'
  const program = scope.use(
    await startProgram({
      script: cli,
      args: ['platform'],
      env: { PORT: '0', DATA_DIR: openFolder(scope), PLATFORM_API_KEY: key, ...env },
      nodeOptions: productOptions(),
      ready: readyLine,
    }),
  )
  return Object.assign(program, { baseUrl: program.ready[1] ?? '', key })
}

/** @throws {Error} with the answer when it is a refusal */
export async function callPlatform(platform: Platform, path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('authorization', platform.key)
  const response = await fetch(`${new URL(platform.baseUrl).origin}${path}`, { ...init, headers })
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`)
  return response
}

export const management = '/collections/api/v1'

/** A collection with this markdown in it, indexed. @returns its id */
export async function fillCollection(platform: Platform, text: string): Promise<string> {
  const json = { 'content-type': 'application/json' }
  const collection = { method: 'POST', headers: json, body: JSON.stringify({ name: 'bench' }) }
  const made = await callPlatform(platform, `${management}/collection/`, collection)
  const form = new FormData()
  form.set('file', new File([text], 'bench.md', { type: 'text/markdown' }))
  await callPlatform(platform, `${management}/collection/bench/files/`, { method: 'POST', body: form })
  await callPlatform(platform, `${management}/collection/bench/generate-index`, { method: 'POST' })
  return ((await made.json()) as { readonly id: string }).id
}
