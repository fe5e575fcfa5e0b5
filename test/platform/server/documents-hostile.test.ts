import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostileDocuments, hostileMemoryBytes } from '#test/fixtures/documents/hostile.ts'
import { readFixture } from '#test/fixtures/documents/read.ts'
import { openPlatform, toForm, type TestPlatform } from './platform.ts'

const documents = await hostileDocuments()

describe('conversion of hostile documents', () => {
  let platform: TestPlatform
  beforeAll(async () => {
    platform = await openPlatform({ convert: { memoryBytes: hostileMemoryBytes } })
  })
  afterAll(() => platform.close())

  const convert = (name: string, content: Uint8Array<ArrayBuffer>) =>
    platform.call('POST', '/v1/documents/convert', { body: toForm('document', name, content), bearer: true })

  it.each(documents.map((document) => [document.name, document] as const))(
    'refuses %s with one sentence, and converts the next document',
    async (name, { content, status, says }) => {
      const response = await convert(name, content)
      const body = (await response.json()) as { error: { message: string } }
      expect(body.error.message).toContain(says)
      expect(body.error.message).toMatch(/^The [^\n]+\.$/)
      expect(response.status).toBe(status)
      const next = await convert('tides.xlsx', await readFixture('tides.xlsx'))
      expect(next.status).toBe(200)
      expect(await next.json()).toMatchObject({ markdown: expect.stringContaining('Gezeiten') })
    },
  )

  it('leaves no file behind', async () => {
    await convert('red.png', await readFixture('red.png'))
    const work = join(platform.dataDir, 'platform', 'work')
    expect(await readdir(work)).toEqual([])
  })

  it.each([
    ['slides.key', 'save it as PPTX or PDF'],
    ['plan.gdoc', 'only a link to a document; export the document as DOCX or PDF'],
    ['export.zip', 'it is an archive; unpack it'],
    ['tune.mp3', 'send PDF, DOCX'],
    ['nothing', 'without an extension'],
  ])('says about %s what would be taken', async (name, says) => {
    const response = await convert(name, new Uint8Array([1]))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(says) } })
  })
})
