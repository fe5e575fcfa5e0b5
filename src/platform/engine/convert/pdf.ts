import { readFile } from 'node:fs/promises'
import type * as LiteParseModule from '@llamaindex/liteparse'
import type { ConvertFailure } from './protocol.ts'

export interface PdfPageText {
  readonly page: number
  readonly markdown: string
}

/** What a PDF fails with; the parent makes a sentence of it. */
export class PdfError extends Error {
  override readonly name = 'PdfError'
  readonly failure: ConvertFailure

  constructor(failure: ConvertFailure, cause?: unknown) {
    super(failure, cause === undefined ? undefined : { cause })
    this.failure = failure
  }
}

/** Pages held in memory at once: a 6,000-page document stays under 200 MB. */
const batchSize = 20

type Native = typeof LiteParseModule

async function loadNative(): Promise<Native | undefined> {
  // A native part: where none was built for this machine, the pure one below takes over.
  return import('@llamaindex/liteparse').catch(() => undefined)
}

const isPassword = (error: unknown) =>
  error instanceof Error && /password/i.test(`${error.name} ${error.message}`)

const toPdfError = (error: unknown) => {
  if (error instanceof PdfError) return error
  return new PdfError(isPassword(error) ? 'encrypted' : 'broken', error)
}

async function* readNative(
  { LiteParse }: Native,
  bytes: Buffer,
  maxPages: number,
): AsyncGenerator<PdfPageText> {
  const parser = new LiteParse({
    // Text recognition would fetch its data from the network.
    ocrEnabled: false,
    outputFormat: 'markdown',
    imageMode: 'off',
    continueOnPageError: true,
    quiet: true,
    numWorkers: 1,
  })
  for await (const batch of parser.parseBatches(bytes, { batchSize })) {
    if (batch.totalPages > maxPages) throw new PdfError('too-many-pages')
    for (const page of batch.result.pages) {
      // An empty page comes as an empty code block.
      if (page.text.trim() !== '') yield { page: page.pageNum, markdown: page.markdown }
    }
  }
}

async function* readPure(bytes: Buffer, maxPages: number): AsyncGenerator<PdfPageText> {
  const { extractText, getDocumentProxy } = await import('unpdf')
  const document = await getDocumentProxy(new Uint8Array(bytes))
  if (document.numPages > maxPages) throw new PdfError('too-many-pages')
  const { text } = await extractText(document, { mergePages: false })
  for (const [index, page] of text.entries()) {
    if (page.trim() !== '') yield { page: index + 1, markdown: page }
  }
}

/**
 * Pages of a PDF that hold text, as markdown (plain text where the native reader cannot be loaded).
 *
 * @throws {PdfError}
 */
export async function* readPdf(path: string, maxPages: number): AsyncGenerator<PdfPageText> {
  const bytes = await readFile(path)
  try {
    const native = await loadNative()
    yield* native === undefined ? readPure(bytes, maxPages) : readNative(native, bytes, maxPages)
  } catch (error) {
    throw toPdfError(error)
  }
}
