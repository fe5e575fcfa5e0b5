import { createRequire } from 'node:module'

/** Text recognition is off where it is not asked for: the reader would download its data. */
export const QUIET_SETTINGS = {
  ocrEnabled: false,
  outputFormat: 'markdown',
  imageMode: 'off',
  continueOnPageError: true,
  quiet: true,
  numWorkers: 1,
} as const

// The platform packages are loaded directly. Their parent package holds a second copy of the native part (33 MB, for a
// newer C library than Debian 12 has).

/** Packages by `process.platform` and `process.arch`, one for each C library. */
export const NATIVE_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'darwin-arm64': ['@llamaindex/liteparse-darwin-arm64'],
  'darwin-x64': ['@llamaindex/liteparse-darwin-x64'],
  'linux-arm64': ['@llamaindex/liteparse-linux-arm64-gnu'],
  'linux-x64': ['@llamaindex/liteparse-linux-x64-gnu', '@llamaindex/liteparse-linux-x64-musl'],
  'win32-arm64': ['@llamaindex/liteparse-win32-arm64-msvc'],
  'win32-x64': ['@llamaindex/liteparse-win32-x64-msvc'],
}

/** Points, from the upper left corner. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface NativeBlock {
  readonly kind: string
  readonly bbox?: Box
}

/** Measures of a page's content; areas are shares of the page. */
export interface PageComplexity {
  readonly textLength: number
  readonly textCoverage: number
  readonly imageCoverage: number
  readonly largestImageCoverage: number
  readonly fullPageImage: boolean
  /** Letters drawn as shapes. */
  readonly uncoveredVectorArea?: number
  /** The letters of its font have no meaning. */
  readonly isGarbled: boolean
  readonly layout?: { readonly ruledTableCount: number }
}

export interface NativeAnnotation {
  /** In small letters: `text`, `highlight`, `freetext`. */
  readonly subtype?: string
  readonly contents?: string
  /** Name of the person who wrote it. */
  readonly title?: string
  /** Where a mark lies. */
  readonly quadpointRects?: readonly Box[]
}

export interface NativeField {
  readonly fieldType?: string
  readonly name?: string
  /** Name for people. */
  readonly alternateName?: string
  readonly value?: string
  readonly checked?: boolean
  readonly fieldFlags?: number
  readonly selectedOptions?: readonly string[]
  readonly rect?: Box
}

export interface NativePage {
  readonly pageNum: number
  /** Points. */
  readonly width?: number
  readonly height?: number
  readonly complexity?: PageComplexity
  readonly text: string
  readonly markdown: string
  readonly blocks?: readonly NativeBlock[]
  readonly textItems?: readonly NativeText[]
  readonly annotations?: readonly NativeAnnotation[]
  readonly formFields?: readonly NativeField[]
}

interface NativeText extends Partial<Box> {
  readonly text: string
  /** Degrees. */
  readonly rotation?: number
  /** 0 to 1; only of recognized text. */
  readonly confidence?: number
  readonly fontName?: string
  /** Points. */
  readonly fontSize?: number
  readonly words?: readonly (Box & { readonly text: string })[]
}

export interface NativeImage {
  readonly id: string
  /** Page number. */
  readonly page: number
  readonly bytes: Buffer
}

interface NativeResult {
  readonly pages: readonly NativePage[]
  readonly images: readonly NativeImage[]
}

interface NativeSession {
  readonly totalPages: number
  nextBatch(): Promise<{ readonly result: NativeResult } | null>
  close(): Promise<void>
}

export interface NativeReader {
  parse(bytes: Buffer): Promise<NativeResult>
  openBatchSession(bytes: Buffer, batchSize: number): Promise<NativeSession>
  /** Pictures (PNG) of the pages. */
  screenshot(bytes: Buffer, pages: readonly number[]): Promise<readonly { readonly imageBuffer: Buffer }[]>
}

export interface NativeSettings {
  readonly ocrEnabled?: boolean
  readonly ocrLanguage?: string
  readonly tessdataPath?: string
  readonly ocrFailureFatal?: boolean
  readonly outputFormat?: 'markdown'
  readonly imageMode?: 'off' | 'placeholder'
  readonly extractImages?: boolean
  readonly extractBlocks?: boolean
  readonly extractAnnotations?: boolean
  readonly extractFormFields?: boolean
  readonly continueOnPageError?: boolean
  readonly maxPages?: number
  readonly targetPages?: string
  readonly includeComplexity?: boolean
  readonly keepHeadersFooters?: boolean
  readonly pageOrientationCorrections?: readonly { readonly page: number; readonly angle: number }[]
  readonly dpi?: number
  readonly quiet?: boolean
  readonly numWorkers?: number
}

export interface NativePdf {
  // The name is the package's.
  readonly LiteParse: new (settings: NativeSettings) => NativeReader
}

/** The native reader; undefined where none was built for this machine, or it does not load. */
export function loadNative(machine = `${process.platform}-${process.arch}`): NativePdf | undefined {
  const require = createRequire(import.meta.url)
  for (const name of NATIVE_PACKAGES[machine] ?? []) {
    try {
      const native: NativePdf = require(name)
      return native
    } catch {
      // It was built for another C library: the next package may fit.
    }
  }
  return undefined
}

export interface Batch extends NativeResult {
  /** Number of pages of the whole document. */
  readonly totalPages: number
}

/** Reads the document in batches of `batchSize` pages, to bound memory. */
export async function* readBatches(reader: NativeReader, bytes: Buffer, batchSize: number): AsyncGenerator<Batch> {
  const session = await reader.openBatchSession(bytes, batchSize)
  try {
    const { totalPages } = session
    let batch = await session.nextBatch()
    while (batch) {
      yield { totalPages, pages: batch.result.pages, images: batch.result.images }
      batch = await session.nextBatch()
    }
  } finally {
    await session.close()
  }
}
