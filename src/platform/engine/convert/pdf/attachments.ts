import { escapeText } from '../markdown/inline.ts'
import { toSize } from '../mail/write.ts'
import type { Source } from '../reader.ts'

const MAX_ATTACHMENTS = 100
/** Attachments that are read, and bytes of each. */
const MAX_READ = 10
const MAX_BYTES = 20_000_000

interface Attachment {
  readonly name: string
  readonly bytes: Buffer
}

type Opened = Awaited<ReturnType<typeof open>>

async function open(bytes: Buffer) {
  const { getDocumentProxy } = await import('unpdf')
  return getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
}

/** Number of pdf.js for the annotations that hold a file. */
const FILE_ATTACHMENT = 17

/** Files by their ids: those of the document, and those attached to a place of a page. */
async function findFiles(document: Opened): Promise<readonly (readonly [id: string, name: string])[]> {
  const ofDocument: Iterable<readonly [string, { readonly filename?: string }]> =
    (await document.getAttachments()) ?? []
  const ofPages = (await document.getAnnotationsByType(new Set([FILE_ATTACHMENT]), new Set())) as
    | readonly { readonly fileId?: string; readonly file?: { readonly filename?: string } }[]
    | null
  return [
    ...Array.from(ofDocument, ([id, { filename = id }]) => [id, filename] as const),
    ...(ofPages ?? []).flatMap(({ fileId, file }) =>
      fileId === undefined ? [] : [[fileId, file?.filename ?? 'attachment'] as const],
    ),
  ]
}

async function findAttachments(document: Opened): Promise<readonly Attachment[]> {
  const attachments: Attachment[] = []
  for (const [id, filename] of (await findFiles(document)).slice(0, MAX_ATTACHMENTS)) {
    // oxlint-disable-next-line no-await-in-loop -- in order
    const content: unknown = await document.getAttachmentContent(id)
    attachments.push({ name: filename, bytes: Buffer.from(content instanceof Uint8Array ? content : []) })
  }
  return attachments
}

async function listAttachments(bytes: Buffer): Promise<readonly Attachment[]> {
  const document = await open(bytes)
  try {
    return await findAttachments(document)
  } finally {
    await document.loadingTask.destroy()
  }
}

/**
 * Names and sizes of the files attached to a PDF, and the text of those that are documents; empty where it has no
 * attachments.
 */
export async function readAttachments(source: Source): Promise<string> {
  const found = await listAttachments(source.bytes).catch(() => [])
  if (found.length === 0) return ''
  const texts: string[] = []
  for (const { name, bytes } of found.slice(0, MAX_READ)) {
    if (source.readInner === undefined || bytes.length > MAX_BYTES) continue
    // oxlint-disable-next-line no-await-in-loop -- one after the other, to bound memory
    const text = await source.readInner(name, bytes)
    if (text !== '') texts.push(`### ${escapeText(name)}\n\n${text}`)
  }
  const names = found.map(({ name, bytes }) => `- ${escapeText(name)}, ${toSize(bytes)}`)
  return [`## Attachments\n\n${names.join('\n')}`, ...texts].join('\n\n')
}
