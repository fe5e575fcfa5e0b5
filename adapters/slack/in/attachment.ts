import type { Adapter } from '../../../src/bridge/port/adapter.ts'
import { AdapterError } from '../../../src/bridge/port/errors.ts'
import type { Attachment, AttachmentKind } from '../../../src/bridge/port/message.ts'
import { kindOfUpload, openFile, type Refusal } from '../../shared/files.ts'
import { type Fields, number, parseFields, text, toFields } from '../../shared/json.ts'
import { type Api, REPEATABLE } from '../api.ts'
import { allowedHosts, type SlackOptions } from '../config.ts'

/** Finds a file again: its id, its URL, the channel it was shared in. No credential. */
export interface Locator {
  readonly id: string
  readonly url?: string
  readonly channel: string
}

/** Empty if it is no locator of ours. */
export function parseLocator(locator: string): Locator {
  const fields = parseFields(locator)
  return { id: text(fields, 'id') ?? '', channel: text(fields, 'channel') ?? '', url: text(fields, 'url') }
}

const fileUrl = (file: Fields): string | undefined => text(file, 'url_private_download') ?? text(file, 'url_private')

/** Slack Connect sends the id only: the rest comes from `files.info`. */
export const isStub = (file: Fields): boolean =>
  text(file, 'file_access') === 'check_file_info' || (fileUrl(file) === undefined && text(file, 'mode') === undefined)

/** Whether the file was deleted. */
export const isGone = (file: Fields): boolean => text(file, 'mode') === 'tombstone'

/**
 * A clip recorded in Slack is marked `slack_audio`; some payloads omit that, and have type video or none (desktop:
 * webm, mobile: m4a). Uploaded sound files are shown as audio too, but keep their name and type.
 */
function isVoice(file: Fields, name: string, mimeType: string): boolean {
  if (text(file, 'subtype') === 'slack_audio') return true
  if (text(file, 'media_display_type') !== 'audio') return false
  return /^audio_message\b/i.test(name) || mimeType === '' || mimeType.startsWith('video/')
}

function kindOf(file: Fields, name: string, mimeType: string): AttachmentKind {
  if (isVoice(file, name, mimeType)) return 'voice'
  if (mimeType.startsWith('audio/')) return 'audio'
  const kind = kindOfUpload(name, mimeType)
  // An uploaded recording may be webm, otherwise a video type.
  if (text(file, 'media_display_type') === 'audio' && (kind === 'audio' || /\.webm$/i.test(name))) return 'audio'
  return kind === 'other' && text(file, 'mode') === 'snippet' ? 'document' : kind
}

/** The type of a clip: Slack reports `video/mp4`, `video/webm` or nothing although it is sound only. */
function voiceType(name: string, mimeType: string): string {
  if (mimeType.startsWith('audio/')) return mimeType
  if (mimeType.endsWith('/webm') || (mimeType === '' && name.toLowerCase().endsWith('.webm'))) return 'audio/webm'
  return 'audio/mp4'
}

/** A snippet may be called `Untitled`: its type gives the extension. */
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
  const locator: Locator = { id, channel, url: fileUrl(file) }
  return {
    id,
    name,
    mimeType: kind === 'voice' ? voiceType(name, announced) : announced,
    kind,
    sizeBytes: number(file, 'size'),
    durationMs: number(file, 'duration_ms'),
    locator: JSON.stringify(locator),
  }
}

const SCOPE_REMEDY = 'Give the app the scope files:read and install it again.'
const PROBE_BYTES = 512

/** For a wrong token or missing scope Slack returns 200 and its login page. */
function isLoginPage(attachment: Attachment, contentType: string, start: Uint8Array): boolean {
  if (/html/i.test(attachment.mimeType) || /\.x?html?$/i.test(attachment.name)) return false
  const head = Buffer.from(start.subarray(0, PROBE_BYTES)).toString('latin1')
  return /^text\/html/i.test(contentType) && /^\s*(?:<!doctype html|<html)/i.test(head)
}

function refusal({ status, retryAfterS = 30 }: Refusal): AdapterError {
  if (status === 200)
    return new AdapterError('forbidden', `Slack sent its login page instead of the file. ${SCOPE_REMEDY}`)
  if (status === 429)
    return new AdapterError('rate-limited', 'Slack limits downloads at the moment. Try again a little later.', {
      retryAfterMs: Math.max(retryAfterS, 1) * 1000,
    })
  if (status === 401 || status === 403)
    return new AdapterError('forbidden', `Slack refused the file (HTTP ${status}). ${SCOPE_REMEDY}`)
  if (status === 404 || status === 410)
    return new AdapterError('not-found', 'The file is gone from Slack. Upload it again.')
  return new AdapterError('network', `Slack answered the download with HTTP ${status}. Try again later.`)
}

const notAllowed = (host: string | undefined) =>
  new AdapterError(
    'invalid',
    host === undefined
      ? 'Slack gave no usable address for the file. Upload the file itself.'
      : `The file lies on ${host}, which is not a host of Slack. Upload the file itself, or allow the host with FILE_HOSTS.`,
  )

/** Whether the file is shared in this channel: files of other channels must not be fetched. */
function isSharedIn(file: Fields, channel: string): boolean {
  const shares = toFields(file['shares'])
  const places = [...Object.keys(toFields(shares['public'])), ...Object.keys(toFields(shares['private']))]
  for (const name of ['channels', 'groups', 'ims']) {
    const ids = file[name]
    if (Array.isArray(ids)) places.push(...ids.filter((id) => typeof id === 'string'))
  }
  return places.length === 0 || places.includes(channel)
}

/** The current URL of a file. */
async function refreshedUrl(api: Api, { id, channel }: Locator): Promise<string> {
  const answer = await api.call('files.info', (web) => web.files.info({ file: id }), REPEATABLE)
  const file = toFields(answer.file)
  if (!isSharedIn(file, channel))
    throw new AdapterError('forbidden', 'The file is not shared in this channel. Share it here.')
  const url = fileUrl(file)
  if (url === undefined)
    throw new AdapterError(
      'not-found',
      'Slack no longer hands out this file: it was deleted, or is beyond what the workspace keeps. Upload it again.',
    )
  return url
}

/** Opens attachments; the bot's token goes to allowed hosts only. */
export function createDownload({ botToken, fileHosts }: SlackOptions, api: Api): Adapter['open'] {
  const source = {
    service: 'Slack',
    hosts: allowedHosts(fileHosts),
    headers: { authorization: `Bearer ${botToken}` },
    maxRequests: 5,
    headersMs: 30_000,
    idleMs: 60_000,
    notAllowed,
    refused: refusal,
  }
  return (attachment, signal) => {
    const locator = parseLocator(attachment.locator)
    return openFile(
      { ...source, isWrong: (contentType, first) => isLoginPage(attachment, contentType, first) },
      { known: locator.url, refresh: () => refreshedUrl(api, locator) },
      signal,
    )
  }
}
