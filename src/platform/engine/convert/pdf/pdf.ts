import { PNG } from 'pngjs'
import { ConvertError, type PageText, type ReadDocument, type Source } from '../reader.ts'
import {
  findTessdata,
  loadNative,
  type NativeBlock,
  type NativePage,
  type NativePdf,
  OCR_SETTINGS,
  readBatches,
} from './native-reader.ts'
import { isSideways, markdownOf } from './page-markdown.ts'

/** Pages in memory at once: a 6,000-page document stays under 300 MB. */
const BATCH_SIZE = 20

const isPassword = (error: unknown) => error instanceof Error && /password/i.test(`${error.name} ${error.message}`)

const toPdfError = (error: unknown): ConvertError => {
  if (error instanceof ConvertError) return error
  return new ConvertError(isPassword(error) ? 'encrypted' : 'broken', { cause: error })
}

/** Text recognition is off without local data: the reader would download it. */
export const QUIET_SETTINGS = {
  ocrEnabled: false,
  outputFormat: 'markdown',
  imageMode: 'off',
  continueOnPageError: true,
  quiet: true,
  numWorkers: 1,
} as const

/** Reads single pages again where the native reader failed. Opens the document with the first of them. */
function createSecondReader(bytes: Buffer) {
  let opening: ReturnType<typeof open> | undefined
  async function open() {
    const { getDocumentProxy } = await import('unpdf')
    return getDocumentProxy(new Uint8Array(bytes))
  }
  async function readLines(pageNumber: number): Promise<string> {
    opening ??= open()
    const page = await (await opening).getPage(pageNumber)
    const { items } = await page.getTextContent()
    return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
  }
  return {
    /** Plain lines of a sideways page; `markdownOf` for all others. */
    async read(page: NativePage): Promise<string> {
      // The second reader may refuse a file that the first one opened.
      const lines = isSideways(page) ? await readLines(page.pageNum).catch(() => '') : ''
      return lines.trim() === '' ? markdownOf(page) : lines.trim()
    },
    async close(): Promise<void> {
      const document = await opening?.catch(() => undefined)
      await document?.loadingTask.destroy()
    },
  }
}

async function* readNativePages({ LiteParse }: NativePdf, bytes: Buffer, maxPages: number): AsyncGenerator<PageText> {
  // The reader stops after 1,000 pages by default, without an error.
  const parser = new LiteParse({ ...QUIET_SETTINGS, maxPages })
  const second = createSecondReader(bytes)
  try {
    for await (const batch of readBatches(parser, bytes, BATCH_SIZE)) {
      if (batch.totalPages > maxPages) throw new ConvertError('too-many-pages')
      for (const page of batch.pages) {
        // An empty page comes as an empty code block.
        if (page.text.trim() !== '') yield { page: page.pageNum, markdown: await second.read(page) }
      }
    }
  } finally {
    await second.close()
  }
}

export async function* readPure(bytes: Buffer, maxPages: number): AsyncGenerator<PageText> {
  const { extractText, getDocumentProxy } = await import('unpdf')
  const document = await getDocumentProxy(new Uint8Array(bytes))
  if (document.numPages > maxPages) throw new ConvertError('too-many-pages')
  const { text } = await extractText(document, { mergePages: false })
  for (const [index, page] of text.entries()) {
    if (page.trim() !== '') yield { page: index + 1, markdown: page }
  }
}

/**
 * Pages with text, as markdown (plain text where the native reader cannot be loaded).
 *
 * @throws {ConvertError}
 */
export async function* readPdf(bytes: Buffer, maxPages: number): AsyncGenerator<PageText> {
  try {
    const native = loadNative()
    // Without a native reader for this machine the JavaScript one is used.
    yield* native === undefined ? readPure(bytes, maxPages) : readNativePages(native, bytes, maxPages)
  } catch (error) {
    throw toPdfError(error)
  }
}

/** Points per inch; scale 1 is the size on paper. */
const POINTS_PER_INCH = 72
/** Margin around a table, in points. */
const MARGIN = 4

/** Larger page pictures are not cropped: decoded, they take four bytes a pixel. */
const MAX_PIXELS = 50_000_000

interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Crops a PNG; undefined when the area is outside, or the PNG is too large. */
function cropPng(png: Buffer, area: Area): Buffer | undefined {
  const [fullWidth, fullHeight] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  if (fullWidth * fullHeight > MAX_PIXELS) return undefined
  const x = Math.max(0, area.x)
  const y = Math.max(0, area.y)
  const width = Math.min(fullWidth, area.x + area.width) - x
  const height = Math.min(fullHeight, area.y + area.height) - y
  if (width <= 0 || height <= 0) return undefined
  const cut = new PNG({ width, height })
  PNG.bitblt(PNG.sync.read(png), cut, x, y, width, height, 0, 0)
  // PNG rows without a filter: for flat pages the other filters make the file half as large again.
  return PNG.sync.write(cut, { filterType: 0, deflateStrategy: 0, deflateLevel: 6 })
}

const tablesOf = (page: NativePage): readonly Required<NativeBlock>[] =>
  (page.blocks ?? []).flatMap((block) =>
    block.kind === 'table' && block.bbox !== undefined ? [{ ...block, bbox: block.bbox }] : [],
  )

/** Pictures of the tables of one page, cropped from its picture. */
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

/** Inserts the name of a table's picture before the table: the n-th table of the text is the n-th table block. */
function nameTables(markdown: string, names: readonly string[]): string {
  let next = 0
  return markdown.replace(/^\|.*\n\|(?:\s*:?-+:?\s*\|)+$/gm, (head) => {
    const name = names[next]
    next += 1
    return name === undefined ? head : `${name}\n\n${head}`
  })
}

async function readNativeDocument(
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
    ...(tessdataPath !== undefined && { ...OCR_SETTINGS, tessdataPath }),
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
        const pictures = result.images.flatMap(({ id, page: at }) => (at === page.pageNum ? [names.get(id) ?? ''] : []))
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
    const read = await readNativeDocument(native, source)
    if (read.hasText) return read.pages
    const tessdata = findTessdata()
    const again = tessdata === undefined ? read : await readNativeDocument(native, source, tessdata)
    // Pictures alone hold no text to read.
    return again.hasText ? again.pages : []
  } catch (error) {
    throw toPdfError(error)
  }
}
