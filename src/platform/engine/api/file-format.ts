import { normalizedName } from '#lib/unicode.ts'
import { extname } from 'node:path'
import { ACCEPTED_FORMATS } from '#platform/wire/collections.ts'
import { fileName } from '#platform/wire/names.ts'
import { EngineError, errorText } from '../errors.ts'
import type { FileFormat } from '../storage/catalog.ts'
import { decodeText } from '../text/decode.ts'

/**
 * Flat file name in NFC, so that one name typed on two systems is one file.
 *
 * @throws {EngineError} `invalid`
 */
export function toFlatName(name: string): string {
  const parsed = fileName.safeParse(normalizedName(name))
  if (parsed.success) return parsed.data
  throw new EngineError(
    'invalid',
    'A file name has 1 to 150 characters and is flat: no slash in it, no control character and none that turns the direction of writing.',
  )
}

/** Bytes at the beginning of a file that tell its format. */
export const HEAD_BYTES = 65_536

export interface SniffedContent {
  readonly sizeBytes: number
  /** The first `headBytes` bytes, or the whole file. */
  readonly head: Uint8Array
  readonly whole: () => Promise<Uint8Array>
}

/** PDF readers look for `%PDF-` in the first 1024 bytes. */
const isPdf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-')

/** A text may contain `%PDF-`; a PDF begins with it. */
const beginsAsPdf = (bytes: Uint8Array) =>
  Buffer.from(bytes.subarray(0, 64)).toString('latin1').trimStart().startsWith('%PDF-')

const ACCEPTED_EXTENSIONS = ACCEPTED_FORMATS.flatMap(({ extensions }) => extensions).join(', ')

function formatByName(name: string): FileFormat | undefined {
  const extension = extname(name).toLowerCase()
  return ACCEPTED_FORMATS.find((one) => (one.extensions as readonly string[]).includes(extension))?.format
}

/**
 * Format of a file; name and content must agree, and other formats are refused.
 *
 * @throws {EngineError} `invalid` (empty) or `unsupported`
 */
export async function sniffFormat(name: string, content: SniffedContent): Promise<FileFormat> {
  const { sizeBytes, head, whole } = content
  if (sizeBytes === 0) {
    throw new EngineError('invalid', `${name} is empty: there is nothing in it to index.`, { reason: 'empty_file' })
  }
  const format = formatByName(name)
  if (format === undefined) {
    throw new EngineError(
      'unsupported',
      `${name} is not a format that a collection takes: upload PDF, text or markdown (${ACCEPTED_EXTENSIONS}).`,
    )
  }
  if (format === 'pdf') {
    if (isPdf(head)) return format
    throw new EngineError('unsupported', `${name} is named like a PDF, but is not one.`)
  }
  if (beginsAsPdf(head)) {
    throw new EngineError('unsupported', `${name} is a PDF: give it a name that ends in .pdf.`)
  }
  try {
    // The first bytes usually show that there is text; only otherwise the whole file is decoded.
    if (decodeText(head).trim() !== '') return format
    if (sizeBytes > head.length && decodeText(await whole()).trim() !== '') return format
  } catch (error) {
    if (error instanceof EngineError) throw error
    throw new EngineError('unsupported', `${name} is called ${format}, but is not: ${errorText(error)}`)
  }
  throw new EngineError('invalid', `${name} holds only white space: there is nothing in it to index.`, {
    reason: 'empty_file',
  })
}
