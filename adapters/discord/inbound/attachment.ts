import { type APIAttachment, type APIMessage, Routes } from 'discord.js'
import type { Adapter } from '#bridge/port/adapter.ts'
import { AdapterError, type FileTrouble } from '#bridge/port/errors.ts'
import type { Attachment } from '#bridge/port/message.ts'
import { type AllowedHosts, kindOfUpload, openFile, type Refusal } from '#adapters/shared/files.ts'
import { parseFields, text } from '#adapters/shared/json.ts'
import { hasCode } from '#adapters/shared/session.ts'
import type { Rest } from '../rest.ts'
import { rawAttachmentsOf } from './forward.ts'

/** Finds an attachment again after its URL has expired, also after a restart; one that hangs on no message does not. */
interface Locator {
  readonly channel: string
  /** Absent: it came with a command. */
  readonly message?: string
  readonly url: string
}

/** @param place its message, absent with a command; `voice`: the message was recorded in Discord itself */
export function toAttachment(
  file: APIAttachment,
  place: { readonly channel: string; readonly message?: string; readonly voice: boolean },
): Attachment {
  const mimeType = file.content_type ?? ''
  const locator: Locator = { channel: place.channel, message: place.message, url: file.url }
  return {
    id: file.id,
    name: withEnding(file.title ?? file.filename, file.filename),
    mimeType,
    kind: place.voice ? 'voice' : kindOfUpload(file.filename, mimeType),
    sizeBytes: file.size,
    ...(isPaste(file) ? { isPaste: true } : {}),
    durationMs: typeof file.duration_secs === 'number' ? Math.round(file.duration_secs * 1000) : undefined,
    locator: JSON.stringify(locator),
  }
}

/** The clients make a file of this name of a text that is too long for a message. */
const isPaste = ({ filename, content_type: type }: APIAttachment): boolean =>
  filename === 'message.txt' && (type ?? 'text/plain').startsWith('text/plain')

/** Discord replaces non-ASCII letters in `filename` and keeps the true name, without extension, in `title`. */
function withEnding(title: string, filename: string): string {
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(filename)?.[0] ?? ''
  return title.toLowerCase().endsWith(ending.toLowerCase()) ? title : `${title}${ending}`
}

function readLocator({ locator }: Attachment): Locator {
  const fields = parseFields(locator)
  const [channel, message, url] = ['channel', 'message', 'url'].map((field) => text(fields, field))
  if (channel === undefined || url === undefined)
    throw new AdapterError('invalid', 'The file is not an attachment from Discord.')
  return { channel, message, url }
}

/** `ex` is the expiry of the URL, in hexadecimal seconds. */
function hasExpired(address: string): boolean {
  const expires = Number.parseInt(URL.parse(address)?.searchParams.get('ex') ?? '', 16)
  return Number.isFinite(expires) && expires * 1000 < Date.now()
}

const toTrouble = (kind: FileTrouble['kind'], detail?: string): FileTrouble => ({ kind, service: 'Discord', detail })

const gone = (cause?: unknown) =>
  new AdapterError('not-found', 'The file is gone from Discord. Drop it again if it is still needed.', {
    trouble: toTrouble('gone'),
    cause,
  })

/** The error of a download. It names no file: the shown text has the name before it. */
function refused({ status }: Refusal): AdapterError {
  if (status === 404 || status === 410) return gone()
  if (status >= 400 && status < 500 && status !== 408 && status !== 429)
    return new AdapterError('invalid', `Discord refused the download (HTTP ${status}). Drop the file again.`, {
      trouble: toTrouble('refused', String(status)),
    })
  return new AdapterError('network', `Discord answered the download with HTTP ${status}. Try again later.`, {
    trouble: toTrouble('silent'),
  })
}

const notAllowed = (host = 'this address') =>
  new AdapterError(
    'forbidden',
    `Files are not taken from ${host}: it is not a file host of Discord (see FILE_HOSTS).`,
    { trouble: toTrouble('elsewhere', host) },
  )

export const allowedHosts = (further: readonly string[]): AllowedHosts => ({
  own: ['cdn.discordapp.com', 'media.discordapp.net'],
  further,
  plainHttp: 'loopback',
})

interface DownloadParts {
  readonly rest: Rest
  /** `host`, `host:port` or `host:*`; over http on loopback only. */
  readonly fileHosts: readonly string[]
  readonly idleMs: number
}

/** Opens attachments. The signed URL lasts about a day; then the message is requested once for a new one. */
export function createDownload({ rest, fileHosts, idleMs }: DownloadParts): Adapter['open'] {
  const hosts = allowedHosts(fileHosts)
  const source = { service: 'Discord', hosts, maxRequests: 4, headersMs: idleMs, idleMs, notAllowed, refused }

  async function freshUrl({ channel, message }: Locator, id: string): Promise<string> {
    if (message === undefined) throw gone()
    const raw = await rest.get<APIMessage>(Routes.channelMessage(channel, message)).catch((error: unknown) => {
      throw hasCode(error, 'not-found') ? gone(error) : error
    })
    const file = rawAttachmentsOf(raw).find((one) => one.id === id)
    if (file === undefined) throw gone()
    return file.url
  }

  return async (attachment, signal) => {
    const locator = readLocator(attachment)
    const known = hasExpired(locator.url) ? undefined : locator.url
    return openFile(source, { known, refresh: () => freshUrl(locator, attachment.id) }, signal)
  }
}
