/** The package brings no types. */
declare module 'word-extractor' {
  interface Parts {
    getBody(): string
    getFootnotes(): string
    getEndnotes(): string
    getHeaders(options: { includeFooters: boolean }): string
    getFooters(): string
    getAnnotations(): string
    getTextboxes(options: { includeHeadersAndFooters: boolean }): string
  }
  export default class WordExtractor {
    extract(content: Buffer): Promise<Parts>
  }
}
