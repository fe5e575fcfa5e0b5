import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { EngineError, errorText } from '../../errors.ts'
import type { EngineLog } from '../../types.ts'

export interface ModelFile {
  /**
   * Path of the model; an address is downloaded first when the file is missing.
   *
   * @throws {EngineError} `not-configured` (no such file, no model), `upstream` (download failed or still running)
   */
  path(): Promise<string>
  close(): Promise<void>
}

export interface ModelFileOptions {
  /** Path, or https address; `#sha256=<hex>` behind an address is the file's checksum. */
  readonly source: string
  /** Folder of downloaded models. */
  readonly folder: string
  readonly log: EngineLog
  /** Longest wait of a request for the download; then it is told to come back. Default 30 s. */
  readonly waitMs?: number
  /** Longest pause of the download server. Default 30 s. */
  readonly idleMs?: number
}

/** First bytes of a model in whisper.cpp's format. */
const MODEL_MAGIC = 'lmgg'
/** Number of progress lines in the log. */
const PROGRESS_STEPS = 10

const isAddress = (source: string) => /^https?:\/\//i.test(source)

/** The checksum named behind an address, in small letters. */
const checksumOf = (source: string) => /^#sha256=([\da-f]{64})$/i.exec(new URL(source).hash)?.[1]?.toLowerCase()

const isLoopback = ({ hostname }: URL) => /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname)

const refuse = (why: string) => new EngineError('not-configured', `${why} (TRANSCRIPTION_MODEL_FILE).`)

/** Bytes over plain http may be anybody's, so they need a checksum. */
function checkAddress(source: string): void {
  const url = new URL(source)
  const { hash } = url
  if (hash !== '' && checksumOf(source) === undefined) {
    throw refuse('The checksum of the speech model is no SHA-256: write #sha256= and 64 hexadecimal digits')
  }
  if (url.protocol === 'http:' && hash === '' && !isLoopback(url)) {
    throw refuse('The speech model has an http address: use https, or add #sha256= and its checksum')
  }
}

/** Without credentials and query, which may hold a secret. */
function toShown(source: string): string {
  const { origin, pathname } = new URL(source)
  return `${origin}${pathname}`
}

async function readMagic(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}

async function isThere(path: string): Promise<boolean> {
  return readMagic(path).then(
    () => true,
    () => false,
  )
}

const noModel = (what: string) =>
  new EngineError(
    'not-configured',
    `${what} is no speech model in the format of whisper.cpp (ggml): set TRANSCRIPTION_MODEL_FILE to one.`,
    { reason: 'speech_model_broken' },
  )

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createModelFile(options: ModelFileOptions): ModelFile {
  const { source, folder, log } = options
  const agent = new Agent({ bodyTimeout: options.idleMs ?? 30_000, headersTimeout: options.idleMs ?? 30_000 })
  const left = new AbortController()
  let fetching: { readonly done: Promise<string>; part: number } | undefined

  async function download(to: string, onPart: (part: number) => void): Promise<string> {
    const shown = toShown(source)
    const partial = `${to}.${randomUUID()}.part`
    await mkdir(folder, { recursive: true })
    log.info({ from: shown }, 'Speech model is being downloaded')
    try {
      const response = await request(source, { dispatcher: agent, signal: left.signal })
      if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
      const total = Number(response.headers['content-length'] ?? 0)
      let received = 0
      let told = 0
      const hash = createHash('sha256')
      const count = new Transform({
        transform(chunk: Buffer, _, next) {
          received += chunk.length
          hash.update(chunk)
          const part = total > 0 ? received / total : 0
          onPart(part)
          if (Math.floor(part * PROGRESS_STEPS) > told) {
            told = Math.floor(part * PROGRESS_STEPS)
            log.info({ percent: told * (100 / PROGRESS_STEPS), received, total }, 'Speech model is being downloaded')
          }
          next(null, chunk)
        },
      })
      await pipeline(response.body, count, createWriteStream(partial, { mode: 0o600 }))
      if (total > 0 && received !== total) throw new Error(`${received} of ${total} bytes came`)
      const sha256 = hash.digest('hex')
      const wanted = checksumOf(source)
      if (wanted !== undefined && wanted !== sha256) throw new Error(`its SHA-256 is ${sha256}, not ${wanted}`)
      if ((await readMagic(partial)) !== MODEL_MAGIC) throw noModel(shown)
      await rename(partial, to)
      log.info({ from: shown, received, sha256 }, 'Speech model was downloaded')
      return to
    } catch (error) {
      if (error instanceof EngineError) throw error
      const sentence = `The speech model cannot be downloaded from ${shown} (${errorText(error)}): check TRANSCRIPTION_MODEL_FILE and the network, or put the file there by hand and name its path.`
      throw new EngineError('upstream', sentence, { status: 503, reason: 'speech_model_not_fetched', cause: error })
    } finally {
      await rm(partial, { force: true })
    }
  }

  async function fetched(): Promise<string> {
    checkAddress(source)
    const name = basename(new URL(source).pathname) || 'model.bin'
    const to = join(folder, `${createHash('sha256').update(source).digest('hex').slice(0, 12)}-${name}`)
    if (await isThere(to)) return to
    if (fetching === undefined) {
      const started = { done: download(to, (part) => (started.part = part)), part: 0 }
      fetching = started
      const end = () => (fetching = undefined)
      // The next request tries again; waiting requests get the reason of this failure.
      started.done.then(end, (error: unknown) => {
        end()
        if (!left.signal.aborted)
          log.warn(
            { err: error },
            'Speech model could not be downloaded: check TRANSCRIPTION_MODEL_FILE and the network',
          )
      })
    }
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
    throw new EngineError(
      'upstream',
      `The speech model is still being downloaded (${percent} %): send the voice message again in a minute.`,
      { status: 503, reason: 'speech_model_loading', retryAfterMs: 60_000 },
    )
  }

  return {
    async path() {
      if (isAddress(source)) return fetched()
      const found = await readMagic(source).catch(() => undefined)
      if (found === MODEL_MAGIC) return source
      if (found !== undefined) throw noModel(source)
      throw new EngineError(
        'not-configured',
        `The speech model ${source} is not there: set TRANSCRIPTION_MODEL_FILE to the path or address of one.`,
        { reason: 'no_speech_model' },
      )
    },
    async close() {
      left.abort()
      await fetching?.done.catch(() => undefined)
      await agent.destroy()
    },
  }
}
