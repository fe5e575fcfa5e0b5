import { ConvertError } from './failure.ts'
import { loadNative, readBatches, type NativePdf } from './pdf-native.ts'
import type { PageText } from './protocol.ts'

/** Pages held in memory at once: a 6,000-page document stays under 300 MB. */
export const batchSize = 20

const isPassword = (error: unknown) =>
  error instanceof Error && /password/i.test(`${error.name} ${error.message}`)

export const toPdfError = (error: unknown): ConvertError => {
  if (error instanceof ConvertError) return error
  return new ConvertError(isPassword(error) ? 'encrypted' : 'broken', { cause: error })
}

/** Text recognition stays off where its data is not given: else it would fetch them from the network. */
export const quietly = {
  ocrEnabled: false,
  outputFormat: 'markdown',
  imageMode: 'off',
  continueOnPageError: true,
  quiet: true,
  numWorkers: 1,
} as const

/** A short page may be taken for a running header as a whole, and left out of the markdown. */
export const markdownOf = ({
  markdown,
  text,
}: {
  readonly markdown: string
  readonly text: string
}): string => (markdown.trim() === '' ? text.trim() : markdown)

async function* readNative(
  { LiteParse }: NativePdf,
  bytes: Buffer,
  maxPages: number,
): AsyncGenerator<PageText> {
  // Unasked, the reader stops after 1,000 pages and says nothing.
  const parser = new LiteParse({ ...quietly, maxPages })
  for await (const batch of readBatches(parser, bytes, batchSize)) {
    if (batch.totalPages > maxPages) throw new ConvertError('too-many-pages')
    for (const page of batch.pages) {
      // An empty page comes as an empty code block.
      if (page.text.trim() !== '') yield { page: page.pageNum, markdown: markdownOf(page) }
    }
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
