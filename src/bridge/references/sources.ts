import { decodeText } from '#lib/decode.ts'
import { fileKindOf } from '#lib/file-kind.ts'
import { createLru } from '#lib/lru.ts'
import { isPlatformFailure } from '../port/errors.ts'
import type { Clock, Log, Platform } from '../port/platform.ts'
import type { Sharing, SourceCache } from '../port/store.ts'
import { toSourceText, type SourceText } from './source-text.ts'

/** Texts of collection files, for verifying passages. */
export interface Sources {
  /**
   * The text of a file; undefined: no such file. Asks the platform only for texts that are not cached.
   *
   * @throws the platform's failure when the text could not be read.
   */
  read(collection: string, fileName: string): Promise<SourceText | undefined>
  /** The cached text; undefined: not cached. No platform request. */
  cached(collection: string, fileName: string): Promise<string | undefined>
  /**
   * Drops the cached text, so that the next `read` asks the platform, at most once in ten minutes per file. Resolves
   * with whether it did.
   */
  invalidate(collection: string, fileName: string): Promise<boolean>
  /** Caches the text of an upload; that of a PDF is read after a pause in uploads. */
  cache(collection: string, fileName: string, bytes: Blob): Promise<void>
  drop(collection: string, fileName: string): Promise<void>
}

/** Longer texts are not cached: verifying a passage reads them from the platform each time. */
const MAX_CACHED_CHARS = 20_000_000
const MAX_FILE_BYTES = 100_000_000
/** Time limit for reading one file. Longer than an answer waits: the next answer has the text. */
const READ_MS = 120_000
/** Least time between two invalidations of a file. */
const INVALIDATION_MS = 600_000
/** Pause after an upload before PDFs are read ahead: by then the indexing, which reads them too, is mostly over. */
const IDLE_MS = 10_000
/** Letters of all texts in memory. */
const MAX_LETTERS = 24_000_000

const keyOf = (collection: string, fileName: string) => `${collection}\n${fileName}`
const isPdf = (fileName: string) => /\.pdf$/i.test(fileName)

/** Undefined: no such file. */
async function fetchText(
  from: Platform,
  collection: string,
  fileName: string,
  life: AbortSignal | undefined,
): Promise<string | undefined> {
  const signal = AbortSignal.any([AbortSignal.timeout(READ_MS), ...(life === undefined ? [] : [life])])
  try {
    const bytes = await from.files.download(collection, fileName, { signal, maxBytes: MAX_FILE_BYTES })
    if (!isPdf(fileName)) return decodeText(bytes)
    const document = { name: fileName, mimeType: 'application/pdf', bytes: new Blob([Uint8Array.from(bytes)]) }
    return (await from.documents.convert(document, { signal })).markdown
  } catch (error) {
    if (isPlatformFailure(error) && error.code === 'not-found') return undefined
    throw error
  }
}

/** Reads PDFs before they are cited, one at a time: each conversion costs the platform work. */
function createReadAhead(options: {
  readonly read: (collection: string, fileName: string) => Promise<unknown>
  readonly signal: AbortSignal | undefined
  readonly idleMs: number
  readonly log: Log
}) {
  const { read, signal, idleMs, log } = options
  const waiting = new Map<string, { readonly collection: string; readonly fileName: string }>()
  let reading = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  signal?.addEventListener('abort', () => clearTimeout(timer), { once: true })
  async function readAll(): Promise<void> {
    for (const [key, { collection, fileName }] of waiting) {
      waiting.delete(key)
      if (signal?.aborted === true) return
      await read(collection, fileName).catch((error: unknown) =>
        log.debug({ err: error, file: fileName }, 'Source could not be read ahead; it is read when needed'),
      )
    }
  }
  return {
    delete: (key: string) => waiting.delete(key),
    add(key: string, collection: string, fileName: string): void {
      if (signal?.aborted === true) return
      waiting.set(key, { collection, fileName })
      clearTimeout(timer)
      timer = setTimeout(() => {
        reading = reading.then(readAll)
      }, idleMs).unref()
    },
  }
}

/** @param parts.background the same platform for background work; without it PDFs are read when cited. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createSources(parts: {
  readonly platform: Platform
  readonly background?: Platform
  /** Aborts reading ahead. */
  readonly signal?: AbortSignal
  /** Default 10 s. */
  readonly idleMs?: number
  readonly cache: SourceCache
  readonly clock: Clock
  readonly log: Log
}): Sources {
  const { platform, background, cache, clock, log, signal, idleMs = IDLE_MS } = parts
  // The size is capped, so that the newest text stays, however long.
  const held = createLru<SourceText>(MAX_LETTERS, ({ letters }) => Math.min(letters.length, MAX_LETTERS))
  const underWay = new Map<string, Promise<SourceText | undefined>>()
  const invalidatedAt = new Map<string, number>()
  const ahead = background && createReadAhead({ read: (...file) => read(background, ...file), signal, idleMs, log })

  /** @param isWanted false once the file was replaced or deleted: its text is not kept then. */
  async function load(
    from: Platform,
    collection: string,
    fileName: string,
    isWanted: () => boolean,
  ): Promise<SourceText | undefined> {
    const key = keyOf(collection, fileName)
    const kept = await cache.get(key)
    const text = kept ?? (await fetchText(from, collection, fileName, signal))
    if (text === undefined) return undefined
    if (kept === undefined && text.length <= MAX_CACHED_CHARS && isWanted()) {
      await cache.put(key, text)
      // A drop in this moment came before the text was there.
      if (!isWanted()) await cache.remove(key)
    }
    const source = toSourceText(text)
    if (isWanted()) held.set(key, source)
    return source
  }

  async function drop(collection: string, fileName: string): Promise<void> {
    const key = keyOf(collection, fileName)
    held.delete(key)
    underWay.delete(key)
    ahead?.delete(key)
    await cache.remove(key)
  }

  async function read(from: Platform, collection: string, fileName: string) {
    const key = keyOf(collection, fileName)
    const known = held.get(key)
    if (known !== undefined) return known
    const loading: Promise<SourceText | undefined> =
      underWay.get(key) ?? load(from, collection, fileName, () => underWay.get(key) === loading)
    underWay.set(key, loading)
    try {
      return await loading
    } finally {
      if (underWay.get(key) === loading) underWay.delete(key)
    }
  }

  return {
    drop,
    read: (collection, fileName) => read(platform, collection, fileName),
    cached: (collection, fileName) => cache.get(keyOf(collection, fileName)),
    async invalidate(collection, fileName) {
      const key = keyOf(collection, fileName)
      const now = clock()
      if (now - (invalidatedAt.get(key) ?? -Infinity) < INVALIDATION_MS) return false
      invalidatedAt.set(key, now)
      await drop(collection, fileName)
      return true
    },
    async cache(collection, fileName, bytes) {
      try {
        await drop(collection, fileName)
        if (isPdf(fileName)) ahead?.add(keyOf(collection, fileName), collection, fileName)
        const isText = !isPdf(fileName) && fileKindOf(fileName, '') === 'native'
        if (!isText || bytes.size > MAX_CACHED_CHARS) return
        await cache.put(keyOf(collection, fileName), decodeText(new Uint8Array(await bytes.arrayBuffer())))
      } catch (error) {
        log.warn(
          { err: error, file: fileName },
          'Text of a file could not be cached; references are checked more slowly',
        )
      }
    },
  }
}

/** The sources, and both platform clients wrapped so that uploads are cached. */
export function openSources(
  services: {
    readonly platform: Platform
    readonly background?: Platform
    readonly store: { readonly sources: SourceCache; readonly sharing: Pick<Sharing, 'sourceChanged'> }
    readonly log: Log
  },
  clock: Clock,
  signal: AbortSignal,
) {
  const { platform, background = platform, store, log } = services
  const sources = createSources({ platform, background, cache: store.sources, clock, log, signal })
  const tell = (collection: string, fileName: string) =>
    store.sharing
      .sourceChanged(collection, fileName)
      .catch((error: unknown) =>
        log.warn(
          { err: error, file: fileName },
          'Other processes may show the earlier text of a file until they read it again',
        ),
      )
  const caching = (each: Platform) => cachingUploads(each, sources, tell)
  return { sources, platform: caching(platform), background: caching(background) }
}

/**
 * Wraps the platform: caches the text of each upload and drops it when the file is deleted.
 *
 * @param tell tells other processes of each change.
 */
export function cachingUploads(
  platform: Platform,
  sources: Sources,
  tell: (collection: string, fileName: string) => Promise<unknown> = async () => undefined,
): Platform {
  const { files } = platform
  return {
    ...platform,
    files: {
      ...files,
      async upload(collection, file, options) {
        await files.upload(collection, file, options)
        await Promise.all([tell(collection, file.name), sources.cache(collection, file.name, file.bytes)])
      },
      async replace(collection, file, options) {
        await files.replace(collection, file, options)
        await Promise.all([tell(collection, file.name), sources.cache(collection, file.name, file.bytes)])
      },
      async delete(collection, name, options) {
        await sources.drop(collection, name)
        await files.delete(collection, name, options)
        // It may have been read while it was being deleted.
        await Promise.all([tell(collection, name), sources.drop(collection, name)])
      },
    },
  }
}
