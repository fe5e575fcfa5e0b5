/** `footbridge mcp` and `footbridge platform`, each as the process that people start. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { beforeEach, describe, expect, it } from 'vitest'
import { openPlatform } from '#test/platform/server/platform.ts'
import { closeAtEnd } from '#test/support/close-at-end.ts'
import { inLong } from '#test/support/forms.ts'
import { call, GENERATIONS } from './client.ts'

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))
const TOOLS = ['search', 'fetch', 'get_passage', 'list_collections', 'list_files', 'list_gaps', 'ask']
const READY = /is ready: (\S+)/

/** Starts the platform, and waits for the address that it says. */
async function startPlatform(env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [CLI, 'platform'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  closeAtEnd({ close: async () => void (child.kill(), await ended) })
  for await (const line of createInterface(child.stdout)) {
    const [, url] = READY.exec(line) ?? []
    if (url !== undefined) return url
  }
  throw new Error('The platform ended before it was ready.')
}

async function checkTools(client: Client): Promise<void> {
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(TOOLS)
  const found = await call(client, 'search', { query: 'When does the ferry leave?' })
  expect([found.isError, found.text]).toEqual([false, expect.stringContaining('leaves at 9:40 from pier seven')])
}

describe('agents read the data folder', inLong, () => {
  let env: { readonly DATA_DIR: string; readonly PORT: string }
  let key: string
  beforeEach(async () => {
    const platform = await openPlatform()
    await platform.fill('notes', { 'ferry.md': '# Ferry\n\nThe ferry leaves at 9:40 from pier seven.\n' })
    env = { DATA_DIR: platform.dataDir, PORT: '0' }
    key = platform.key
    await platform.engine.close()
    return () => platform.close()
  })

  it.each([...GENERATIONS, 'auto' as const])('over standard input and output (%j)', async (mode) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    const transport = new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp'], env, stderr: 'pipe' })
    await client.connect(transport)
    await checkTools(client)
    await client.close()
    expect(transport.pid).toBeNull()
  })

  it('over HTTP of the platform alone', async () => {
    const url = new URL('/mcp', await startPlatform(env))
    const client = new Client({ name: 'test', version: '1' })
    const requestInit = { headers: { authorization: `Bearer ${key}` } }
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
    await checkTools(client)
    const nobody = await fetch(url, { method: 'POST', body: '{}' })
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="footbridge"'])
  })
})
