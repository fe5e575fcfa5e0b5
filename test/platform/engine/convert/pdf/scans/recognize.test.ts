/** Scans and screenshots, drawn for the purpose. */
import { PNG } from 'pngjs'
import { expect, it } from 'vitest'
import { inLong } from '#test/support/forms.ts'
import { readImage } from '#platform/engine/convert/images/image.ts'
import { readPdf } from '#platform/engine/convert/pdf/pdf.ts'
import { toSource } from '#test/fixtures/documents/source.ts'
import { createRecognizer } from '#platform/engine/convert/pdf/scans/recognize.ts'
import type { NativePdf, NativeSettings } from '#platform/engine/convert/pdf/native-reader.ts'
import { bindPages, makeFormScan, makePictures, makeScan, type ScanOptions, toTiff } from '#test/fixtures/scan.ts'

const tides =
  'The harbour office measures the tide twice a day. High water comes about fifty minutes later each day, and the pier ' +
  'is closed when the wind is stronger than eight. Deposits are returned within fourteen days after the boat is back.'
const gezeiten =
  'Das Hafenbüro misst die Gezeiten zweimal täglich. Bei Sturm über Windstärke acht wird die Brücke für Fußgänger ' +
  'geschlossen; der Schlüssel liegt beim Wärter. Gebühren für Liegeplätze werden jährlich im März geändert.'

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
function recall(truth: string, read: string): number {
  const found = new Set(wordsOf(read))
  const words = wordsOf(truth)
  return words.filter((word) => found.has(word)).length / words.length
}

const read = async (bytes: Uint8Array, limits = {}) => {
  const source = toSource(bytes, { limits })
  return { pages: await Array.fromAsync(readPdf(source)), ...source }
}

async function readsScan(options: ScanOptions): Promise<void> {
  const { pages, begun, notes } = await read(await makeScan([{ text: tides }], options))
  const markdown = pages.map((page) => page.markdown).join(' ')
  expect(recall(tides, markdown)).toBeGreaterThan(0.95)
  expect(markdown.replace(/\s+/g, ' ')).toContain('when the wind is stronger than eight')
  expect(begun).toEqual(['1 of 1'])
  expect(notes).toEqual([])
}

async function readsAskew(options: ScanOptions): Promise<void> {
  const [picture = Buffer.alloc(0)] = await makePictures([{ text: tides }], options)
  const { pages } = await read(await bindPages([picture]))
  const [image] = await readImage(toSource(picture))
  for (const markdown of [pages[0]?.markdown ?? '', image?.markdown ?? '']) {
    expect(recall(tides, markdown)).toBeGreaterThan(0.95)
    expect(markdown.replace(/\s+/g, ' ')).toContain('when the wind is stronger than eight')
    expect(markdown).not.toContain('|')
  }
}

const TURNED: readonly ScanOptions[] = [{ isNoisy: true }, { turn: 90 }, { turn: 180 }, { turn: 270 }]
const ASKEW: readonly ScanOptions[] = [
  { skew: -5 },
  { skew: 2, isNoisy: true },
  { skew: 3, turn: 90 },
  { skew: -5, colours: { ink: [0, 0, 0], paper: [230, 0, 126] } },
  { skew: -5, colours: { ink: [0, 255, 255], paper: [255, 255, 255] } },
]
// oxlint-disable vitest/expect-expect -- the two functions have the assertions
it('reads a scan', () => readsScan({}))
it.each(TURNED)('reads a scan: %j', inLong, readsScan)
it('reads a page that lies askew, as a PDF and as a picture', () => readsAskew({ skew: 3 }))
it.each(ASKEW)('reads a page that lies askew, as a PDF and as a picture: %j', inLong, readsAskew)
// oxlint-enable vitest/expect-expect

it('reads small print that lies askew as finely as it was scanned', inLong, async () => {
  const numbers = Array.from({ length: 200 }, (_, at) => (at * 7919 + 104_729) % 99_991).join(' ')
  const [picture = Buffer.alloc(0)] = await makePictures([{ text: `${tides} ${numbers}`, size: 5 }], {
    skew: 2,
    dpi: 300,
  })
  const { pages } = await read(await bindPages([picture], 300))
  expect(recall(`${tides} ${numbers}`, pages[0]?.markdown ?? '')).toBeGreaterThan(0.99)
})

it('reads the scanned page inside a PDF with text, and German in it', async () => {
  const [picture = Buffer.alloc(0)] = await makePictures([{ text: gezeiten }])
  const { pages, begun } = await read(await bindPages([tides, picture, tides]))
  expect(pages.map(({ page }) => page)).toEqual([1, 2, 3])
  expect(recall(gezeiten, pages[1]?.markdown ?? '')).toBeGreaterThan(0.95)
  expect(begun).toEqual(['2 of 3'])
})

it('reads a page whose picture lies within a form, and takes no time for a blank one', inLong, async () => {
  const [picture = Buffer.alloc(0)] = await makePictures([{ text: tides }])
  const { pages, begun } = await read(makeFormScan(picture))
  expect(pages.map(({ page }) => page)).toEqual([1])
  expect(recall(tides, pages[0]?.markdown ?? '')).toBeGreaterThan(0.95)
  expect(begun).toEqual(['1 of 2'])
})

it('reads what the time allows, and says which pages are missing', async () => {
  const pictures = await makePictures([{ text: tides }])
  const document = await bindPages([tides, ...pictures, ...pictures])
  const { recognition } = toSource('').limits
  const { pages, notes } = await read(document, { recognition: { ...recognition, totalMs: 1 } })
  expect(pages.map(({ page }) => page)).toEqual([1])
  expect(notes).toEqual([expect.stringMatching(/^Pages 2–3 are pictures that could not be read in the time allowed/)])
})

it('calls a page too large where it had to be drawn coarser and nothing was read', async () => {
  const stripes = new PNG({ width: 400, height: 400 })
  stripes.data.fill(255)
  for (let at = 0; at < stripes.data.length; at += 4)
    if (Math.floor(at / 160) % 2 === 0) stripes.data.fill(0, at, at + 3)
  const { pages, notes } = await read(makeFormScan(PNG.sync.write(stripes), 6))
  expect(pages).toEqual([])
  expect(notes).toEqual([
    'Page 1 is a picture too large to be searched for text: save what is missing smaller and send it again.',
  ])
})

it('says so where no language is set up', async () => {
  const { recognition } = toSource('').limits
  const limits = { recognition: { ...recognition, languages: [] } }
  const { pages, notes } = await read(await makeScan([{ text: tides }]), limits)
  expect(pages).toEqual([])
  expect(notes).toEqual([expect.stringMatching(/^Page 1 is a picture, and no text recognition is set up here/)])
})

it('reads a screenshot', async () => {
  const [picture = Buffer.alloc(0)] = await makePictures([{ text: tides }], { dpi: 96 })
  const [page] = await readImage(toSource(picture))
  expect(page?.markdown).toMatch(/^PNG image, 816 × 1056 pixels\n/)
  expect(recall(tides, page?.markdown ?? '')).toBeGreaterThan(0.95)
})

it('reads a picture of a page in the order in which a scanned PDF is read', inLong, async () => {
  const low =
    'The roller door was tested in autumn and its spring was replaced, as was the sensor near row six. No one was near. ' +
    'Our new crane can move over us now; a van ran on up to a room, so we saw more waves. Now we are sure to save some.'
  const [picture = Buffer.alloc(0)] = await makePictures([{ text: low }], { dpi: 300 })
  const [page] = await readImage(toSource(picture))
  const scanned = await read(await bindPages([picture], 300))
  const words = wordsOf(page?.markdown ?? '').join(' ')
  expect(words).toContain(
    'the roller door was tested in autumn and its spring was replaced as was the sensor near row six',
  )
  expect(words).toContain(wordsOf(scanned.pages[0]?.markdown ?? '').join(' '))
})

it('reads all pages of a TIFF', inLong, async () => {
  const pictures = await makePictures([{ text: tides }, { text: gezeiten }], { dpi: 150 })
  const source = toSource(toTiff(pictures), { name: 'a.tif' })
  const pages = await readImage(source)
  expect(pages.map(({ page }) => page)).toEqual([1, 2])
  expect(recall(tides, pages[0]?.markdown ?? '')).toBeGreaterThan(0.95)
  expect(recall(gezeiten, pages[1]?.markdown ?? '')).toBeGreaterThan(0.95)
  // A directory that names itself as the next one.
  const endless = Buffer.from(source.bytes)
  endless.writeUInt32LE(
    endless.readUInt32LE(4),
    endless.readUInt32LE(4) + 2 + endless.readUInt16LE(endless.readUInt32LE(4)) * 12,
  )
  expect(await readImage(toSource(endless, { name: 'a.tif' }))).toHaveLength(1)
})

it.each([
  ['a clear page takes one look', { '200': 0.95 }, ['200']],
  ['an unsure one a closer look', { '200': 0.8, '300': 0.9 }, ['200', '300']],
  ['one upside down is turned', { '200': 0.5, '200 180': 0.9 }, ['200', '200 180']],
])('%s', async (_, confidences: Readonly<Record<string, number>>, shots) => {
  const taken: string[] = []
  class LiteParse {
    readonly settings: NativeSettings
    constructor(settings: NativeSettings) {
      this.settings = settings
    }
    parse() {
      const { dpi = 0, pageOrientationCorrections: [turn] = [] } = this.settings
      const shot = turn === undefined ? `${dpi}` : `${dpi} ${turn.angle}`
      taken.push(shot)
      const textItems = [{ text: 'harbour', width: 40, height: 10, confidence: confidences[shot] ?? 0.1 }]
      return Promise.resolve({ pages: [{ pageNum: 1, text: 'harbour', markdown: shot, textItems }], images: [] })
    }
  }
  const native = { LiteParse } as unknown as NativePdf
  const { recognition } = toSource('').limits
  const recognizer = createRecognizer(native, (page) => [Buffer.from('a picture'), page], recognition, {
    onPage: () => undefined,
  })
  const page = await recognizer.read({ pageNum: 1, text: '', markdown: '', width: 600, height: 800 }, 1)
  expect(taken).toEqual(shots)
  expect(page?.markdown).toBe(shots.at(-1))
})

it('takes no letters for words in a picture without any', inLong, async () => {
  const [picture = Buffer.alloc(0)] = await makePictures([{ text: ' ' }], { isNoisy: true, dpi: 72 })
  const [page] = await readImage(toSource(picture))
  expect(page?.markdown).toBe('PNG image, 612 × 792 pixels')
})

it('reads a scan anew whose text layer says something else, and leaves a right one alone', async () => {
  const pictures = await makePictures([{ text: tides.repeat(4) }])
  const shifted = tides
    .repeat(4)
    .replace(/[a-z]/g, (letter) => String.fromCharCode(97 + ((letter.charCodeAt(0) - 86) % 26)))
  const wrong = await read(await bindPages(pictures, 200, shifted))
  expect(recall(tides, wrong.pages.map(({ markdown }) => markdown).join(' '))).toBeGreaterThan(0.95)
  expect(wrong.pages.map(({ markdown }) => markdown).join(' ')).not.toContain(shifted.slice(0, 20))
  const right = await read(await bindPages(pictures, 200, tides.repeat(4)))
  expect(right.begun).toEqual([])
})
