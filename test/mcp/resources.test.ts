import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPlatform, type TestPlatform } from '#test/platform/server/platform.ts'
import { call, type Document, GENERATIONS, mcpOf, openClient } from './client.ts'

describe.each(GENERATIONS)('resources (%j)', (mode) => {
  let platform: TestPlatform
  const open = () => openClient(mcpOf(platform), platform.key, mode)
  beforeAll(async () => {
    platform = await openPlatform()
    await platform.fill('notes', { 'opening hours.md': '# Hours\n\nMonday to Friday from nine to five.\n' })
  })
  afterAll(() => platform.close())

  it('are the files, and are read as quotations', async () => {
    const client = await open()
    const { resources } = await client.listResources()
    expect(resources).toMatchObject([{ name: 'opening hours.md', title: 'opening hours.md (notes)' }])
    const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' })
    expect(contents[0]).toMatchObject({ text: expect.stringMatching(/^\[quotation [^]*nine to five[^]* ends\]$/) })
  })

  it('are passages by a template, whose collection is completed', async () => {
    const client = await open()
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ name }) => name)).toEqual(['file', 'passage'])
    const found = await call(client, 'search', { query: 'opening hours' })
    const uri = (found.structured as { readonly results: readonly Document[] }).results[0]?.id ?? ''
    const { contents } = await client.readResource({ uri })
    expect(contents[0]).toMatchObject({ uri, text: expect.stringContaining('nine to five') })
    const complete = async (value: string) => {
      const ref = { type: 'ref/resource' as const, uri: resourceTemplates[0]?.uriTemplate ?? '' }
      return (await client.complete({ ref, argument: { name: 'collection', value } })).completion.values
    }
    for (const typed of ['local', 'local%2Fn', 'local/n', 'Not', '#notes'])
      expect(await complete(typed)).toEqual(['local%2Fnotes'])
    expect(await complete('others')).toEqual([])
  })

  it('that are not there are told as missing', async () => {
    const client = await open()
    const missing = client.readResource({ uri: 'footbridge://knowledge/local%2Fother/x.md' })
    await expect(missing).rejects.toThrow(/not found/i)
  })
})
