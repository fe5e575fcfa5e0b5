import type { APIAttachment } from 'discord.js'
import type { Attachment, AttachmentKind } from '../../../src/bridge/port/message.ts'

/** What is needed to open an attachment again after its address has expired, also after a restart. */
export interface Locator {
  readonly channel: string
  readonly message: string
  readonly url: string
}

const endings: Readonly<Record<'audio' | 'image' | 'document', string>> = {
  audio: 'ogg oga opus mp3 m4a aac wav flac weba',
  image: 'png jpg jpeg gif webp avif heic bmp svg tif tiff',
  document:
    'pdf md markdown txt text doc docx odt rtf ppt pptx odp xls xlsx ods csv tsv html htm epub eml json yaml yml xml',
}
const kinds = ['audio', 'image', 'document'] as const
const kindOfEnding = new Map<string, AttachmentKind>(
  kinds.flatMap((kind) => endings[kind].split(' ').map((name) => [name, kind] as const)),
)

const documentTypes =
  /^(text\/|application\/(pdf|rtf|msword|epub|json|xml|x?html|yaml|vnd\.(openxmlformats|oasis|ms-))|message\/rfc822)/

/** `voice` only for what was recorded in Discord itself: the message says so by its flag. */
export function kindOf(file: { name: string; mimeType: string; voice: boolean }): AttachmentKind {
  if (file.voice) return 'voice'
  if (file.mimeType.startsWith('audio/')) return 'audio'
  if (file.mimeType.startsWith('image/')) return 'image'
  if (documentTypes.test(file.mimeType)) return 'document'
  const ending = file.name.toLowerCase().split('.').at(-1) ?? ''
  return kindOfEnding.get(ending) ?? 'other'
}

export function toAttachment(
  file: APIAttachment,
  where: { readonly channel: string; readonly message: string; readonly voice: boolean },
): Attachment {
  const mimeType = file.content_type ?? ''
  const locator: Locator = { channel: where.channel, message: where.message, url: file.url }
  return {
    id: file.id,
    name: file.title === undefined ? file.filename : titled(file.title, file.filename),
    mimeType,
    kind: kindOf({ name: file.filename, mimeType, voice: where.voice }),
    sizeBytes: file.size,
    ...(file.duration_secs === undefined ? {} : { durationMs: Math.round(file.duration_secs * 1000) }),
    locator: JSON.stringify(locator),
  }
}

/** Discord replaces letters beyond ASCII in `filename` and keeps the true name, without its ending, in `title`. */
function titled(title: string, filename: string): string {
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(filename)?.[0] ?? ''
  return title.toLowerCase().endsWith(ending.toLowerCase()) ? title : `${title}${ending}`
}

export function readLocator(locator: string): Locator | undefined {
  try {
    const value: unknown = JSON.parse(locator)
    if (typeof value !== 'object' || value === null) return undefined
    const { channel, message, url } = value as Partial<Record<keyof Locator, unknown>>
    if (typeof channel !== 'string' || typeof message !== 'string' || typeof url !== 'string')
      return undefined
    return { channel, message, url }
  } catch {
    return undefined
  }
}
