import { ConvertError } from './reader.ts'

/** How a document is read. */
export type DocumentKind =
  | 'pdf'
  | 'docx'
  | 'pptx'
  | 'xlsx'
  | 'opendocument'
  | 'epub'
  | 'rtf'
  | 'html'
  | 'mail'
  | 'csv'
  | 'notebook'
  | 'image'
  | 'text'

const EXTENSIONS: Readonly<Record<DocumentKind, string>> = {
  pdf: 'pdf',
  docx: 'docx docm dotx dotm',
  pptx: 'pptx pptm ppsx ppsm potx',
  xlsx: 'xlsx xlsm xltx',
  opendocument: 'odt ott ods ots odp otp',
  epub: 'epub',
  rtf: 'rtf',
  html: 'html htm xhtml',
  mail: 'eml mhtml mht',
  csv: 'csv tsv',
  notebook: 'ipynb',
  image: 'png jpg jpeg gif webp bmp tif tiff avif heic svg',
  text: 'md markdown txt text',
}

const KINDS: ReadonlyMap<string, DocumentKind> = new Map(
  (Object.entries(EXTENSIONS) as [DocumentKind, string][]).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, kind] as const),
  ),
)

/** Without the dot, in small letters; empty when the name has none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : ''
}

/** Undefined for what cannot be converted. */
export function kindOf(name: string): DocumentKind | undefined {
  return KINDS.get(extensionOf(name))
}

const PACKED: ReadonlySet<DocumentKind> = new Set(['docx', 'pptx', 'xlsx', 'opendocument', 'epub'])
const isPacked = (kind: DocumentKind): boolean => PACKED.has(kind)

const startsWith = (bytes: Buffer, text: string) => bytes.subarray(0, text.length).equals(Buffer.from(text, 'latin1'))

/** Kind by the first bytes; undefined for text. */
function contentOf(bytes: Buffer): 'pdf' | 'zip' | 'ole' | 'image' | 'rtf' | undefined {
  if (bytes.subarray(0, 1024).includes('%PDF-')) return 'pdf'
  if (startsWith(bytes, 'PK\u0003\u0004') || startsWith(bytes, 'PK\u0005\u0006')) return 'zip'
  if (startsWith(bytes, '\u00d0\u00cf\u0011\u00e0')) return 'ole'
  if (startsWith(bytes, '{\\rtf')) return 'rtf'
  const isImage = ['\u0089PNG', '\u00ff\u00d8\u00ff', 'GIF8', 'II*\0', 'MM\0*'].some((mark) => startsWith(bytes, mark))
  return isImage ? 'image' : undefined
}

const WORDS = {
  pdf: 'PDF',
  zip: 'a zip archive or another packed document',
  ole: 'an old Office file (save it in the current format)',
  image: 'an image',
  rtf: 'RTF',
} as const

/**
 * Checks that content and name agree, so that a parser gets only its own format.
 *
 * @throws {ConvertError} `renamed`, `encrypted`, `broken`
 */
export function checkContent(kind: DocumentKind, bytes: Buffer): void {
  const found = contentOf(bytes)
  const expected = isPacked(kind) ? 'zip' : kind === 'pdf' || kind === 'rtf' || kind === 'image' ? kind : undefined
  if (found === expected) return
  // Office stores a file with a password as an encrypted package in the old container format.
  if (found === 'ole' && bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))) {
    throw new ConvertError('encrypted')
  }
  if (found !== undefined) throw new ConvertError('renamed', { found: WORDS[found] })
  // Images have more signatures than listed above; their reader knows them.
  if (kind !== 'image') throw new ConvertError('broken')
}
