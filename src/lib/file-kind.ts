import { endWithout, normalized, plainName, startWithout } from './unicode.ts'

/** Collections allow flat names of at most about 150 characters. */
const MAX_LENGTH = 150
const MAX_EXTENSION = 20

/** Device names of Windows, where a downloaded file could not be stored. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** Control, format (invisible, also the ones that turn the direction of text) and lone surrogate characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
const FORBIDDEN = /[/\\:*?"<>|\u2044\u2215\uFF0F]/g

/** The name of a dropped file in its collection: flat, NFC, visible, at most 150 characters; the same for the same name. */
export function toFileName(displayName: string): string {
  const seen = displayName.replace(/\s/g, ' ').replace(INVISIBLE, '').replace(/ +/g, ' ')
  const named = normalized(seen, 'NFC').replace(FORBIDDEN, '_')
  const flat = named.slice(startWithout('. ', named), endWithout('. ', named))
  const extension = extensionWithDot(flat)
  const stem = flat.slice(0, flat.length - extension.length)
  const room = MAX_LENGTH - Array.from(extension).length
  const short = Array.from(stem).slice(0, room).join('').trimEnd()
  const isNoName = short === '' || /^_+$/.test(short) || RESERVED.test(short)
  return (isNoName ? 'file' : short) + extension
}

/** Display name of a dropped file: one line, without invisible or deceptive characters. */
export const toDisplayName = (name: string): string => plainName(name) || 'file'

function extensionWithDot(name: string): string {
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 ? name.slice(dot) : ''
  return extension.length > 1 && Array.from(extension).length <= MAX_EXTENSION && !/\s/.test(extension) ? extension : ''
}

/**
 * How a file is ingested. `native`: as it is. `convertible`: converted to markdown. `image`, `audio`: by OCR or
 * transcription, if available. `unsupported`: refused with a sentence.
 */
export type FileKind = 'native' | 'convertible' | 'image' | 'audio' | 'unsupported'

const NATIVE =
  'pdf txt text md markdown mdx rst adoc asciidoc org tex log json jsonl ndjson yaml yml toml ini cfg conf properties ' +
  'xml sql sh bash zsh ps1 bat py js mjs cjs jsx ts mts cts tsx java kt kts c h cc cpp hpp cs go rs rb php pl lua r ' +
  'swift scala dart m jl ex exs erl hs clj vue svelte css scss less graphql proto tf diff patch srt vtt bib'
const CONVERTIBLE =
  'docx docm dotx dotm doc dot pptx pptm ppsx ppsm potx ppt pps pot xlsx xlsm xltx xlsb xls odt ott ods ots odp otp fodt fods fodp rtf html htm ' +
  'xhtml mhtml mht epub eml mbox msg ics ifb vcf vcard csv tsv ipynb'
const IMAGE = 'png jpg jpeg gif webp bmp tif tiff heic heif avif svg'
const AUDIO = 'mp3 m4a mp4a wav flac ogg oga opus aac wma weba amr aif aiff'

const BY_EXTENSION: ReadonlyMap<string, FileKind> = new Map(
  Object.entries({ native: NATIVE, convertible: CONVERTIBLE, image: IMAGE, audio: AUDIO } as const).flatMap(
    ([kind, extensions]) => extensions.split(' ').map((extension) => [extension, kind as FileKind] as const),
  ),
)

/** Extensions of a kind, without the dot. */
export const extensionsOf = (kind: FileKind): readonly string[] =>
  BY_EXTENSION.entries()
    .flatMap(([extension, known]) => (known === kind ? [extension] : []))
    .toArray()

/** Extensions of the media types that documents and images have (https://www.iana.org/assignments/media-types). */
const EXTENSION_BY_TYPE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'text/html': 'html',
    'application/xhtml+xml': 'xhtml',
    'text/csv': 'csv',
    'application/csv': 'csv',
    'text/tab-separated-values': 'tsv',
    'text/rtf': 'rtf',
    'application/rtf': 'rtf',
    'application/epub+zip': 'epub',
    'application/x-ipynb+json': 'ipynb',
    'message/rfc822': 'eml',
    'application/mbox': 'mbox',
    'text/calendar': 'ics',
    'text/vcard': 'vcf',
    'text/x-vcard': 'vcf',
    'multipart/related': 'mhtml',
    'application/vnd.ms-outlook': 'msg',
    'application/msword': 'doc',
    'application/vnd.ms-word.document.macroenabled.12': 'docm',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.template': 'dotx',
    'application/vnd.ms-powerpoint': 'ppt',
    'application/vnd.ms-powerpoint.presentation.macroenabled.12': 'pptm',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
    'application/vnd.openxmlformats-officedocument.presentationml.slideshow': 'ppsx',
    'application/vnd.openxmlformats-officedocument.presentationml.template': 'potx',
    'application/vnd.ms-excel': 'xls',
    'application/vnd.ms-excel.sheet.macroenabled.12': 'xlsm',
    'application/vnd.ms-excel.sheet.binary.macroenabled.12': 'xlsb',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.template': 'xltx',
    'application/vnd.oasis.opendocument.text': 'odt',
    'application/vnd.oasis.opendocument.spreadsheet': 'ods',
    'application/vnd.oasis.opendocument.presentation': 'odp',
    'application/vnd.oasis.opendocument.text-flat-xml': 'fodt',
    'application/vnd.oasis.opendocument.spreadsheet-flat-xml': 'fods',
    'application/vnd.oasis.opendocument.presentation-flat-xml': 'fodp',
    'image/png': 'png',
    'image/jpeg': 'jpg',
    'image/gif': 'gif',
    'image/webp': 'webp',
    'image/bmp': 'bmp',
    'image/tiff': 'tiff',
    'image/avif': 'avif',
    'image/heic': 'heic',
    'image/heif': 'heif',
    'image/svg+xml': 'svg',
  }),
)

const BY_TYPE: readonly (readonly [RegExp, FileKind])[] = [
  [/^application\/(?:pdf|json|xml|x-ndjson|yaml|toml|sql|x-sh)$/, 'native'],
  [/^text\//, 'native'],
  [/^image\//, 'image'],
  [/^audio\//, 'audio'],
]

const kindByExtension = (name: string): FileKind | undefined =>
  BY_EXTENSION.get(extensionWithDot(name).slice(1).toLowerCase())

const plainType = (mimeType: string): string => mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? ''

/**
 * Decides by the extension; by the reported type only if the extension is unknown, since services guess types badly.
 */
export function fileKindOf(name: string, mimeType: string): FileKind {
  const known = kindByExtension(name)
  if (known !== undefined) return known
  const type = plainType(mimeType)
  const extension = EXTENSION_BY_TYPE.get(type)
  if (extension !== undefined) return BY_EXTENSION.get(extension) ?? 'unsupported'
  return BY_TYPE.find(([pattern]) => pattern.test(type))?.[1] ?? 'unsupported'
}

/** The name with the extension of its type, where its own says nothing: documents are converted by their names. */
export function withExtension(name: string, mimeType: string): string {
  const extension = EXTENSION_BY_TYPE.get(plainType(mimeType))
  const isKnown = kindByExtension(name) !== undefined || remedyOf(name) !== undefined
  return extension === undefined || isKnown ? name : `${name}.${extension}`
}

/** Extensions of documents that are not read, with the format to save such a document in. */
const REPLACEMENTS: ReadonlyMap<string, string> = new Map([
  ['key', 'PPTX or PDF'],
  ['pages', 'DOCX or PDF'],
  ['numbers', 'XLSX or CSV'],
  ['wpd', 'DOCX or PDF'],
  ['wps', 'DOCX or PDF'],
  ['pub', 'PDF'],
  ['vsd', 'PDF'],
  ['vsdx', 'PDF'],
  ['one', 'PDF'],
  ['djvu', 'PDF'],
  ['mobi', 'EPUB'],
  ['azw3', 'EPUB'],
])

/** Files that only say where a document is: shortcuts, and what Google Drive puts on a disk. */
const LINKS: ReadonlyMap<string, string> = new Map([
  ['gdoc', 'DOCX or PDF'],
  ['gsheet', 'XLSX or CSV'],
  ['gslides', 'PPTX or PDF'],
  ['gdraw', 'PDF'],
  ['url', 'PDF'],
  ['webloc', 'PDF'],
  ['lnk', 'PDF'],
])

const ARCHIVES: ReadonlySet<string> = new Set('zip 7z rar tar gz tgz bz2 xz'.split(' '))

/** How to get the text of a file whose kind is not read; `format` is what to save or export its document as. */
export type Remedy = { readonly kind: 'save' | 'export'; readonly format: string } | { readonly kind: 'unpack' }

/** Undefined: none is known. */
export function remedyOf(name: string): Remedy | undefined {
  const extension = extensionWithDot(name).slice(1).toLowerCase()
  if (ARCHIVES.has(extension)) return { kind: 'unpack' }
  const target = LINKS.get(extension)
  if (target !== undefined) return { kind: 'export', format: target }
  const format = REPLACEMENTS.get(extension)
  return format === undefined ? undefined : { kind: 'save', format }
}
