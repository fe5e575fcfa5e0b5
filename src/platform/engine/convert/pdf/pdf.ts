import { PNG } from 'pngjs'
import { ConvertError, type PageText, type ReadDocument, type Source } from '../reader.ts'
import {
  loadNative,
  type NativeBlock,
  type NativeImage,
  type NativePage,
  type NativePdf,
  type NativeSettings,
  QUIET_SETTINGS,
  readBatches,
} from './native-reader.ts'
import { bestOf } from './layout/choose.ts'
import { extrasOf } from './page-extras.ts'
import { markdownOf, withoutLeaders } from './page-markdown.ts'
import { createNonsense, lettersOf } from './scans/nonsense.ts'
import { createRecognizer, isScan } from './scans/recognize.ts'
import { createRunningLines } from './running-lines.ts'
import { withoutOutline } from './file/outline.ts'
import { createSecondReader } from './second/second-reader.ts'
import { type Signs, signsOf } from './file/signs.ts'
import { toUnreadPages } from './scans/unread.ts'

/** Pages in memory at once: a 6,000-page document stays under 300 MB. */
const BATCH_SIZE = 20

const isPassword = (error: unknown) => error instanceof Error && /password/i.test(`${error.name} ${error.message}`)

export const toPdfError = (error: unknown): ConvertError => {
  if (error instanceof ConvertError) return error
  return new ConvertError(isPassword(error) ? 'encrypted' : 'broken', { cause: error })
}

type Prepared = Source & { readonly signs: Signs }

const joinBlocks = (...blocks: readonly string[]) => blocks.filter((block) => block !== '').join('\n\n')

interface ReadPage extends PageText {
  readonly native: NativePage
  /** Pictures of the whole batch, with its first page. */
  readonly images: readonly NativeImage[]
}

/** All pages in order, scanned ones by text recognition; an empty page has empty markdown. */
async function* readNativePages(
  native: NativePdf,
  source: Prepared,
  settings: NativeSettings,
): AsyncGenerator<ReadPage> {
  const { bytes, limits, query, signs, onPage, onNote, onStuck } = source
  // The reader stops after 1,000 pages by default, without an error.
  const parser = new native.LiteParse({
    ...QUIET_SETTINGS,
    maxPages: limits.pages,
    includeComplexity: true,
    keepHeadersFooters: true,
    extractAnnotations: true,
    extractFormFields: !signs.hasEndlessFields,
    ...settings,
  })
  // Pictures of tables are those of the native reader's tables.
  const second = createSecondReader(bytes, signs, query.extract_tables_as_images ? markdownOf : bestOf)
  const recognizer = createRecognizer(native, (page) => [bytes, page], limits.recognition, { onPage, onStuck })
  const nonsense = createNonsense()
  const withoutRepeats = createRunningLines()
  // The last page ends with the files attached to the document.
  let last: ReadPage | undefined
  try {
    for await (const { totalPages, pages, images } of readBatches(parser, bytes, BATCH_SIZE)) {
      if (totalPages > limits.pages) throw new ConvertError('too-many-pages')
      for (const [index, page] of pages.entries()) {
        const isNonsense = nonsense.isLikely(page)
        const scanned = isNonsense || isScan(page) ? await recognizer.read(page, totalPages, isNonsense) : undefined
        const hasMore = scanned !== undefined && lettersOf(scanned.text) > lettersOf(page.text)
        const best = isNonsense ? nonsense.choose(page, scanned) : hasMore ? scanned : page
        // An empty page comes as an empty code block.
        const isBlank = best.text.trim() === '' && isScan(page)
        const own = isBlank ? '' : withoutRepeats(withoutLeaders(await second.read(best)), page.pageNum)
        if (last !== undefined) yield last
        const markdown = joinBlocks(own, extrasOf(page))
        last = { page: page.pageNum, markdown, native: best, images: index === 0 ? images : [] }
      }
    }
  } finally {
    await second.close()
  }
  const attachments = signs.hasAttachments ? await (await import('./attachments.ts')).readAttachments(source) : ''
  if (last !== undefined) yield { ...last, markdown: joinBlocks(last.markdown, attachments) }
  const note = toUnreadPages(recognizer.unread)
  if (note !== undefined) onNote(note)
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
 * The bytes as the readers take them: some programs write others before the header, from which offsets count.
 *
 * @throws {ConvertError} where a reader would not end, and where rights management locks the pages.
 */
export function prepare(given: Source): Prepared {
  const start = given.bytes.subarray(0, 1024).indexOf('%PDF-')
  const whole = start > 0 ? given.bytes.subarray(start) : given.bytes
  // Its pages are locked, or one page that says so with the locked document attached.
  if (whole.includes('/MicrosoftIRMServices')) throw new ConvertError('rights')
  const signs = signsOf(whole)
  if (signs.isFlooded) throw new ConvertError('too-big')
  if (signs.hasHeavyPicture) throw new ConvertError('heavy')
  const bytes = signs.hasEndlessOutline ? withoutOutline(whole) : whole
  if (bytes === undefined) throw new ConvertError('broken')
  return { ...given, bytes, signs }
}

/**
 * Pages with text, as markdown (plain text where the native reader cannot be loaded).
 *
 * @throws {ConvertError}
 */
export async function* readPdf(given: Source): AsyncGenerator<PageText> {
  try {
    const source = prepare(given)
    const native = loadNative()
    if (native === undefined) {
      // Without a native reader for this machine the JavaScript one is used.
      yield* readPure(source.bytes, source.limits.pages)
      return
    }
    for await (const { page, markdown } of readNativePages(native, source, {})) {
      if (markdown !== '') yield { page, markdown }
    }
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

async function readNativeDocument(native: NativePdf, source: Prepared): Promise<readonly PageText[]> {
  const settings = {
    imageMode: 'placeholder',
    extractImages: true,
    extractBlocks: source.query.extract_tables_as_images,
  } as const
  const pages: PageText[] = []
  let hasText = false
  let images: readonly NativeImage[] = []
  const names = new Map<string, string>()
  for await (const read of readNativePages(native, source, settings)) {
    const { page, native: found, markdown: text } = read
    if (read.images.length > 0) images = read.images
    for (const { id, bytes } of read.images) names.set(id, source.pictures.add(bytes))
    // Markdown shows an image as ![](img_p1_1.png); the contract asks for the bare name.
    const named = text.replace(/!\[[^\]]*\]\(img_(\w+)\.\w+\)/g, (_, id: string) => names.get(id) ?? '')
    const markdown = nameTables(named, await cutTables(native, source, found)).trim()
    // Plain text names no picture.
    const pictures = images.flatMap(({ id, page: at }) => (at === page ? [names.get(id) ?? ''] : []))
    const unnamed = pictures.filter((name) => name !== '' && !markdown.includes(name))
    const shown = [markdown, ...unnamed].filter((part) => part !== '').join('\n\n')
    if (shown !== '') pages.push({ page, markdown: shown })
    hasText ||= text !== ''
  }
  // Pictures alone hold no text to read.
  return hasText ? pages : []
}

/** A PDF with its pictures. */
export const readPdfDocument: ReadDocument = async (given) => {
  try {
    const source = prepare(given)
    const native = loadNative()
    if (native === undefined) return await Array.fromAsync(readPure(source.bytes, source.limits.pages))
    return await readNativeDocument(native, source)
  } catch (error) {
    throw toPdfError(error)
  }
}
