import { ConvertError } from './reader.ts'

/** Extensions by kind, with blanks between them. */
export const EXTENSIONS = {
  pdf: 'pdf',
  docx: 'docx docm dotx dotm',
  pptx: 'pptx pptm ppsx ppsm potx',
  xlsx: 'xlsx xlsm xltx',
  doc: 'doc dot',
  xls: 'xls xlsb',
  ppt: 'ppt pps pot',
  msg: 'msg',
  opendocument: 'odt ott ods ots odp otp',
  flat: 'fodt fods fodp',
  epub: 'epub',
  rtf: 'rtf',
  html: 'html htm xhtml',
  mail: 'eml mhtml mht',
  mailbox: 'mbox',
  calendar: 'ics ifb',
  contact: 'vcf vcard',
  csv: 'csv tsv',
  notebook: 'ipynb',
  image: 'png jpg jpeg gif webp bmp tif tiff avif heic heif svg',
  text: 'md markdown txt text',
}

/** How a document is read. */
export type DocumentKind = keyof typeof EXTENSIONS

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

/** Undefined for a file that cannot be converted. */
export function kindOf(name: string): DocumentKind | undefined {
  return KINDS.get(extensionOf(name))
}

const PACKED: ReadonlySet<DocumentKind> = new Set(['docx', 'pptx', 'xlsx', 'opendocument', 'epub'])
const isPacked = (kind: DocumentKind): boolean => PACKED.has(kind)

/** Old formats: programs also save newer and simpler ones under these names. */
const OLD: Readonly<Partial<Record<DocumentKind, DocumentKind>>> = { doc: 'docx', xls: 'xlsx', ppt: 'pptx' }

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

/** Parts by which packed documents are known, and the ending of their names. */
const PACKED_PARTS = [
  ['word/document', 'docx'],
  ['xl/workbook.bin', 'xlsb'],
  ['xl/workbook', 'xlsx'],
  ['ppt/presentation', 'pptx'],
  ['mimetypeapplication/vnd.oasis.opendocument', 'odt'],
] as const

/** The ending of a name that fits the content; undefined for text, images and unknown content. */
export function contentExtension(bytes: Buffer): string | undefined {
  const found = contentOf(bytes)
  if (found === 'zip') return PACKED_PARTS.find(([part]) => bytes.includes(part, 0, 'latin1'))?.[1]
  return found === 'image' || found === 'ole' ? undefined : found
}

export const isOldContainer = (bytes: Buffer): boolean => contentOf(bytes) === 'ole'

const WORDS = {
  pdf: 'PDF',
  zip: 'a zip archive or another packed document',
  ole: 'an old Office file (save it in the current format)',
  image: 'an image',
  rtf: 'RTF',
} as const

/**
 * Kind of a document with the name of an old one, by its content.
 *
 * @throws {ConvertError} `old`
 */
function kindOfOld(kind: DocumentKind, name: string, bytes: Buffer): DocumentKind {
  const found = contentOf(bytes)
  if (found === 'ole') return kind
  if (found === 'rtf') return 'rtf'
  // XLSB is packed, and read like XLS.
  if (found === 'zip') return extensionOf(name) === 'xlsb' ? kind : (OLD[kind] ?? kind)
  const head = bytes.toString('latin1', 0, 4096)
  if (/<\?mso-application[^>]+Word\.Document|<(?:w:wordDocument|pkg:package)\b/i.test(head))
    throw new ConvertError('old')
  if (head.includes('urn:schemas-microsoft-com:office:spreadsheet')) return 'xls'
  // A saved web page in one file: its parts are encoded as those of a mail.
  if (/^MIME-Version:/im.test(head) && /^Content-Type:\s*(?:multipart\/|text\/html)/im.test(head)) return 'mail'
  if (/<(?:!doctype|html|head|body|table|meta)\b/i.test(head)) return 'html'
  // Tables of the oldest Excel have no container, and begin with a record.
  const isRecord = bytes[0] === 0x09 && (bytes[1] ?? 0) % 2 === 0
  return kind === 'xls' && !isRecord ? 'csv' : kind
}

const isNamedIn = (bytes: Buffer, stream: string) => bytes.includes(Buffer.from(stream, 'utf16le'))

/** The stream that a document of an old format has, and a locked package in the same container lacks. */
const MAIN_STREAM: Readonly<Partial<Record<DocumentKind, string>>> = {
  doc: 'WordDocument',
  ppt: 'PowerPoint Document',
  msg: '__properties_version1.0',
}

/**
 * Office stores a file with a password, or under rights management, as an encrypted package in the old container; old
 * documents under rights management are one stream ([MS-OFFCRYPTO] sections 2.2 and 2.3).
 *
 * @throws {ConvertError} `encrypted`, `rights`
 */
function refuseLocked(kind: DocumentKind, bytes: Buffer): void {
  const main = MAIN_STREAM[kind]
  if (isNamedIn(bytes, '\tDRMContent')) throw new ConvertError('rights')
  if (!isNamedIn(bytes, 'EncryptedPackage') || (main !== undefined && isNamedIn(bytes, main))) return
  throw new ConvertError(isNamedIn(bytes, 'DRMEncrypted') ? 'rights' : 'encrypted')
}

function expectedOf(kind: DocumentKind): ReturnType<typeof contentOf> {
  if (isPacked(kind)) return 'zip'
  if (kind === 'doc' || kind === 'ppt' || kind === 'msg') return 'ole'
  return kind === 'pdf' || kind === 'rtf' || kind === 'image' ? kind : undefined
}

/**
 * The kind by which to read it. Checks that content and name agree, so that a parser gets only its own format.
 *
 * @throws {ConvertError} `renamed`, `encrypted`, `rights`, `broken`, `old`
 */
export function checkContent(named: DocumentKind, name: string, bytes: Buffer): DocumentKind {
  const kind = OLD[named] === undefined ? named : kindOfOld(named, name, bytes)
  const found = contentOf(bytes)
  if (found === 'ole') refuseLocked(kind, bytes)
  if (found === expectedOf(kind) || (kind === 'xls' && (found === 'zip' || found === 'ole'))) return kind
  if (found !== undefined) throw new ConvertError('renamed', { found: WORDS[found] })
  // Images have more signatures than listed above; their reader knows them.
  if (kind !== 'image') throw new ConvertError('broken')
  return kind
}
