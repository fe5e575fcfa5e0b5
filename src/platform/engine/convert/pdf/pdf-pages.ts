import { ConvertError, type PageText } from '../reader.ts'
import { loadNative, type NativePage, type NativePdf, readBatches } from './native-reader.ts'
import { isSideways, markdownOf } from './page-markdown.ts'

/** Pages held in memory at once: a 6,000-page document stays under 300 MB. */
export const BATCH_SIZE = 20

const isPassword = (error: unknown) =>
  error instanceof Error && /password/i.test(`${error.name} ${error.message}`)

export const toPdfError = (error: unknown): ConvertError => {
  if (error instanceof ConvertError) return error
  return new ConvertError(isPassword(error) ? 'encrypted' : 'broken', { cause: error })
}

/** Text recognition stays off where its data is not given: else it would fetch them from the network. */
export const QUIET_SETTINGS = {
  ocrEnabled: false,
  outputFormat: 'markdown',
  imageMode: 'off',
  continueOnPageError: true,
  quiet: true,
  numWorkers: 1,
} as const

/** Reads single pages anew that the native reader makes little of. Opens the document with the first of them. */
export function createSecondReader(bytes: Buffer) {
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
    /** Plain lines of a page that is written sideways; of all others what `markdownOf` says. */
    async read(page: NativePage): Promise<string> {
      // What one reader can open the other may not.
      const lines = isSideways(page) ? await readLines(page.pageNum).catch(() => '') : ''
      return lines.trim() === '' ? markdownOf(page) : lines.trim()
    },
    async close(): Promise<void> {
      const document = await opening?.catch(() => undefined)
      await document?.loadingTask.destroy()
    },
  }
}

async function* readNative(
  { LiteParse }: NativePdf,
  bytes: Buffer,
  maxPages: number,
): AsyncGenerator<PageText> {
  // Unasked, the reader stops after 1,000 pages and says nothing.
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
 * Pages of a PDF that hold text, as markdown (plain text where the native reader cannot be loaded).
 *
 * @throws {ConvertError}
 */
export async function* readPdf(bytes: Buffer, maxPages: number): AsyncGenerator<PageText> {
  try {
    const native = loadNative()
    // Where no native part was built for this machine the pure one takes over.
    yield* native === undefined ? readPure(bytes, maxPages) : readNative(native, bytes, maxPages)
  } catch (error) {
    throw toPdfError(error)
  }
}
