import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONVERT_LIMITS, createConverter, type Converter } from '#platform/engine/convert/converter.ts'
import { makeLargeWorkbook, makeLongDocument } from '#test/fixtures/documents/large.ts'

const query = { response_type: 'markdown', extract_tables_as_images: false, image_resolution_scale: 1 } as const

describe('large Office files that people write', () => {
  let folder: string
  let converter: Converter
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footbridge-large-'))
    // The child is killed above 300 MB; a machine under load may take longer.
    const limits = { ...CONVERT_LIMITS, memoryBytes: 300_000_000, readTimeoutMs: 120_000 }
    converter = createConverter(join(folder, 'work'), limits)
  })
  afterAll(async () => {
    await converter.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function read(name: string, bytes: Uint8Array): Promise<string> {
    const path = join(folder, name)
    await writeFile(path, bytes)
    const { markdown = '' } = await converter.convertDocument({ path, name, query })
    return markdown
  }

  it('reads a workbook of 60,000 rows of eight short texts within 300 MB', async () => {
    const markdown = await read('stock.xlsx', makeLargeWorkbook(60_000, 8))
    const lines = markdown.split('\n')
    // The name of the sheet and the rule below the header.
    expect(lines).toHaveLength(60_000 + 3)
    expect(lines.at(-1)).toMatch(/^\| ledger 59999 \| crane 60000 \|/)
  })

  it('reads a Word document of 12.6 MB of text and looks within 300 MB', async () => {
    const markdown = await read('manual.docx', makeLongDocument(2000))
    expect(markdown.split('\n\n')).toHaveLength(2000)
    expect(markdown.split(/\s+/)).toHaveLength(40_000)
  })
})
