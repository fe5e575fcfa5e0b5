import { setTimeout as sleep } from 'node:timers/promises'
import type { Adapter } from '#bridge/port/adapter.ts'
import { AdapterError, type FileRefusal, type FileTrouble } from '#bridge/port/errors.ts'
import type { Attachment, AttachmentKind } from '#bridge/port/message.ts'
import { kindOfUpload, openFile, type Refusal } from '#adapters/shared/files.ts'
import { hasCode } from '#adapters/shared/session.ts'
import { type Fields, number, parseFields, text, toFields } from '#adapters/shared/json.ts'
import { type Api, type Credentials, REPEATABLE } from '../api.ts'
import { allowedHosts, type SlackOptions } from '../config.ts'
import { slackCode } from '../errors.ts'
import { asMail, isMail, MAIL_TYPE, mailHead } from './mail.ts'

/** Finds a file again: its id, its URL, the channel it was shared in, our workspace. No credential. */
export interface Locator {
  readonly id: string
  readonly team?: string
  readonly url?: string
  readonly channel: string
  /** The headers of a mail, which Slack leaves out of its bytes. */
  readonly mail?: string
  /** Not the file but Slack's transcript of it. */
  readonly captions?: true
}

/** Empty if it is not our locator. */
export function parseLocator(locator: string): Locator {
  const fields = parseFields(locator)
  const [id = '', channel = '', url, team, mail] = ['id', 'channel', 'url', 'team', 'mail'].map((name) =>
    text(fields, name),
  )
  return { id, team, channel, url, mail, ...(fields['captions'] === true ? { captions: true } : {}) }
}

const fileUrl = (file: Fields): string | undefined => text(file, 'url_private_download') ?? text(file, 'url_private')

/** Slack Connect sends the id only: the rest comes from `files.info`. */
export const isStub = (file: Fields): boolean =>
  text(file, 'file_access') === 'check_file_info' || (fileUrl(file) === undefined && text(file, 'mode') === undefined)

/** Whether the file was deleted. */
export const isGone = (file: Fields): boolean => text(file, 'mode') === 'tombstone'

const SCOPE_REMEDY = 'Give the app the scope files:read and install it again.'

const VIDEO_CLIP = 'slack_video'

/** A film recorded in Slack: its sound is a voice message that is mostly meant for people. */
export const isVideoClip = (file: Fields): boolean => text(file, 'subtype') === VIDEO_CLIP

/** A document written in Slack; its address gives HTML. `space` is the older kind, a post. */
const isCanvas = (file: Fields): boolean =>
  ['quip', 'canvas', 'space', 'post'].includes(text(file, 'mode') ?? '') ||
  text(file, 'mimetype') === 'application/vnd.slack-docs'

/**
 * A clip recorded in Slack is marked `slack_audio`; some payloads omit that, and have type video or none (desktop:
 * webm, mobile: m4a). Uploaded sound files are shown as audio too, but keep their name and type.
 */
function isVoice(file: Fields, name: string, mimeType: string): boolean {
  if (['slack_audio', VIDEO_CLIP].includes(text(file, 'subtype') ?? '')) return true
  if (text(file, 'media_display_type') !== 'audio') return false
  return /^audio_message\b/i.test(name) || mimeType === '' || mimeType.startsWith('video/')
}

function kindOf(file: Fields, name: string, mimeType: string): AttachmentKind {
  if (isVoice(file, name, mimeType)) return 'voice'
  if (isCanvas(file) || isMail(file)) return 'document'
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
  if (isCanvas(file)) return `${text(file, 'title') ?? name}.html`
  if (isMail(file)) return /\.eml$/i.test(name) ? name : `${name}.eml`
  const ending = text(file, 'filetype')
  if (text(file, 'mode') !== 'snippet' || ending === undefined || name.includes('.')) return name
  return `${name}.${ending === 'text' ? 'txt' : ending === 'markdown' ? 'md' : ending}`
}

/** Slack offers a snippet for a text that is too long for a message; one that people make has a title. */
const isPaste = (file: Fields): boolean =>
  text(file, 'mode') === 'snippet' &&
  /^(?:untitled|unbenannt)?(?:\.txt)?$/i.test(text(file, 'title') ?? text(file, 'name') ?? '')

/** A free workspace shows no older files: of them, only the id is told. */
const beyondLimit = (): FileRefusal => ({
  message: 'Slack hides this file, since it is beyond what the plan of the workspace keeps. Upload the file again.',
  trouble: inTrouble('hidden'),
})
/** For a file of a shared channel that Slack does not describe. */
export const whyUntold = (error: unknown): FileRefusal =>
  hasCode(error, 'forbidden')
    ? { message: `Slack does not tell what this file is. ${SCOPE_REMEDY}`, trouble: inTrouble('no-scope') }
    : { message: 'Slack does not tell what this file is. Drop the file again.', trouble: inTrouble('untold') }

/** @param untold why nothing but its id is known */
export function toAttachment(file: Fields, channel: string, team?: string, untold?: FileRefusal): Attachment {
  const id = text(file, 'id') ?? ''
  const refused = text(file, 'mode') === 'hidden_by_limit' ? beyondLimit() : untold
  const name = nameOf(file, id)
  const announced = isCanvas(file) ? 'text/html' : isMail(file) ? MAIL_TYPE : (text(file, 'mimetype') ?? '')
  const kind = refused === undefined ? kindOf(file, name, announced) : 'document'
  const locator: Locator = { id, team, channel, url: fileUrl(file), mail: isMail(file) ? mailHead(file) : undefined }
  return {
    id,
    name,
    mimeType: kind === 'voice' ? voiceType(name, announced) : announced,
    kind,
    sizeBytes: number(file, 'size'),
    durationMs: number(file, 'duration_ms'),
    locator: JSON.stringify(locator),
    refused,
    ...(isPaste(file) ? { isPaste: true } : {}),
    captions: kind === 'voice' ? JSON.stringify({ id, team, channel, captions: true } satisfies Locator) : undefined,
  }
}

const PROBE_BYTES = 4_096

/** For a wrong token or missing scope Slack returns 200 and its login page. Of a page, only the title tells. */
function isLoginPage(attachment: Attachment, contentType: string, start: Uint8Array): boolean {
  const head = Buffer.from(start.subarray(0, PROBE_BYTES)).toString('latin1')
  if (!/^text\/html/i.test(contentType) || !/^\s*(?:<!doctype html|<html)/i.test(head)) return false
  const isPage = /html|rfc822/i.test(attachment.mimeType) || /\.x?html?$/i.test(attachment.name)
  const title = /<title>([^<]{0,100})/i.exec(head)?.[1] ?? ''
  return !isPage || (/\bslack\b/i.test(title) && /\b(?:sign|log) ?in\b|\blogin\b/i.test(title))
}

/** Slack answers some refused downloads with a redirect to the login page of the workspace. */
const isLogin = ({ hostname, searchParams }: URL) => /(?:^|\.)slack\.com$/.test(hostname) && searchParams.has('redir')

const inTrouble = (kind: FileTrouble['kind'], detail?: string): FileTrouble => ({ kind, service: 'Slack', detail })

function refusal({ status, retryAfterS = 30 }: Refusal): AdapterError {
  const because = (kind: FileTrouble['kind']) => ({ trouble: inTrouble(kind, String(status)) })
  if (status === 200)
    return new AdapterError(
      'forbidden',
      `Slack sent its login page instead of the file. ${SCOPE_REMEDY}`,
      because('no-scope'),
    )
  if (status === 429)
    return new AdapterError('rate-limited', 'Slack limits downloads at the moment. Try again a little later.', {
      retryAfterMs: Math.max(retryAfterS, 1) * 1000,
      ...because('busy'),
    })
  if (status === 401 || status === 403)
    return new AdapterError(
      'forbidden',
      `Slack refused the file (HTTP ${status}). ${SCOPE_REMEDY}`,
      because('no-scope'),
    )
  if (status === 404 || status === 410)
    return new AdapterError('not-found', 'The file is gone from Slack. Upload it again.', because('gone'))
  if (status >= 400 && status < 500 && status !== 408)
    return new AdapterError(
      'invalid',
      `Slack refused the download (HTTP ${status}). Upload the file again.`,
      because('refused'),
    )
  return new AdapterError(
    'network',
    `Slack answered the download with HTTP ${status}. Try again later.`,
    because('silent'),
  )
}

const notAllowed = (host: string | undefined) =>
  new AdapterError(
    'invalid',
    host === undefined
      ? 'Slack gave no usable address for the file. Upload the file itself.'
      : `The file lies on ${host}, which is not a host of Slack. Upload the file itself, or allow the host with FILE_HOSTS.`,
    { trouble: inTrouble('elsewhere', host) },
  )

/** Channels in which a file is shared, as `files.info` tells. */
export function channelsOf(file: Fields): readonly string[] {
  const shares = toFields(file['shares'])
  const places = [...Object.keys(toFields(shares['public'])), ...Object.keys(toFields(shares['private']))]
  for (const name of ['channels', 'groups', 'ims']) {
    const ids = file[name]
    if (Array.isArray(ids)) places.push(...ids.filter((id) => typeof id === 'string'))
  }
  return places
}

/** Files of other channels must not be fetched. */
function isSharedIn(file: Fields, channel: string): boolean {
  const places = channelsOf(file)
  return places.length === 0 || places.includes(channel)
}

/** Throws the failure of `files.info` again, as a sentence about the file. */
function throwForFile(error: unknown): never {
  if (hasCode(error, 'not-found'))
    throw new AdapterError('not-found', 'The file is gone from Slack. Upload it again.', {
      cause: error,
      trouble: inTrouble('gone'),
    })
  if (slackCode(error) === 'missing_scope')
    throw new AdapterError('forbidden', `Slack does not tell where the file is. ${SCOPE_REMEDY}`, {
      cause: error,
      trouble: inTrouble('no-scope'),
    })
  throw error
}

/** The current URL of a file. */
async function refreshedUrl(api: Api, { id, channel }: Locator): Promise<string> {
  const answer = await api.call('files.info', (web) => web.files.info({ file: id }), REPEATABLE).catch(throwForFile)
  const file = toFields(answer.file)
  if (!isSharedIn(file, channel))
    throw new AdapterError('forbidden', 'The file is not shared in this channel. Share it here.', {
      trouble: inTrouble('not-shared'),
    })
  const url = fileUrl(file)
  if (url === undefined)
    throw new AdapterError(
      'not-found',
      'Slack no longer hands out this file: it was deleted, or is beyond what the workspace keeps. Upload it again.',
      { trouble: inTrouble('gone') },
    )
  return url
}

/** Slack writes a recording down within a minute, milliseconds between looks. */
const CAPTION_LOOKS_MS = [0, 3_000, 7_000, 15_000, 30_000]

/** Slack's transcript of a recording: its address, or the words if a preview has all of them. */
async function findCaptions(
  api: Api,
  { id, channel }: Locator,
  signal: AbortSignal,
): Promise<{ readonly url: string } | { readonly words: string }> {
  for (const ms of CAPTION_LOOKS_MS) {
    await sleep(ms, undefined, { signal })
    const answer = await api.call('files.info', (web) => web.files.info({ file: id }), REPEATABLE)
    const file = toFields(answer.file)
    const transcription = toFields(file['transcription'])
    const status = text(transcription, 'status')
    if (!isSharedIn(file, channel) || status === undefined || !['processing', 'complete'].includes(status)) break
    const preview = toFields(transcription['preview'])
    const [url, words] = [text(file, 'vtt'), text(preview, 'content')]
    if (status === 'complete' && url !== undefined) return { url }
    if (status === 'complete' && words !== undefined && preview['has_more'] !== true) return { words }
  }
  throw new AdapterError('not-found', 'Slack has no transcript of this recording.')
}

/** Opens attachments; the bot's token goes to allowed hosts only. */
export function createDownload(
  { fileHosts }: Pick<SlackOptions, 'fileHosts'>,
  api: Api,
  credentials: Credentials,
): Adapter['open'] {
  const source = {
    service: 'Slack',
    hosts: allowedHosts(fileHosts),
    maxRequests: 5,
    headersMs: 30_000,
    idleMs: 60_000,
    notAllowed,
    isLogin,
    refused: refusal,
  }
  return async (attachment, signal) => {
    const locator = parseLocator(attachment.locator)
    const headers = { authorization: `Bearer ${await credentials.token()}` }
    if (locator.captions === true) {
      const captions = await findCaptions(api, locator, signal)
      if ('words' in captions) return new Blob([captions.words]).stream()
      return openFile({ ...source, headers }, { known: captions.url, refresh: async () => captions.url }, signal)
    }
    const bytes = await openFile(
      { ...source, headers, isWrong: (contentType, first) => isLoginPage(attachment, contentType, first) },
      { known: locator.url, refresh: () => refreshedUrl(api, locator) },
      signal,
    )
    return locator.mail === undefined ? bytes : asMail(bytes, locator.mail)
  }
}
