import type { Attachment, AttachmentKind } from '../../../src/bridge/port/message.ts'
import { number, text, toFields } from '../../shared/json.ts'
import type { Fields } from '../../shared/json.ts'

/** What is kept to open a file again: its id, its address, the channel it was shared in. No credential. */
export interface Locator {
  readonly id: string
  readonly url?: string
  readonly channel: string
}

export const parseLocator = (locator: string): Locator => {
  let fields: Fields = {}
  try {
    fields = toFields(JSON.parse(locator))
  } catch {
    // An empty locator leads to the one refusal for all unusable ones.
  }
  const url = text(fields, 'url')
  return {
    id: text(fields, 'id') ?? '',
    channel: text(fields, 'channel') ?? '',
    ...(url === undefined ? {} : { url }),
  }
}

export const fileUrl = (file: Fields): string | undefined =>
  text(file, 'url_private_download') ?? text(file, 'url_private')

/** Slack Connect sends an id and nothing else: the rest is to be asked for (`files.info`). */
export const isStub = (file: Fields): boolean =>
  text(file, 'file_access') === 'check_file_info' ||
  (fileUrl(file) === undefined && text(file, 'mode') === undefined)

/** Deleted meanwhile: there is nothing to open. */
export const isGone = (file: Fields): boolean => text(file, 'mode') === 'tombstone'

const documentTypes =
  /^(?:text\/|message\/rfc822|application\/(?:pdf|json|xml|rtf|epub|x-ndjson|x?html|xhtml|yaml|x-yaml|toml|msword|vnd\.(?:ms-|openxmlformats|oasis)))/
const documentEndings =
  /\.(?:pdf|docx?|pptx?|xlsx?|odt|ods|odp|rtf|epub|md|markdown|txt|csv|tsv|html?|json|ya?ml|xml|eml|msg|tex|rst|adoc|org|log)$/i
const audioEndings = /\.(?:m4a|mp3|wav|ogg|oga|opus|flac|aac|webm)$/i

/**
 * A clip recorded in Slack is marked `slack_audio`; some payloads leave that out, and come as video or with no type at all
 * (desktop: webm, mobile: m4a). A sound file that was uploaded is shown as audio too, but keeps its own name and type.
 */
function isVoice(file: Fields, name: string, mimeType: string): boolean {
  if (text(file, 'subtype') === 'slack_audio') return true
  if (text(file, 'media_display_type') !== 'audio') return false
  return /^audio_message\b/i.test(name) || mimeType === '' || mimeType.startsWith('video/')
}

function kindOf(file: Fields, name: string, mimeType: string): AttachmentKind {
  if (isVoice(file, name, mimeType)) return 'voice'
  if (
    mimeType.startsWith('audio/') ||
    (text(file, 'media_display_type') === 'audio' && audioEndings.test(name))
  )
    return 'audio'
  if (mimeType.startsWith('image/')) return 'image'
  if (documentTypes.test(mimeType) || documentEndings.test(name) || text(file, 'mode') === 'snippet')
    return 'document'
  return 'other'
}

/** Clips come as `video/mp4`, `video/webm` or nothing although there is only sound in them. */
function voiceType(name: string, mimeType: string): string {
  if (mimeType.startsWith('audio/')) return mimeType
  if (mimeType.endsWith('/webm') || (mimeType === '' && name.toLowerCase().endsWith('.webm')))
    return 'audio/webm'
  return 'audio/mp4'
}

/** A snippet is called `Untitled` and such: its type gives the ending. */
function nameOf(file: Fields, id: string): string {
  const name = text(file, 'name') ?? text(file, 'title') ?? `file-${id}`
  const ending = text(file, 'filetype')
  if (text(file, 'mode') !== 'snippet' || ending === undefined || name.includes('.')) return name
  return `${name}.${ending === 'text' ? 'txt' : ending === 'markdown' ? 'md' : ending}`
}

export function toAttachment(file: Fields, channel: string): Attachment {
  const id = text(file, 'id') ?? ''
  const name = nameOf(file, id)
  const announced = text(file, 'mimetype') ?? ''
  const kind = kindOf(file, name, announced)
  const url = fileUrl(file)
  const sizeBytes = number(file, 'size')
  const durationMs = number(file, 'duration_ms')
  const locator: Locator = { id, channel, ...(url === undefined ? {} : { url }) }
  return {
    id,
    name,
    mimeType: kind === 'voice' ? voiceType(name, announced) : announced,
    kind,
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
    ...(durationMs === undefined ? {} : { durationMs }),
    locator: JSON.stringify(locator),
  }
}
