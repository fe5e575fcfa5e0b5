import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONVERT_LIMITS, createConverter, type Converter } from '#platform/engine/convert/converter.ts'
import { marksOf } from '#platform/engine/convert/pdf/page-marks.ts'
import { ferryPages, makePdf, toPdfFile } from '#test/fixtures/pdf.ts'

/** Words of one height in lines that are 20 points apart. */
const page = (...lines: readonly string[]) => ({
  pageNum: 1,
  text: '',
  markdown: '',
  textItems: lines.map((text, line) => {
    const words = text.split(' ').map((word, at) => ({ text: word, x: at * 50, y: line * 20, width: 40, height: 10 }))
    return { text, x: 0, y: line * 20, width: 400, height: 10, words }
  }),
})

describe('the marks on a page', () => {
  it('cover the words of a quote, one box a line', () => {
    const read = page('The ferry to the', 'island leaves at 9:40', 'from pier seven today.')
    expect(marksOf(read, '**The ferry** to the island leaves at 9:40')).toEqual([
      { x: 0, y: 0, width: 190, height: 10 },
      { x: 0, y: 20, width: 190, height: 10 },
    ])
  })

  it('go on where one word has another form, and leave out a stretch that is there by chance', () => {
    const read = page('leaves from pier', 'a b c d e embark- ment', 'leaves from pier seven every day but Monday')
    expect(marksOf(read, 'It leaves from pier seven every fine day but Monday')).toEqual([
      { x: 0, y: 40, width: 390, height: 10 },
    ])
  })

  it('are drawn for one or two words only where these stand once', () => {
    expect(marksOf(page('one 28 two', 'three'), '28')).toEqual([{ x: 50, y: 0, width: 40, height: 10 }])
    expect(marksOf(page('one 28 two', '28'), '28')).toEqual([])
    expect(marksOf(page('one two'), '')).toEqual([])
    expect(marksOf({ pageNum: 1, text: '', markdown: '' }, 'a scan has no words')).toEqual([])
  })
})

/** Pixels that a mark made yellow. */
const yellow = ({ data }: PNG) => {
  let count = 0
  for (let at = 0; at < data.length; at += 4) {
    if (data[at] === 255 && data[at + 1] === 234 && data[at + 2] === 127) count += 1
  }
  return count
}

/** One empty square page. */
const sized = (points: number) =>
  toPdfFile([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${points} ${points}]>>`,
  ])

describe('the picture of a page', () => {
  let folder: string
  let converter: Converter
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footbridge-picture-'))
    converter = createConverter(join(folder, 'work'), CONVERT_LIMITS)
  })
  afterAll(async () => {
    await converter.close()
    await rm(folder, { recursive: true, force: true })
  })

  const draw = async (bytes: Uint8Array, number: number, quote = '') => {
    const path = join(folder, 'document')
    await writeFile(path, bytes)
    return PNG.sync.read(await converter.drawPage(path, { page: number, quote }))
  }
  it('has the passage marked on its own page alone, and leaves no file', async () => {
    const pdf = await makePdf(ferryPages)
    const quote = 'The ferry to the island leaves at 9:40 from pier seven every day except Monday.'
    const own = await draw(pdf, 2, quote)
    expect([own.width, own.height]).toEqual([1020, 1320])
    expect(yellow(own)).toBeGreaterThan(10_000)
    expect(yellow(own)).toBeLessThan(40_000)
    expect(yellow(await draw(pdf, 1, quote))).toBe(0)
    expect(await readdir(join(folder, 'work'))).toEqual([])
  })

  it('is refused where there is no such page, no PDF, or a page too large to be read', async () => {
    await expect(draw(await makePdf(ferryPages), 9)).rejects.toThrow('PDF')
    await expect(draw(Buffer.from('no PDF at all'), 1)).rejects.toThrow('damaged')
    const large = await draw(sized(14_400), 1)
    expect(large.width * large.height).toBeLessThan(4_100_000)
    await expect(draw(sized(90_000), 1)).rejects.toThrow('too large to be drawn')
  })
})
