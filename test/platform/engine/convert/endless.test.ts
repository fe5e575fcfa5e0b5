/** Small files that held a reader, or filled its memory. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONVERT_LIMITS, createConverter, type Converter } from '#platform/engine/convert/converter.ts'
import { checkCompoundFile } from '#platform/engine/convert/old/compound-file.ts'
import { signsOf } from '#platform/engine/convert/pdf/file/signs.ts'
import {
  circularOffice,
  circularPdfs,
  makeManyTexts,
  makePackedOutline,
  makeScans,
} from '#test/fixtures/documents/endless.ts'
import { makeDoc, makeWorkbook } from '#test/fixtures/documents/old-office.ts'
import { readFixture } from '#test/fixtures/documents/read.ts'
import { bindPages, makePictures } from '#test/fixtures/scan.ts'

const query = { response_type: 'markdown', extract_tables_as_images: false, image_resolution_scale: 1 } as const
const words = 'The harbour fee is forty euros a night'

const childrenOf = () =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter((child) => child !== '')

describe('files that hold their reader', () => {
  let folder: string
  let picture: Buffer
  const open: Converter[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footbridge-endless-'))
    ;[picture = Buffer.alloc(0)] = await makePictures([{ text: words }], { dpi: 110 })
  })
  afterAll(async () => {
    await Promise.all(open.map((converter) => converter.close()))
    await rm(folder, { recursive: true, force: true })
  })

  /** Converts with one child: the next document meets the traces of the one before. */
  function create(limits: Partial<typeof CONVERT_LIMITS> = {}) {
    const converter = createConverter(join(folder, 'work'), { ...CONVERT_LIMITS, processes: 1, ...limits })
    open.push(converter)
    return async (name: string, bytes: Uint8Array) => {
      const path = join(folder, 'document')
      await writeFile(path, bytes)
      return converter.convertDocument({ path, name, query })
    }
  }

  it('ends a child whose recognition is late, and says that the picture was not read', async () => {
    const { recognition } = CONVERT_LIMITS
    const late = create({ recognition: { ...recognition, pageMs: 1 } })
    const before = childrenOf().length
    const result = await late('a.png', picture)
    expect(result.note).toMatch(/^Text in the picture could not be read in the time allowed/)
    expect(result.markdown).toContain(`*${result.note}*`)
    await expect.poll(() => childrenOf().length).toBe(before)
  })

  it('decodes no picture of thousands of scans, and reads the next one', async () => {
    const convert = create()
    const result = await convert('a.jpg', makeScans(20_000))
    expect(result.note).toMatch(/too large to be searched for text/)
    const bound = await bindPages([words.repeat(20), makeScans(101)])
    await expect(convert('a.pdf', bound)).rejects.toThrow(
      'holds a picture that is too large to be drawn: save it smaller',
    )
    const next = await convert('b.png', picture)
    expect(next.markdown?.replace(/\s+/g, ' ')).toContain(words)
    expect(next.note).toBeUndefined()
  })

  it.each(circularPdfs())('reads a PDF with a circle: %s', async (_, content) => {
    const { markdown } = await create()('a.pdf', content)
    expect(markdown).toContain('Rules of the harbour')
  })

  it('refuses at once what cannot be read to its end', async () => {
    const convert = create()
    await expect(convert('a.pdf', makePackedOutline())).rejects.toThrow('damaged')
    await expect(convert('a.pdf', makeManyTexts(250_000))).rejects.toThrow('more than is allowed')
    for (const [name, content] of circularOffice()) {
      // oxlint-disable-next-line no-await-in-loop -- one child
      await expect(convert(name, content)).rejects.toThrow('damaged')
    }
  })

  it('takes sound containers and outlines', async () => {
    for (const content of [makeDoc('a'.repeat(9000)), makeWorkbook('Fees', [['Day', 2]], 'biff8')])
      expect(() => checkCompoundFile(content)).not.toThrow()
    const handbook = await readFile(new URL('../../../fixtures/documents/handbook.pdf', import.meta.url))
    expect(signsOf(handbook)).toMatchObject({ hasEndlessOutline: false, hasEndlessFields: false })
  })

  it('renews a child that holds much of what it read, also while documents wait', async () => {
    const before = childrenOf()
    const convert = create({ renewBytes: 1 })
    const sheet = await readFixture('tides.xlsx')
    const children = new Set<string>()
    const read = await Promise.all(
      [1, 2, 3].map(async () => {
        const { markdown } = await convert('tides.xlsx', sheet)
        for (const child of childrenOf()) children.add(child)
        return markdown?.includes('Gezeiten')
      }),
    )
    expect(read).toEqual([true, true, true])
    expect(children.difference(new Set(before)).size).toBeGreaterThan(1)
  })
})
