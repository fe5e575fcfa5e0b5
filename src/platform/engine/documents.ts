import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConversionQuery, ConversionResult } from '../wire/documents.ts'
import { limits } from '../wire/limits.ts'
import type { Converter } from './convert/converter.ts'
import { extensionOf, kindOf } from './convert/kinds.ts'
import { EngineError } from './errors.ts'

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

/** Formats that no reader here knows, and what they can be saved as. */
const replacements: Readonly<Record<string, string>> = {
  doc: 'DOCX',
  dot: 'DOCX',
  xls: 'XLSX',
  ppt: 'PPTX',
  pages: 'DOCX or PDF',
  numbers: 'XLSX or CSV',
  key: 'PPTX or PDF',
  msg: 'EML',
  mobi: 'EPUB',
  azw3: 'EPUB',
}

function toUnknownKind(name: string): EngineError {
  const extension = extensionOf(name)
  const replacement = replacements[extension]
  const remedy =
    replacement === undefined
      ? 'send PDF, DOCX, PPTX, XLSX, ODT, ODS, ODP, RTF, HTML, EPUB, EML, CSV, a notebook, an image, markdown or text'
      : `save it as ${replacement} and send that`
  const what = extension === '' ? 'without an extension in its name' : `of the kind .${extension}`
  // 400 as the contract has it for a format that is not taken (wire, B).
  return new EngineError('unsupported', `A document ${what} cannot be converted: ${remedy}.`, { status: 400 })
}

export function createConvertDocument(parts: {
  readonly converter: Converter
  readonly folder: string
}): ConvertDocument {
  return async ({ name, bytes }, query, signal) => {
    if (bytes.length === 0) {
      throw new EngineError('invalid', 'The document is empty: there is nothing in it to convert.', {
        reason: 'empty_file',
      })
    }
    if (bytes.length > limits.conversionBytes) {
      throw new EngineError(
        'too-large',
        'The document is larger than 100 MB: split it and convert the parts.',
      )
    }
    if (kindOf(name) === undefined) throw toUnknownKind(name)
    await mkdir(parts.folder, { recursive: true })
    const path = join(parts.folder, randomUUID())
    try {
      await writeFile(path, bytes, { mode: 0o600 })
      return await parts.converter.convertDocument({ path, name, query }, signal)
    } finally {
      await rm(path, { force: true })
    }
  }
}
