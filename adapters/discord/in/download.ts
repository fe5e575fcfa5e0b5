import { type APIMessage, Routes } from 'discord.js'
import { AdapterError } from '../../../src/bridge/port/errors.ts'
import type { Attachment } from '../../../src/bridge/port/message.ts'
import { type Locator, readLocator } from './attachment.ts'
import type { Calls } from '../rest.ts'
import { rawAttachmentsOf } from './message.ts'

/** Exact names: a suffix match would let look-alikes through. */
const ownHosts: readonly string[] = ['cdn.discordapp.com', 'media.discordapp.net']
const hops = 3

export interface DownloadOptions {
  readonly calls: Calls
  /** `host`, `host:port` or `host:*`; these also over http. */
  readonly fileHosts: readonly string[]
  readonly idleMs: number
}

/**
 * Opens attachments. No credential is ever sent along: the address is signed. It expires after about a day; the message
 * is then asked once for a fresh one.
 */
export function createDownload({ calls, fileHosts, idleMs }: DownloadOptions) {
  async function refreshed(locator: Locator, attachment: Attachment): Promise<string> {
    const message = await calls.get<APIMessage>(Routes.channelMessage(locator.channel, locator.message))
    const file = rawAttachmentsOf(message).find(({ id }) => id === attachment.id)
    if (file === undefined) throw gone(attachment)
    return file.url
  }

  async function request(address: string, signal: AbortSignal): Promise<Response> {
    let url = allowed(address, fileHosts)
    for (let hop = 0; hop <= hops; hop += 1) {
      const response = await fetch(url, { redirect: 'manual', signal })
      const location = response.headers.get('location')
      if (response.status < 300 || response.status > 399 || location === null) return response
      await response.body?.cancel()
      url = allowed(new URL(location, url).href, fileHosts)
    }
    throw new AdapterError('invalid', 'The address of this file leads in circles. Upload it again.')
  }

  return async (attachment: Attachment, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> => {
    const locator = readLocator(attachment.locator)
    if (locator === undefined) {
      throw new AdapterError('invalid', `"${attachment.name}" is not an attachment from Discord.`)
    }
    const idle = createIdleLimit(idleMs)
    const either = AbortSignal.any([signal, idle.signal])
    try {
      idle.touch()
      let response: Response | undefined
      if (!hasExpired(locator.url)) response = await request(locator.url, either)
      if (response === undefined || [403, 404, 410].includes(response.status)) {
        await response?.body?.cancel()
        response = await request(await refreshed(locator, attachment), either)
      }
      if (response.status === 404 || response.status === 410) throw gone(attachment)
      if (!response.ok || response.body === null) {
        throw new AdapterError(
          'network',
          `Discord answered ${response.status} for "${attachment.name}". Try again.`,
        )
      }
      return response.body.pipeThrough(idle.watch())
    } catch (error) {
      idle.end()
      throw toFileError(error, signal, attachment)
    }
  }
}

function allowed(address: string, fileHosts: readonly string[]): URL {
  const url = URL.parse(address)
  const plain = url !== null && url.username === '' && url.password === ''
  if (plain && url.protocol === 'https:' && url.port === '' && ownHosts.includes(url.hostname)) return url
  const further = (pattern: string) =>
    pattern === url?.host || pattern === url?.hostname || pattern === `${url?.hostname}:*`
  if (plain && /^https?:$/.test(url.protocol) && fileHosts.some(further)) return url
  throw new AdapterError(
    'forbidden',
    `Files are not taken from ${url?.host ?? 'this address'}: it is not a file host of Discord (see FILE_HOSTS).`,
  )
}

/** `ex` holds the end of the address's life, in hexadecimal seconds. */
function hasExpired(address: string): boolean {
  const expires = Number.parseInt(URL.parse(address)?.searchParams.get('ex') ?? '', 16)
  return Number.isFinite(expires) && expires * 1000 < Date.now()
}

/** Ends a download that brings nothing for `ms`. */
function createIdleLimit(ms: number) {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const end = () => clearTimeout(timer)
  const touch = () => {
    end()
    timer = setTimeout(() => {
      controller.abort(
        new AdapterError('network', 'Discord stopped sending this file. Try again in a moment.'),
      )
    }, ms)
  }
  const watch = () =>
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, stream) {
        touch()
        stream.enqueue(piece)
      },
      flush: end,
      cancel: end,
    })
  return { signal: controller.signal, touch, end, watch }
}

const gone = (attachment: Attachment) =>
  new AdapterError(
    'not-found',
    `"${attachment.name}" is not on Discord any more. Drop it again if it is still needed.`,
  )

function toFileError(error: unknown, signal: AbortSignal, attachment: Attachment): unknown {
  if (error instanceof AdapterError || signal.aborted) return error
  return new AdapterError(
    'network',
    `"${attachment.name}" could not be loaded from Discord. Try again in a moment.`,
    {
      cause: error,
    },
  )
}
