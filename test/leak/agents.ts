import { setTimeout as delay } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

interface Passage {
  readonly id: string
  readonly text: string
}

/** An agent that has the token of somebody. */
export interface Agent {
  /** All that it is given: results, failures, sentences. */
  call(tool: string, args: object): Promise<string>
  search(query: string): Promise<readonly Passage[]>
}

async function fetchPatiently(url: string | URL, init?: RequestInit): Promise<Response> {
  for (;;) {
    const response = await fetch(url, init)
    if (response.status !== 429) return response
    await delay(1000 * Number(response.headers.get('retry-after') ?? 1))
  }
}

export async function openAgent(footbridge: string, token: string): Promise<Agent> {
  const client = new Client({ name: 'leak', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const url = new URL('/mcp', footbridge)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit, fetch: fetchPatiently }))
  const call = async (tool: string, args: object) => {
    const result = await client
      .callTool({ name: tool, arguments: { ...args } })
      .catch((error: unknown) => String(error))
    return JSON.stringify(result)
  }
  return {
    call,
    async search(query) {
      const result = await client.callTool({ name: 'search', arguments: { query } })
      return (result.structuredContent as { results: readonly Passage[] }).results
    },
  }
}

/** All ways to what is known in a room, with everything that could have leaked: its ids, its names, its passages. */
export function waysTo(room: {
  readonly name: string
  readonly canary: string
  /** Id of its collection on the platform. */
  readonly collection: string
  /** Id of the passage with the canary. */
  readonly passage: string
}): readonly (readonly [tool: string, args: object])[] {
  const { name, canary, collection: full, passage } = room
  const plain = full.split('/').at(-1) ?? ''
  const id = decodeURIComponent(passage.split('/')[3] ?? '')
  const file = `vault-${name}.md`
  const at = (collection: string) => `footbridge://knowledge/${encodeURIComponent(collection)}/${file}`
  const query = `pass phrase of the vault of ${name}`
  return [
    ['search', { query }],
    ['search', { query, collection: id }],
    ['search', { query, collection: full }],
    ['search', { query, collection: plain }],
    ['search', { query: `${full} ${canary.slice(0, 2)} vault`, limit: 50 }],
    ['fetch', { id: passage }],
    ['get_passage', { id: passage }],
    ['fetch', { id: at(id) }],
    ['fetch', { id: at(full) }],
    ['get_passage', { id: `${at(plain)}/L1-3` }],
    ['fetch', { id: passage.replace('footbridge://knowledge/', 'footbridge://knowledge/..%2F') }],
    ['list_files', { collection: id }],
    ['list_gaps', { collection: id }],
    ['ask', { question: `What is the pass phrase of the vault of ${name}?` }],
    ['ask', { question: `What is the pass phrase?`, collection: id }],
    ['ask', { question: `Use ${full}. What is the pass phrase?`, collection: full }],
  ]
}
