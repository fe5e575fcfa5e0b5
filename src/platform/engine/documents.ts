import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { mkdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { ConversionQuery, ConversionResult } from '../wire/documents.ts'
import { limits } from '../wire/limits.ts'
import type { Converter } from './convert/converter.ts'
import { htmlToMarkdown } from './convert/html.ts'
import { EngineError, errorText } from './errors.ts'
import { decodeText } from './text/decode.ts'
import { estimateTokens } from './text/tokens.ts'

export interface DocumentUpload {
  readonly name: string
  readonly bytes: Uint8Array
}

/** @throws {EngineError} `invalid` (empty), `unsupported`, `too-large` */
export type ConvertDocument = (
  document: DocumentUpload,
  query: ConversionQuery,
  signal?: AbortSignal,
) => Promise<ConversionResult>

interface Page {
  readonly page: number
  readonly markdown: string
}

async function readPages(path: string): Promise<Page[]> {
  const lines = (await readFile(path, 'utf8')).split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Page)
}

const textKinds: Readonly<Record<string, (text: string) => string>> = {
  '.md': (text) => text,
  '.markdown': (text) => text,
  '.txt': (text) => text,
  '.text': (text) => text,
  '.html': htmlToMarkdown,
  '.htm': htmlToMarkdown,
}

async function toHtml(markdown: string): Promise<string> {
  const { default: MarkdownIt } = await import('markdown-it')
  return new MarkdownIt('default', { html: false }).render(markdown)
}

async function toResult(name: string, pages: readonly Page[], type: ConversionQuery['response_type']) {
  const markdown = pages.map((page) => page.markdown).join('\n\n')
  const base = { filename: name, response_type: type, images: [] }
  switch (type) {
    case 'markdown':
      return { ...base, markdown }
    case 'json':
      return { ...base, json_data: { pages } }
    case 'tokens':
      return { ...base, tokens: estimateTokens(markdown) }
    case 'html':
    default:
      return { ...base, html: await toHtml(markdown) }
  }
}

export function createConvertDocument(parts: {
  readonly converter: Converter
  readonly folder: string
}): ConvertDocument {
  async function convertPdf(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<Page[]> {
    await mkdir(parts.folder, { recursive: true })
    const path = join(parts.folder, randomUUID())
    try {
      await writeFile(path, bytes, { mode: 0o600 })
      const pages = await parts.converter.convertPdf(path, signal)
      try {
        return await readPages(pages.path)
      } finally {
        await pages.done()
      }
    } finally {
      await rm(path, { force: true })
    }
  }

  return async ({ name, bytes }, query, signal) => {
    if (bytes.length === 0)
      throw new EngineError('invalid', 'The document is empty.', { reason: 'empty_file' })
    if (bytes.length > limits.conversionBytes) {
      throw new EngineError(
        'too-large',
        'The document is larger than 100 MB: split it and convert the parts.',
      )
    }
    const extension = extname(name).toLowerCase()
    if (extension === '.pdf') return toResult(name, await convertPdf(bytes, signal), query.response_type)
    const convert = textKinds[extension]
    if (convert === undefined) {
      throw new EngineError(
        'unsupported',
        `A document of the kind ${extension === '' ? 'without an extension' : extension} cannot be converted: send PDF, HTML, markdown or text.`,
        { status: 400 },
      )
    }
    try {
      return await toResult(name, [{ page: 1, markdown: convert(decodeText(bytes)) }], query.response_type)
    } catch (error) {
      if (error instanceof EngineError && error.code !== 'unsupported') throw error
      throw new EngineError('unsupported', `${name} cannot be read: ${errorText(error)}`, { status: 400 })
    }
  }
}
