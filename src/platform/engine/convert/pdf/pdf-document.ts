import { PNG } from 'pngjs'
import { BATCH_SIZE, createSecondReader, QUIET_SETTINGS, readPure, toPdfError } from './pdf-pages.ts'
import {
  findTessdata,
  loadNative,
  type NativeBlock,
  type NativePage,
  type NativePdf,
  readBatches,
  OCR_SETTINGS,
} from './native-reader.ts'
import { ConvertError, type PageText, type ReadDocument, type Source } from '../reader.ts'

/** Points an inch; scale 1 shows a table as large as it is on paper. */
const POINTS_PER_INCH = 72
/** Around a table, in points. */
const MARGIN = 4

/** Pictures of larger pages are not cut: decoded, they take four bytes a pixel. */
const MAX_PIXELS = 50_000_000

interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** An area of a PNG as a PNG; undefined when it lies outside, or the PNG is too large. */
export function cropPng(png: Buffer, area: Area): Buffer | undefined {
  const [fullWidth, fullHeight] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  if (fullWidth * fullHeight > MAX_PIXELS) return undefined
  const x = Math.max(0, area.x)
  const y = Math.max(0, area.y)
  const width = Math.min(fullWidth, area.x + area.width) - x
  const height = Math.min(fullHeight, area.y + area.height) - y
  if (width <= 0 || height <= 0) return undefined
  const cut = new PNG({ width, height })
  PNG.bitblt(PNG.sync.read(png), cut, x, y, width, height, 0, 0)
  // Rows without a filter: pages are flat, and the others make them half as large again.
  return PNG.sync.write(cut, { filterType: 0, deflateStrategy: 0, deflateLevel: 6 })
}

const tablesOf = (page: NativePage): readonly Required<NativeBlock>[] =>
  (page.blocks ?? []).flatMap((block) =>
    block.kind === 'table' && block.bbox !== undefined ? [{ ...block, bbox: block.bbox }] : [],
  )

/** Pictures of the tables of one page, cut from a picture of the page. */
async function cutTables(native: NativePdf, source: Source, page: NativePage): Promise<readonly string[]> {
  const tables = tablesOf(page)
  if (!source.query.extract_tables_as_images || tables.length === 0) return []
  const scale = source.query.image_resolution_scale
  const renderer = new native.LiteParse({ ...QUIET_SETTINGS, dpi: POINTS_PER_INCH * scale })
  const [shot] = await renderer.screenshot(source.bytes, [page.pageNum])
  if (shot === undefined) return []
  return tables.flatMap(({ bbox }) => {
    const cut = cropPng(shot.imageBuffer, {
      x: Math.round((bbox.x - MARGIN) * scale),
      y: Math.round((bbox.y - MARGIN) * scale),
      width: Math.round((bbox.width + 2 * MARGIN) * scale),
      height: Math.round((bbox.height + 2 * MARGIN) * scale),
    })
    const name = cut === undefined ? '' : source.pictures.add(cut, 'table')
    return name === '' ? [] : [name]
  })
}

/** Puts the name of a table's picture before the table: the n-th table of the text is the n-th block of that kind. */
function nameTables(markdown: string, names: readonly string[]): string {
  let next = 0
  return markdown.replace(/^\|.*\n\|(?:\s*:?-+:?\s*\|)+$/gm, (head) => {
    const name = names[next]
    next += 1
    return name === undefined ? head : `${name}\n\n${head}`
  })
}

async function readNative(
  native: NativePdf,
  source: Source,
  tessdataPath?: string,
): Promise<{ pages: PageText[]; hasText: boolean }> {
  const parser = new native.LiteParse({
    ...QUIET_SETTINGS,
    maxPages: source.limits.pages,
    imageMode: 'placeholder',
    extractImages: true,
    extractBlocks: source.query.extract_tables_as_images,
    ...(tessdataPath === undefined ? {} : { ...OCR_SETTINGS, tessdataPath }),
  })
  const second = createSecondReader(source.bytes)
  const pages: PageText[] = []
  let hasText = false
  try {
    for await (const { totalPages, ...result } of readBatches(parser, source.bytes, BATCH_SIZE)) {
      if (totalPages > source.limits.pages) throw new ConvertError('too-many-pages')
      const names = new Map<string, string>()
      for (const { id, bytes } of result.images) names.set(id, source.pictures.add(bytes))
      for (const page of result.pages) {
        // Markdown shows an image as ![](img_p1_1.png); the contract asks for the bare name.
        const named = (await second.read(page)).replace(
          /!\[[^\]]*\]\(img_(\w+)\.\w+\)/g,
          (_, id: string) => names.get(id) ?? '',
        )
        const markdown = nameTables(named, await cutTables(native, source, page)).trim()
        const pictures = result.images.flatMap(({ id, page: at }) =>
          at === page.pageNum ? [names.get(id) ?? ''] : [],
        )
        const isBlank = page.text.trim() === ''
        // Plain text names no picture. An empty page comes as an empty code block.
        const unnamed = pictures.filter((name) => name !== '' && (isBlank || !markdown.includes(name)))
        const shown = [...(isBlank ? [] : [markdown]), ...unnamed].join('\n\n')
        if (shown !== '') pages.push({ page: page.pageNum, markdown: shown })
        hasText ||= !isBlank
      }
    }
  } finally {
    await second.close()
  }
  return { pages, hasText }
}

/** A PDF with its pictures; a scanned one by text recognition where this machine has the data for it. */
export const readPdfDocument: ReadDocument = async (source) => {
  try {
    const native = loadNative()
    if (native === undefined) return await Array.fromAsync(readPure(source.bytes, source.limits.pages))
    const read = await readNative(native, source)
    if (read.hasText) return read.pages
    const tessdata = findTessdata()
    const again = tessdata === undefined ? read : await readNative(native, source, tessdata)
    // Pictures without a word are nothing that could be read.
    return again.hasText ? again.pages : []
  } catch (error) {
    throw toPdfError(error)
  }
}
