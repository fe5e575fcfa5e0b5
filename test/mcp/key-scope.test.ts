import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addKey } from '#test/platform/server/people.ts'
import { openPlatform, type TestPlatform } from '#test/platform/server/platform.ts'
import { call, GENERATIONS, mcpOf, openClient } from './client.ts'

describe.each(GENERATIONS)('a key with a scope (%j)', (mode) => {
  let platform: TestPlatform
  beforeAll(async () => {
    platform = await openPlatform()
    await platform.fill('notes', { 'hours.md': '# Hours\n\nMonday to Friday from nine to five.\n' })
    await platform.fill('vault', { 'hours.md': '# Hours\n\nThe word of the vault is swordfish, at all hours.\n' })
  })
  afterAll(() => platform.close())

  it('reads its collections only, by every tool and as resources', async () => {
    const { key } = await addKey(platform, 'local', { scope: { collections: ['notes'] } })
    const client = await openClient(mcpOf(platform), key, mode)
    const { collections } = (await call(client, 'list_collections')).structured as { collections: { id: string }[] }
    expect(collections.map(({ id }) => id)).toEqual(['local/notes'])
    const id = 'footbridge://knowledge/local%2Fvault/hours.md'
    const given = await Promise.all([
      call(client, 'search', { query: 'word of the vault hours' }),
      call(client, 'search', { query: 'word of the vault', collection: 'local/vault' }),
      call(client, 'ask', { question: 'What is the word of the vault?' }),
      call(client, 'ask', { question: 'What is the word of the vault?', collection: 'local/vault' }),
      call(client, 'list_files', { collection: 'local/vault' }),
      ...['fetch', 'get_passage'].map((tool) => call(client, tool, { id: `${id}/L1-3` })),
      call(client, 'fetch', { id }),
      client.readResource({ uri: id }).catch(String),
      client.listResources(),
    ])
    expect(JSON.stringify(given[0])).toContain('nine to five')
    expect(JSON.stringify(given)).not.toContain('swordfish')
    expect(given.slice(3, 8)).toMatchObject(Array.from({ length: 5 }, () => ({ isError: true })))
  })

  it('has its tools only', async () => {
    const { key } = await addKey(platform, 'local', { scope: { tools: ['search', 'ask'] } })
    const client = await openClient(mcpOf(platform), key, mode)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['search', 'ask'])
    expect((await call(client, 'search', { query: 'vault' })).text).toContain('swordfish')
    expect(await call(client, 'list_files', { collection: 'local/vault' })).toMatchObject({
      isError: true,
      text: 'Only these tools may be used here: search, ask.',
    })
  })
})
