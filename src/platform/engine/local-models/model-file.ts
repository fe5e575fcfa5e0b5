import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, type Dispatcher, request } from 'undici'
import { EngineError, errorText } from '../errors.ts'
import type { EngineLog } from '../types.ts'

/** Words and checks for one kind of file. */
export interface ModelKind {
  /** `speech model`. */
  readonly name: string
  /** The setting that names it. */
  readonly setting: string
  /** Begins the machine-readable reasons: `<reason>_loading`, `<reason>_not_fetched`, `<reason>_broken`. */
  readonly reason: string
  /** Completes "is no <name> …". */
  readonly format: string
  /** @param head the first bytes of the file, at most 16 */
  readonly isModel: (head: Buffer) => boolean
  /** Advice while it is still being downloaded. */
  readonly later: string
}

export interface ModelFile {
  /**
   * Path of the file; an address is downloaded first when the file is missing.
   *
   * @throws {EngineError} `not-configured` (no such file, no model), `upstream` (download failed or still running)
   */
  path(): Promise<string>
  /** Share that is downloaded, 0…1; undefined: no download runs. */
  part(): number | undefined
  close(): Promise<void>
}

export interface ModelFileOptions {
  readonly kind: ModelKind
  /** Path, or https address; `#sha256=<hex>` at the end of an address is the file's checksum. */
  readonly source: string
  /** Folder of downloaded models. */
  readonly folder: string
  readonly log: EngineLog
  /** Longest wait of a request for the download; then it is told to come back. Default 30 s. */
  readonly waitMs?: number
  /** Longest pause of the download server. Default 30 s. */
  readonly idleMs?: number
}

/** Number of progress lines in the log. */
const PROGRESS_STEPS = 10
const HEAD_BYTES = 16
const MAX_REDIRECTS = 5

export const isAddress = (source: string) => /^https?:\/\//i.test(source)

/** The checksum at the end of an address, in small letters. */
const checksumOf = (source: string) => /^#sha256=([\da-f]{64})$/i.exec(new URL(source).hash)?.[1]?.toLowerCase()

const isLoopback = ({ hostname }: URL) => /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname)

/** Bytes over plain http may be anybody's, so they need a checksum. */
function checkAddress({ source, kind }: ModelFileOptions): void {
  const { name, setting } = kind
  const url = new URL(source)
  const refuse = (why: string) => new EngineError('not-configured', `${why} (${setting}).`)
  if (url.hash !== '' && checksumOf(source) === undefined) {
    throw refuse(`The checksum of the ${name} is no SHA-256: write #sha256= and 64 hexadecimal digits`)
  }
  if (url.protocol === 'http:' && url.hash === '' && !isLoopback(url)) {
    throw refuse(`The ${name} has an http address: use https, or add #sha256= and its checksum`)
  }
}

/** Without credentials and query, which may hold a secret. */
function toShown(source: string): string {
  const { origin, pathname } = new URL(source)
  return `${origin}${pathname}`
}

async function readHead(path: string): Promise<Buffer | undefined> {
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const notAModel = (what: string, { name, format, setting, reason }: ModelKind) =>
  new EngineError('not-configured', `${what} is no ${name} ${format}: set ${setting} to one.`, {
    reason: `${reason}_broken`,
  })

interface Answer {
  readonly body: Dispatcher.ResponseData['body']
  readonly status: number
  /** Bytes of the body; 0: not stated. */
  readonly length: number
  /** Names these bytes on the server: only the same ones are resumed. */
  readonly etag?: string
  /** SHA-256 that a model hub states for the file (Hugging Face: `x-linked-etag`). */
  readonly stated?: string
}

const textOf = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)

/** Follows redirects, as hubs send them to their stores, but never from https to http. */
async function requestFile(
  source: string,
  headers: Record<string, string>,
  options: { readonly dispatcher: Agent; readonly signal: AbortSignal },
): Promise<Answer> {
  let url = new URL(source)
  let stated: string | undefined
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each answer names the next address
    const response = await request(url, { ...options, headers })
    const { statusCode: status, body } = response
    stated ??= /^"?([\da-f]{64})"?$/i.exec(textOf(response.headers['x-linked-etag']) ?? '')?.[1]?.toLowerCase()
    const location = textOf(response.headers['location'])
    if (status < 300 || status > 308 || location === undefined) {
      const length = Number(textOf(response.headers['content-length']) ?? 0)
      return { body, status, length, stated, etag: textOf(response.headers['etag']) }
    }
    body.on('error', () => undefined).destroy()
    const next = new URL(location, url)
    if (url.protocol === 'https:' && next.protocol !== 'https:') throw new Error('it leads to an address without https')
    url = next
  }
  throw new Error(`it leads to more than ${MAX_REDIRECTS} other addresses`)
}

/** A download that broke off is continued where the server still has the same bytes. */
async function findPartial(part: string): Promise<{ readonly bytes: number; readonly etag: string } | undefined> {
  const etag = await readFile(`${part}.etag`, 'utf8').catch(() => '')
  const { size } = await stat(part).catch(() => ({ size: 0 }))
  return etag === '' || size === 0 ? undefined : { bytes: size, etag }
}

interface Download {
  readonly options: ModelFileOptions
  readonly to: string
  readonly dispatcher: Agent
  readonly signal: AbortSignal
  readonly onPart: (part: number) => void
}

/** Counts and logs bytes as they pass. */
function createMeter({ options, onPart }: Download, before: number, length: number) {
  const total = length > 0 ? before + length : 0
  const meter = { received: before, total }
  let told = 0
  const stream = new Transform({
    transform(chunk: Buffer, _, next) {
      meter.received += chunk.length
      const part = total > 0 ? meter.received / total : 0
      onPart(part)
      const step = Math.floor(part * PROGRESS_STEPS)
      if (step > told) {
        const percent = step * (100 / PROGRESS_STEPS)
        options.log.info({ percent, received: meter.received, total }, `${titled(options.kind)} is being downloaded`)
      }
      told = Math.max(told, step)
      next(null, chunk)
    },
  })
  return { meter, stream }
}

const titled = ({ name }: ModelKind) => `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Bytes into the partial file; the checksum that they must have, if any is known. */
async function receive(download: Download, part: string): Promise<{ received: number; stated?: string }> {
  const { options, dispatcher, signal } = download
  const before = await findPartial(part)
  const headers = before && { range: `bytes=${before.bytes}-`, 'if-range': before.etag }
  const answer = await requestFile(options.source, headers ?? {}, { dispatcher, signal })
  const { status, body, etag, stated, length } = answer
  if (status !== 200 && status !== 206) {
    body.on('error', () => undefined).destroy()
    // The rest of a file that is complete, or shorter by now, cannot be had.
    if (status === 416) await removePartial(part)
    throw new Error(`status ${status}`)
  }
  const from = status === 206 ? (before?.bytes ?? 0) : 0
  // A weak tag does not promise the same bytes.
  if (etag !== undefined && !etag.startsWith('W/')) await writeFile(`${part}.etag`, etag, { mode: 0o600 })
  else await rm(`${part}.etag`, { force: true })
  const { meter, stream } = createMeter(download, from, length)
  await pipeline(body, stream, createWriteStream(part, { mode: 0o600, flags: from > 0 ? 'a' : 'w' }))
  if (meter.total > 0 && meter.received !== meter.total) {
    throw new Error(`${meter.received} of ${meter.total} bytes came`)
  }
  return { received: meter.received, stated }
}

async function removePartial(part: string): Promise<void> {
  await Promise.all([rm(part, { force: true }), rm(`${part}.etag`, { force: true })])
}

async function fetchModel(download: Download): Promise<string> {
  const { options, to } = download
  const { source, kind, folder, log } = options
  const shown = toShown(source)
  const part = `${to}.part`
  await mkdir(folder, { recursive: true })
  log.info({ from: shown }, `${titled(kind)} is being downloaded`)
  try {
    const { received, stated } = await receive(download, part)
    const sha256 = await hashOf(part)
    const wanted = checksumOf(source) ?? stated
    const head = (await readHead(part)) ?? Buffer.alloc(0)
    const isWrong = wanted !== undefined && wanted !== sha256
    if (isWrong || !kind.isModel(head)) await removePartial(part)
    if (isWrong) throw new Error(`its SHA-256 is ${sha256}, not ${wanted}`)
    if (!kind.isModel(head)) throw notAModel(shown, kind)
    await rename(part, to)
    await removePartial(part)
    log.info({ from: shown, received, sha256 }, `${titled(kind)} was downloaded`)
    return to
  } catch (error) {
    if ((await findPartial(part)) === undefined) await removePartial(part)
    if (error instanceof EngineError) throw error
    const sentence = `The ${kind.name} cannot be downloaded from ${shown} (${errorText(error)}): check ${kind.setting} and the network, or put the file there by hand and name its path.`
    throw new EngineError('upstream', sentence, { status: 503, reason: `${kind.reason}_not_fetched`, cause: error })
  }
}

export function createModelFile(options: ModelFileOptions): ModelFile {
  const { source, folder, log, kind } = options
  const dispatcher = new Agent({ bodyTimeout: options.idleMs ?? 30_000, headersTimeout: options.idleMs ?? 30_000 })
  const left = new AbortController()
  let fetching: { readonly done: Promise<string>; part: number } | undefined

  function start(to: string) {
    const onPart = (part: number) => (started.part = part)
    const started = { done: fetchModel({ options, to, dispatcher, signal: left.signal, onPart }), part: 0 }
    // The next request tries again; waiting requests get the reason of this failure.
    started.done
      .finally(() => (fetching = undefined))
      .catch((error: unknown) => {
        const what = `${titled(kind)} could not be downloaded: check ${kind.setting} and the network`
        if (!left.signal.aborted) log.warn({ err: error }, what)
      })
    return started
  }

  async function fetched(): Promise<string> {
    checkAddress(options)
    const name = basename(new URL(source).pathname) || 'model.bin'
    const to = join(folder, `${createHash('sha256').update(source).digest('hex').slice(0, 12)}-${name}`)
    if ((await readHead(to)) !== undefined) return to
    fetching ??= start(to)
    const { done } = fetching
    const stop = new AbortController()
    try {
      const late = delay(options.waitMs ?? 30_000, undefined, { signal: stop.signal, ref: false })
      const path = await Promise.race([done, late.catch(() => undefined)])
      if (path !== undefined) return path
    } finally {
      stop.abort()
    }
    const percent = Math.floor((fetching?.part ?? 0) * 100)
    const sentence = `The ${kind.name} is still being downloaded (${percent} %): ${kind.later}.`
    throw new EngineError('upstream', sentence, { status: 503, reason: `${kind.reason}_loading`, retryAfterMs: 60_000 })
  }

  return {
    async path() {
      if (isAddress(source)) return fetched()
      const head = await readHead(source)
      if (head !== undefined && kind.isModel(head)) return source
      if (head !== undefined) throw notAModel(source, kind)
      const sentence = `The ${kind.name} ${source} is not there: set ${kind.setting} to the path or address of one.`
      throw new EngineError('not-configured', sentence, { reason: `no_${kind.reason}` })
    },
    part: () => fetching?.part,
    async close() {
      left.abort()
      await fetching?.done.catch(() => undefined)
      await dispatcher.destroy()
    },
  }
}
