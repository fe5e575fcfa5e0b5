import { EngineError } from '../errors.ts'
import { asOnePart, ConvertError, type PageText, type ReadDocument, type Source } from './reader.ts'
import { checkContent, contentExtension, type DocumentKind, isOldContainer, kindOf } from './document-kind.ts'

/** Each reader is loaded with the first document of its kind. */
const READERS: Readonly<Record<DocumentKind, () => Promise<ReadDocument>>> = {
  pdf: async () => (await import('./pdf/pdf.ts')).readPdfDocument,
  docx: async () => (await import('./office/docx.ts')).readDocx,
  pptx: async () => (await import('./office/pptx.ts')).readPptx,
  xlsx: async () => (await import('./office/xlsx.ts')).readXlsx,
  opendocument: async () => (await import('./office/opendocument.ts')).readOpenDocument,
  flat: async () => (await import('./office/opendocument.ts')).readOpenDocument,
  epub: async () => (await import('./office/epub.ts')).readEpub,
  rtf: async () => (await import('./rtf/rtf.ts')).readRtf,
  html: async () => (await import('./web/html.ts')).readPage,
  mail: async () => (await import('./mail/mail.ts')).readMail,
  mailbox: async () => (await import('./mail/mailbox.ts')).readMailbox,
  calendar: async () => (await import('./mail/calendar.ts')).readCalendar,
  contact: async () => (await import('./mail/contact.ts')).readContacts,
  doc: async () => (await import('./old/word.ts')).readDoc,
  xls: async () => (await import('./old/excel.ts')).readXls,
  ppt: async () => (await import('./old/presentation.ts')).readPpt,
  msg: async () => (await import('./old/outlook.ts')).readMsg,
  csv: async () => (await import('./office/csv.ts')).readCsv,
  notebook: async () => (await import('./office/notebook.ts')).readNotebook,
  image: async () => (await import('./images/image.ts')).readImage,
  text: async () => {
    const { decodeText } = await import('../text/decode.ts')
    return ({ bytes }) => Promise.resolve(asOnePart(decodeText(bytes).replace(/^\uFEFF/, '')))
  },
}

/** Kinds whose pictures may hold text. */
const WITH_PICTURES: ReadonlySet<DocumentKind> = new Set([
  'docx',
  'pptx',
  'xlsx',
  'opendocument',
  'flat',
  'epub',
  'rtf',
  'html',
  'mail',
  'mailbox',
])

const MAX_NAMED = 5

/** Names come from the document. */
const nameOf = (part: string) => (part.split('/').at(-1) ?? '').replace(/[^\p{L}\p{N}._ -]/gu, '').slice(0, 60)

function toLostNote(parts: readonly string[]): string {
  const named = parts.slice(0, MAX_NAMED).map(nameOf).join(', ')
  const more = parts.length > MAX_NAMED ? ` and ${parts.length - MAX_NAMED} more` : ''
  return `Parts of the document are damaged or missing and were left out: ${named}${more}.`
}

/** Any other error of a reader means a damaged document. */
async function readWith(read: ReadDocument, source: Source): Promise<readonly PageText[]> {
  try {
    return await read(source)
  } catch (error) {
    if (error instanceof ConvertError) throw error
    throw new ConvertError(error instanceof EngineError ? 'not-text' : 'broken', { cause: error })
  }
}

async function readPictures(source: Source, pages: readonly PageText[]): Promise<readonly PageText[]> {
  if (source.pictures.images.length === 0) return pages
  const { withPictureText } = await import('./images/picture-text.ts')
  return withPictureText(source, pages)
}

/** Documents in documents in documents: a mail with a mail with a presentation with a workbook. */
const MAX_DEPTH = 4
const MAX_INNER = 100

/** Limits that all documents within one document share. */
interface InnerBudget {
  documents: number
  bytes: number
  /** Names of those that were found protected. */
  readonly locked: Set<string>
}

const isLocked = (error: unknown) =>
  error instanceof ConvertError && (error.failure === 'encrypted' || error.failure === 'rights')

/** A document as it can be read: by its name, else by its content, also that of an embedded object. */
async function findInner(name: string, bytes: Buffer): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  if (kindOf(name) !== undefined) return { name, bytes }
  if (isOldContainer(bytes)) {
    const { documentOfObject } = await import('./old/ole-objects.ts')
    return documentOfObject(bytes, name) ?? { name, bytes }
  }
  return { name: `${name}.${contentExtension(bytes) ?? ''}`, bytes }
}

/** Reads the documents within one. The text of their pictures is read with that of the outermost document. */
function createReaderAt(outer: Source, budget: InnerBudget, depth: number): Source['readInner'] {
  if (depth > MAX_DEPTH) return undefined
  return async (outerName, outerBytes) => {
    if (budget.documents === 0 || outerBytes.length > budget.bytes) return ''
    try {
      const { name, bytes } = await findInner(outerName, outerBytes)
      const kind = kindOf(name)
      if (kind === undefined || kind === 'image') return ''
      budget.documents -= 1
      budget.bytes -= bytes.length
      const { pages } = await readParts({ ...outer, name, bytes }, budget, depth + 1)
      return pages.map(({ markdown }) => markdown.trim()).join('\n\n')
    } catch (error) {
      if (isLocked(error) && budget.locked.size < MAX_NAMED && !budget.locked.has(outerName)) {
        budget.locked.add(outerName)
        outer.onNote(
          `The file ${nameOf(outerName)} within it is protected, by a password for example, and was not read.`,
        )
      }
      return ''
    }
  }
}

type DocumentParts = { readonly kind: DocumentKind; readonly pages: readonly PageText[] }

async function readParts(source: Source, budget: InnerBudget, depth: number): Promise<DocumentParts> {
  const named = kindOf(source.name)
  if (named === undefined) throw new ConvertError('broken')
  const kind = checkContent(named, source.name, source.bytes)
  const lost = new Set<string>()
  const onLost = (part: string) => void lost.add(part)
  const readInner = createReaderAt(source, budget, depth)
  const read = await readWith(await READERS[kind](), { ...source, onLost, readInner })
  if (lost.size > 0) source.onNote(toLostNote([...lost]))
  const pages = depth === 0 && WITH_PICTURES.has(kind) ? await readPictures(source, read) : read
  const filled = pages.filter(({ markdown }) => markdown.trim() !== '')
  if (filled.length === 0) throw new ConvertError(lost.size > 0 ? 'broken' : 'empty')
  if (filled.length > source.limits.pages) throw new ConvertError('too-many-pages')
  const characters = filled.reduce((sum, { markdown }) => sum + markdown.length, 0)
  if (characters > source.limits.resultCharacters) throw new ConvertError('too-big')
  return { kind, pages: filled }
}

const createBudget = ({ limits }: Source): InnerBudget => ({
  documents: MAX_INNER,
  bytes: limits.unpackedBytes,
  locked: new Set(),
})

/** Reads documents within this one, which share its limits. */
export const createInnerReader = (source: Source) => createReaderAt(source, createBudget(source), 0)

/** Reads a document of any kind. @throws {ConvertError} */
export const readDocument = (source: Source): Promise<DocumentParts> => readParts(source, createBudget(source), 0)
