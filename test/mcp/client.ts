import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcp, type Mcp } from '#src/mcp/handler.ts'
import type { TestPlatform } from '#test/platform/server/platform.ts'

/** Both generations of the protocol. */
export const GENERATIONS = ['legacy', { pin: '2026-07-28' }] as const
export type Generation = (typeof GENERATIONS)[number]

const ADDRESS = new URL('http://footbridge.test/mcp')

/** The SDK's own client, on a function instead of a connection. */
export async function openClient(
  mcp: Pick<Mcp, 'fetch'>,
  credential: string,
  mode: Generation = 'legacy',
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(ADDRESS, {
    requestInit: { headers: { authorization: `Bearer ${credential}` } },
    fetch: (url, init) => mcp.fetch(new Request(url, init)),
  })
  await client.connect(transport)
  return client
}

export const mcpOf = ({ engine }: Pick<TestPlatform, 'engine'>, more: object = {}): Mcp =>
  createMcp({ engine, version: '0', log: { debug() {}, info() {}, warn() {}, error() {} }, ...more })

export interface Document {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** The result of a tool, as structured content; its text must have the same. */
export async function call(client: Client, name: string, args: object = {}) {
  const result = await client.callTool({ name, arguments: { ...args } })
  const [content] = result.content as readonly { readonly text: string }[]
  const text = content?.text ?? ''
  return { text, isError: result.isError === true, structured: (result.structuredContent ?? {}) as never }
}
