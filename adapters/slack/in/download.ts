import { AdapterError } from '../../../src/bridge/port/errors.ts'
import type { Attachment } from '../../../src/bridge/port/message.ts'
import type { Api } from '../api.ts'
import { fileUrl, parseLocator } from './attachment.ts'
import type { Locator } from './attachment.ts'
import type { SlackOptions } from '../config.ts'
import { toFields } from '../../shared/json.ts'
import type { Fields } from '../../shared/json.ts'

export type OpenFile = (attachment: Attachment, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>

/** Exactly this host: a suffix match is how look-alikes pass. */
const slackHosts = ['files.slack.com']
const hops = 5
const headersMs = 30_000
const idleMs = 60_000
const probeBytes = 512
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
const notAllowed = (host: string) =>
  new AdapterError(
    'invalid',
    `The file lies on ${host}, which is not a host of Slack. Upload the file itself, or allow the host with FILE_HOSTS.`,
  )
const scopeRemedy = 'Give the app the scope files:read and install it again.'

/** @param allowed `host`, `host:port` or `host:*`. */
export function isAllowed(url: URL, allowed: readonly string[]): boolean {
  if (url.username !== '' || url.password !== '') return false
  const plain = url.protocol === 'http:' && loopback.test(url.hostname)
  if (url.protocol !== 'https:' && !plain) return false
  if (url.protocol === 'https:' && url.port === '' && slackHosts.includes(url.hostname)) return true
  return allowed.some((entry) => entry === url.host || entry === `${url.hostname}:*`)
}

/** Slack answers a wrong token or a missing scope with 200 and its login page. */
function looksLikePage(type: string, start: Uint8Array, attachment: Attachment): boolean {
  if (/html/i.test(attachment.mimeType) || /\.x?html?$/i.test(attachment.name)) return false
  return (
    /^text\/html/i.test(type) &&
    /^\s*(?:<!doctype html|<html)/i.test(Buffer.from(start.subarray(0, probeBytes)).toString('latin1'))
  )
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

const nothing = new Uint8Array()

/** A source that falls silent, or breaks off, is an error with a sentence. */
async function readOn(reader: Reader): Promise<Awaited<ReturnType<Reader['read']>>> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    const told = new AdapterError(
      'network',
      `Slack sent nothing of the file for ${idleMs / 1000} s. Drop it again, or try later.`,
    )
    timer = setTimeout(() => reject(told), idleMs)
  })
  try {
    return await Promise.race([reader.read(), silence])
  } catch (error) {
    reader.cancel(error).catch(() => {})
    if (error instanceof AdapterError) throw error
    throw new AdapterError('network', 'The download of the file broke off. Drop it again, or try later.', {
      cause: error,
    })
  } finally {
    clearTimeout(timer)
  }
}

/** Gives the first piece back and then the rest. */
function passOn(first: Uint8Array, reader: Reader): ReadableStream<Uint8Array> {
  let head = first
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = head.length > 0 ? { done: false as const, value: head } : await readOn(reader)
      head = nothing
      if (piece.done) controller.close()
      else controller.enqueue(piece.value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** The shares of a file name the channels in which it stands; an id from elsewhere is not ours to fetch. */
function isSharedIn(file: Fields, channel: string): boolean {
  const shares = toFields(file['shares'])
  const places = [...Object.keys(toFields(shares['public'])), ...Object.keys(toFields(shares['private']))]
  for (const name of ['channels', 'groups', 'ims']) {
    const ids = file[name]
    if (Array.isArray(ids)) places.push(...ids.filter((id) => typeof id === 'string'))
  }
  return places.length === 0 || places.includes(channel)
}

export function createDownload(options: SlackOptions, api: Api): OpenFile {
  const allowed = options.fileHosts ?? []

  async function fetchHop(url: URL, signal: AbortSignal): Promise<Response> {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), headersMs)
    try {
      const headers = { authorization: `Bearer ${options.botToken}` }
      return await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.any([signal, late.signal]) })
    } catch (error) {
      throw new AdapterError('network', 'Slack did not hand out the file. Drop it again, or try later.', {
        cause: error,
      })
    } finally {
      clearTimeout(timer)
    }
  }

  /** The token goes to allowed hosts only: each hop is looked at before it is asked. */
  async function follow(address: string, signal: AbortSignal): Promise<Response> {
    let url = URL.parse(address)
    for (let hop = 0; hop < hops; hop += 1) {
      if (url === null)
        throw new AdapterError(
          'invalid',
          'Slack gave no usable address for the file. Upload the file itself.',
        )
      if (!isAllowed(url, allowed)) throw notAllowed(url.host)
      const response = await fetchHop(url, signal)
      if (response.status < 300 || response.status > 399) return response
      await response.body?.cancel()
      url = URL.parse(response.headers.get('location') ?? '', url)
    }
    throw new AdapterError(
      'invalid',
      'The address of the file leads from one to the next without end. Upload the file itself.',
    )
  }

  async function openAt(
    address: string,
    attachment: Attachment,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    const response = await follow(address, signal)
    if (!response.ok || response.body === null) {
      await response.body?.cancel()
      throw refusal(response.status, Number(response.headers.get('retry-after') ?? 30))
    }
    const reader: Reader = response.body.getReader()
    const first = (await readOn(reader)).value ?? nothing
    if (looksLikePage(response.headers.get('content-type') ?? '', first, attachment)) {
      await reader.cancel()
      throw new AdapterError('forbidden', `Slack sent its login page instead of the file. ${scopeRemedy}`)
    }
    return passOn(first, reader)
  }

  /** The address as Slack has it now. */
  async function refreshed(locator: Locator): Promise<string> {
    const answer = await api.call('files.info', (web) => web.files.info({ file: locator.id }), {
      repeatable: true,
    })
    const file = toFields(answer.file)
    if (!isSharedIn(file, locator.channel))
      throw new AdapterError('forbidden', 'The file is not shared in this channel. Share it here.')
    const url = fileUrl(file)
    if (url === undefined)
      throw new AdapterError(
        'not-found',
        'Slack no longer hands out this file: it was deleted, or is beyond what the workspace keeps. Upload it again.',
      )
    return url
  }

  return async (attachment, signal) => {
    const locator = parseLocator(attachment.locator)
    if (signal.aborted)
      throw new AdapterError('network', 'The download was stopped before it began.', { cause: signal.reason })
    if (locator.url === undefined) return openAt(await refreshed(locator), attachment, signal)
    try {
      return await openAt(locator.url, attachment, signal)
    } catch (error) {
      const stale =
        error instanceof AdapterError && (error.code === 'forbidden' || error.code === 'not-found')
      if (!stale || signal.aborted) throw error
      return openAt(await refreshed(locator), attachment, signal)
    }
  }
}

function refusal(status: number, retryAfterS: number): AdapterError {
  if (status === 429)
    return new AdapterError(
      'rate-limited',
      'Slack limits downloads at the moment. Try again a little later.',
      { retryAfterMs: Math.max(retryAfterS, 1) * 1000 },
    )
  if (status === 401 || status === 403)
    return new AdapterError('forbidden', `Slack refused the file (HTTP ${status}). ${scopeRemedy}`)
  if (status === 404 || status === 410)
    return new AdapterError('not-found', 'The file is gone from Slack. Upload it again.')
  return new AdapterError('network', `Slack answered the download with HTTP ${status}. Try again later.`)
}
