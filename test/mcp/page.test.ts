import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { startFootbridge } from '#test/support/footbridge.ts'
import { createPerson } from '#test/support/people/person.ts'
import { openWeb } from '#test/support/people/web.ts'

it('a token of the page reads the channels of the page', { timeout: 120_000 }, async () => {
  const page = await openWeb()
  const footbridge = await startFootbridge({ ...page.env })
  try {
    await page.attach(footbridge)
    const channel = await page.addChannel('harbour')
    const person = createPerson(page, 'Ada', channel)
    await person.drops({ name: 'ferry.md', bytes: '# Ferry\n\nThe ferry leaves at 9:40.\n', mimeType: 'text/markdown' })
    await person.sees(/ready/i)
    const connect = async (wish: object) => {
      const made = await fetch(new URL('/api/web/tokens', footbridge.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(wish),
      })
      const token = /fbt-[\w-]{59}/.exec(await made.text())?.[0] ?? ''
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
      const requestInit = { headers: { authorization: `Bearer ${token}` } }
      await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', footbridge.url), { requestInit }))
      return client
    }
    const asked = { name: 'search', arguments: { query: 'When does the ferry leave?' } }
    const result = await (await connect({ name: 'laptop' })).callTool(asked)
    expect(JSON.stringify(result.structuredContent)).toContain('leaves at 9:40')
    expect(result.structuredContent).toMatchObject({ results: [{ collection: '#harbour', file: 'ferry.md' }] })
    const key = readFileSync(join(footbridge.dataDir, 'platform-key'), 'utf8').trim()
    const figures = await fetch(new URL('/metrics', footbridge.url), { headers: { authorization: key } })
    expect(await figures.text()).toContain('footbridge_mcp_calls_total{tool="search",outcome="ok"} 1')
    const here = await connect({ name: 'here', channel: channel.id, tools: ['search'] })
    expect((await here.listTools()).tools.map(({ name }) => name)).toEqual(['search'])
    expect(JSON.stringify(await here.callTool(asked))).toContain('leaves at 9:40')
    const other = await page.addChannel('elsewhere')
    const elsewhere = await connect({ name: 'elsewhere', channel: other.id })
    expect((await elsewhere.callTool(asked)).structuredContent).toMatchObject({ results: [] })
  } finally {
    await footbridge.close()
    await page.close()
  }
})
