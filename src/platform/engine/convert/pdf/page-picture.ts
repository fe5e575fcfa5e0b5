import { PNG } from 'pngjs'
import { ConvertError, type Source } from '../reader.ts'
import { type Box, loadNative, type NativePdf, QUIET_SETTINGS } from './native-reader.ts'
import { marksOf } from './page-marks.ts'
import { prepare, toPdfError } from './pdf.ts'

const POINTS_PER_INCH = 72
/** Small print can be read, and a page of A4 has 1.4 million pixels. */
const DPI = 120
/** Larger pages are drawn coarser, down to where nothing on them can be read. */
const MAX_PIXELS = 4_000_000
const MIN_DPI = 8

/** The page is seen through a mark: white becomes yellow. */
const MARK = [1, 0.92, 0.5] as const

/** Points around the words. */
const MARGIN = 1

function paint(picture: PNG, boxes: readonly Box[], scale: number): void {
  const { data, width, height } = picture
  const done = new Uint8Array(width * height)
  for (const box of boxes) {
    const left = Math.max(0, Math.floor((box.x - MARGIN) * scale))
    const right = Math.min(width, Math.ceil((box.x + box.width + MARGIN) * scale))
    const top = Math.max(0, Math.floor((box.y - MARGIN) * scale))
    const bottom = Math.min(height, Math.ceil((box.y + box.height + MARGIN) * scale))
    for (let y = top; y < bottom; y += 1) {
      for (let at = y * width + left; at < y * width + right; at += 1) {
        if (done[at] === 1) continue
        done[at] = 1
        for (const [part, share] of MARK.entries()) data[at * 4 + part] = (data[at * 4 + part] ?? 0) * share
      }
    }
  }
}

async function draw({ LiteParse }: NativePdf, bytes: Buffer, number: number, quote: string): Promise<Buffer> {
  const read = { ...QUIET_SETTINGS, targetPages: String(number), maxPages: 1_000_000 }
  const [page] = (await new LiteParse(read).parse(bytes)).pages
  const { width = 0, height = 0 } = page ?? {}
  if (page === undefined || !(width > 0 && height > 0)) throw new ConvertError('empty')
  const dpi = Math.min(DPI, Math.floor(Math.sqrt(MAX_PIXELS / (width * height)) * POINTS_PER_INCH))
  if (dpi < MIN_DPI) throw new ConvertError('heavy')
  const [shot] = await new LiteParse({ ...QUIET_SETTINGS, dpi }).screenshot(bytes, [number])
  if (shot === undefined) throw new ConvertError('empty')
  const marks = marksOf(page, quote)
  if (marks.length === 0) return shot.imageBuffer
  const picture = PNG.sync.read(shot.imageBuffer)
  paint(picture, marks, dpi / POINTS_PER_INCH)
  return PNG.sync.write(picture, { filterType: 0, deflateStrategy: 0, deflateLevel: 6 })
}

/**
 * A page of a PDF as a picture (PNG), with the words of the quote marked where the page has them.
 *
 * @throws {ConvertError}
 */
export async function drawPage(source: Source, page: number, quote: string): Promise<Buffer> {
  try {
    const native = loadNative()
    if (native === undefined) throw new ConvertError('empty')
    return await draw(native, prepare(source).bytes, page, quote)
  } catch (error) {
    throw toPdfError(error)
  }
}
