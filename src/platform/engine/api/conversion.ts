import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { remedyOf } from '#lib/file-kind.ts'
import type { ConversionQuery, ConversionResult } from '#platform/wire/documents.ts'
import { LIMITS } from '#platform/wire/limits.ts'
import type { Converter, PageToDraw } from '../convert/converter.ts'
import { extensionOf, kindOf } from '../convert/document-kind.ts'
import { EngineError } from '../errors.ts'
import type { Content } from '../storage/types.ts'

interface Parts {
  readonly converter: Converter
  readonly folder: string
}

/** An uploaded document in the work folder, until it is converted. */
export interface ReceivedDocument {
  readonly path: string
  readonly sizeBytes: number
}

export interface Documents {
  /** Stores an upload for one `convert` or `discard`; an upload that breaks off leaves nothing. */
  receive(content: Content): Promise<ReceivedDocument>
  discard(content: ReceivedDocument): Promise<void>
  /** Converts and removes the content. @throws {EngineError} `invalid` (empty), `unsupported`, `too-large` */
  convert(
    document: { readonly name: string; readonly content: ReceivedDocument },
    query: ConversionQuery,
    signal?: AbortSignal,
    /** Owners take turns at the converter. */
    owner?: string,
  ): Promise<ConversionResult>
  /** A page of a PDF as a picture (PNG). @throws {EngineError} `invalid` (empty), `unsupported`, `too-large` */
  drawPage(pdf: Content, page: PageToDraw, signal?: AbortSignal, owner?: string): Promise<Buffer>
}

function toUnknownKind(name: string): EngineError {
  const extension = extensionOf(name)
  const remedy = remedyOf(name)
  const next =
    remedy === undefined
      ? 'send PDF, DOCX, DOC, PPTX, PPT, XLSX, XLS, ODT, ODS, ODP, RTF, HTML, EPUB, EML, MSG, MBOX, ICS, VCF, CSV, a notebook, an image, markdown or text'
      : remedy.kind === 'unpack'
        ? 'it is an archive; unpack it and send the files that are in it'
        : remedy.kind === 'export'
          ? `it is only a link to a document; export the document as ${remedy.format} and send that`
          : `save it as ${remedy.format} and send that`
  const what = extension === '' ? 'without an extension in its name' : `of the kind .${extension}`
  // 400: the contract's status for an unsupported format (wire, B).
  return new EngineError('unsupported', `A document ${what} cannot be converted: ${next}.`, { status: 400 })
}

const discard = ({ path }: ReceivedDocument) => rm(path, { force: true })

export function createDocuments({ converter, folder }: Parts): Documents {
  async function receive(content: Content): Promise<ReceivedDocument> {
    await mkdir(folder, { recursive: true })
    const path = join(folder, randomUUID())
    let sizeBytes = 0
    async function* count() {
      for await (const bytes of content) {
        sizeBytes += bytes.byteLength
        yield bytes
      }
    }
    try {
      await writeFile(path, count(), { mode: 0o600 })
      return { path, sizeBytes }
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }

  return {
    discard,
    receive,
    async convert({ name, content }, query, signal, owner) {
      try {
        check(name, content.sizeBytes)
        return await converter.convertDocument({ path: content.path, name, query }, signal, owner)
      } finally {
        await discard(content)
      }
    },
    async drawPage(pdf, page, signal, owner) {
      const content = await receive(pdf)
      try {
        check('document.pdf', content.sizeBytes)
        return await converter.drawPage(content.path, page, signal, owner)
      } finally {
        await discard(content)
      }
    },
  }
}

function check(name: string, sizeBytes: number): void {
  if (sizeBytes === 0) {
    throw new EngineError('invalid', 'The document is empty: there is nothing in it to convert.', {
      reason: 'empty_file',
    })
  }
  if (sizeBytes > LIMITS.conversionBytes) {
    throw new EngineError('too-large', 'The document is larger than 100 MB: split it and convert the parts.')
  }
  if (kindOf(name) === undefined) throw toUnknownKind(name)
}
