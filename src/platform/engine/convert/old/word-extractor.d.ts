/** The package brings no types. */
declare module 'word-extractor/lib/word-ole-extractor.js' {
  interface Parts {
    getBody(): string
    getFootnotes(): string
    getEndnotes(): string
    getHeaders(options: { includeFooters: boolean }): string
    getFooters(): string
    getAnnotations(): string
    getTextboxes(options: { includeHeadersAndFooters: boolean }): string
  }
  export default class WordOleExtractor {
    readonly _pieces: readonly { readonly text: string; readonly startFilePos: number; readonly bpc: number }[]
    extract(reader: unknown): Promise<Parts>
    normalizeHeaders(document: Buffer, table: Buffer): void
  }
}

declare module 'word-extractor/lib/buffer-reader.js' {
  export default class BufferReader {
    constructor(content: Buffer)
    open(): Promise<unknown>
  }
}

declare module 'word-extractor/lib/filters.js' {
  const filters: { clean(text: string): string }
  export default filters
}
