import { AdapterError, type FileTrouble } from '#bridge/port/errors.ts'
import type { AttachmentKind } from '#bridge/port/message.ts'
import { fileKindOf } from '#lib/file-kind.ts'

/** Unsupported office files: they count as files for the collection and are refused with a sentence. */
const OFFICE_TYPE = /^application\/(?:msword|vnd\.(?:ms-|oasis|openxmlformats))/
const OFFICE_NAME = /\.(?:doc|ppt|xls|msg)$/i

/** The kind of an uploaded file. Voice messages are recognised by the service's adapter. */
export function kindOfUpload(name: string, mimeType: string): Exclude<AttachmentKind, 'voice'> {
  const description = fileKindOf(name, mimeType)
  if (description === 'audio' || description === 'image') return description
  const isOffice = OFFICE_TYPE.test(mimeType) || OFFICE_NAME.test(name)
  return description !== 'unsupported' || isOffice ? 'document' : 'other'
}

export interface AllowedHosts {
  /** Exact names, since a suffix match lets look-alikes pass. Only https on its default port. */
  own: readonly string[]
  /** From FILE_HOSTS: `host`, `host:port` or `host:*`. */
  further: readonly string[]
  /** Where plain http to a further host is allowed. */
  plainHttp: 'loopback' | 'anywhere'
}

export interface FileSource {
  /** Name in sentences: `Slack`, `Discord`. */
  service: string
  hosts: AllowedHosts
  /** Sent to allowed hosts only. */
  headers?: Record<string, string>
  /** Redirects are followed up to this number of requests. */
  maxRequests: number
  /** Time limit from a request to its headers, milliseconds. */
  headersMs: number
  /** Time limit between two chunks, milliseconds. */
  idleMs: number
  /** @param host undefined: the service returned no URL */
  notAllowed: (host: string | undefined) => AdapterError
  /** Whether the first chunk is not the file (a login page): the response then counts as refused. */
  isWrong?: (contentType: string, first: Uint8Array) => boolean
  /** Whether a redirect leads to the login page: the download then counts as refused. */
  isLogin?: (url: URL) => boolean
  refused: (answer: Refusal) => AdapterError
}

export interface Refusal {
  status: number
  /** The `Retry-After` header, seconds. */
  retryAfterS?: number
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
/** Statuses after which a fresh URL may help. */
const STALE_STATUSES = [200, 401, 403, 404, 410]

export function isAllowedHost(url: URL, { own, further, plainHttp }: AllowedHosts): boolean {
  if (url.username !== '' || url.password !== '') return false
  const isFurther = further.some((entry) => entry === url.host || entry === `${url.hostname}:*`)
  if (url.protocol === 'https:') return isFurther || (url.port === '' && own.includes(url.hostname))
  return url.protocol === 'http:' && isFurther && (plainHttp === 'anywhere' || LOOPBACK.test(url.hostname))
}

/**
 * The bytes of a file, from the known URL or from a fresh one, which is requested at most once.
 *
 * @throws {AdapterError}
 */
export async function openFile(
  source: FileSource,
  address: { known?: string; refresh: () => Promise<string> },
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  if (signal.aborted)
    throw new AdapterError('network', 'The download was stopped before it began.', { cause: signal.reason })
  let opened = address.known === undefined ? undefined : await openAt(source, address.known, signal)
  const isStale =
    opened === undefined || (!(opened instanceof ReadableStream) && STALE_STATUSES.includes(opened.status))
  if (isStale) opened = await openAt(source, await address.refresh(), signal)
  if (opened instanceof ReadableStream) return opened
  throw source.refused(opened ?? { status: 0 })
}

async function openAt(
  source: FileSource,
  address: string,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array> | Refusal> {
  const response = await request(source, address, signal)
  if (!response.ok || response.body === null) {
    await response.body?.cancel()
    const retryAfterS = Number(response.headers.get('retry-after') ?? Number.NaN)
    return { status: response.status, retryAfterS: Number.isFinite(retryAfterS) ? retryAfterS : undefined }
  }
  const reader = response.body.getReader()
  const first = (await readPiece(source, reader)).value ?? new Uint8Array()
  if (source.isWrong?.(response.headers.get('content-type') ?? '', first) === true) {
    await reader.cancel()
    return { status: 200 }
  }
  return streamOf(source, first, reader)
}

/** Follows redirects; each URL is checked before it is requested. */
async function request(source: FileSource, address: string, signal: AbortSignal): Promise<Response> {
  let url = URL.parse(address)
  for (let count = 0; count < source.maxRequests; count += 1) {
    if (url === null || !isAllowedHost(url, source.hosts)) throw source.notAllowed(url?.host)
    const response = await requestOnce(source, url, signal)
    const location = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || location === null) return response
    await response.body?.cancel()
    url = URL.parse(location, url)
    if (url !== null && source.isLogin?.(url) === true) return new Response(null)
  }
  throw new AdapterError(
    'invalid',
    'The address of the file leads from one to the next without end. Upload the file itself.',
    { trouble: { kind: 'elsewhere', service: source.service } },
  )
}

async function requestOnce(source: FileSource, url: URL, signal: AbortSignal): Promise<Response> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), source.headersMs)
  try {
    const { headers } = source
    return await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.any([signal, late.signal]) })
  } catch (error) {
    throw new AdapterError('network', `${source.service} did not hand out the file. Drop it again, or try later.`, {
      cause: error,
      trouble: silent(source.service),
    })
  } finally {
    clearTimeout(timer)
  }
}

const silent = (service: string): FileTrouble => ({ kind: 'silent', service })

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** Turns a stalled or broken download into an `AdapterError`. */
async function readPiece({ service, idleMs }: FileSource, reader: Reader) {
  const silence = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const text = `${service} sent nothing of the file for ${idleMs / 1000} s. Drop it again, or try later.`
    silence.reject(new AdapterError('network', text, { trouble: silent(service) }))
  }, idleMs)
  try {
    return await Promise.race([reader.read(), silence.promise])
  } catch (error) {
    reader.cancel(error).catch(() => {})
    if (error instanceof AdapterError) throw error
    throw new AdapterError('network', 'The download of the file broke off. Drop it again, or try later.', {
      cause: error,
      trouble: silent(service),
    })
  } finally {
    clearTimeout(timer)
  }
}

function streamOf(source: FileSource, first: Uint8Array, reader: Reader): ReadableStream<Uint8Array> {
  let head: Uint8Array | undefined = first
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (head !== undefined && head.length > 0) controller.enqueue(head)
      else {
        const { done, value } = await readPiece(source, reader)
        if (done) controller.close()
        else controller.enqueue(value)
      }
      head = undefined
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
