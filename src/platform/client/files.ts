import type { PlatformFile as PortFile, UploadFile } from '#bridge/port/platform.ts'
import { JSON_LIST_BOUNDS, receivedList } from '../wire/limits.ts'
import { receivedFile, SOURCE_FIELD, UPLOAD_PART, type ReceivedFile } from '../wire/collections.ts'
import { fileName } from '../wire/names.ts'
import { checkedCollection, toIndexStatus } from './collections.ts'
import type { CallOptions, Context, Management } from './context.ts'
import { PlatformError, sentence } from './errors.ts'
import { drain, readJson, type Reply } from './reply.ts'
import { uploadAllowanceMs } from './deadline.ts'
import { createForm } from './exchange.ts'

export interface PlatformFile extends PortFile {
  readonly createdAt?: string
  readonly owner?: string
  /** Derived files that the platform groups under this one. */
  readonly related?: readonly PlatformFile[]
}

export interface UploadOptions extends CallOptions {
  /** Name of the stored file that this one was made from: it is listed under that one, and goes with it. */
  readonly derivedFrom?: string
}

function checkedFile(name: string): string {
  const result = fileName.safeParse(name)
  if (result.success) return result.data
  const why = result.error.issues[0]?.message ?? ''
  throw new PlatformError('invalid', `"${name.slice(0, 200)}" cannot name a file in a collection. ${why}`)
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createFiles({ paths, limits }: Context, management: Management) {
  const send = async (method: 'POST' | 'PUT', collection: string, file: UploadFile, options: UploadOptions) => {
    const plain = checkedCollection(collection)
    const name = checkedFile(file.name)
    const reply = await management.sendToCollection({
      doing: `${method === 'POST' ? 'uploading' : 'replacing'} "${name}"`,
      method,
      path: method === 'POST' ? paths.files(plain) : paths.file(plain, name),
      collection: plain,
      body: createForm(UPLOAD_PART, file, {
        [SOURCE_FIELD]: options.derivedFrom === undefined ? undefined : checkedFile(options.derivedFrom),
      }),
      allowanceMs: uploadAllowanceMs(file.bytes.size, limits),
      retry: 'refused',
      signal: options.signal,
    })
    await drain(reply)
  }

  const open = async (collection: string, name: string, options: CallOptions) =>
    management.sendToCollection({
      doing: `downloading "${name}"`,
      method: 'GET',
      path: paths.download(checkedCollection(collection), checkedFile(name)),
      collection: checkedCollection(collection),
      headers: { accept: '*/*' },
      retry: 'safe',
      signal: options.signal,
    })

  return {
    async list(collection: string, options: CallOptions = {}): Promise<readonly PlatformFile[]> {
      const name = checkedCollection(collection)
      const reply = await management.sendToCollection({
        doing: `listing the files of "${name}"`,
        method: 'GET',
        path: paths.files(name),
        collection: name,
        retry: 'safe',
        signal: options.signal,
      })
      const files = await readJson(reply, receivedList(receivedFile), { bounds: JSON_LIST_BOUNDS })
      return files.map(toFile)
    },
    /** POST of a new file. @throws {PlatformError} `conflict` when the name exists. */
    upload: (collection: string, file: UploadFile, options: UploadOptions = {}): Promise<void> =>
      send('POST', collection, file, options),
    /** PUT over an existing file. @throws {PlatformError} `not-found` when it does not exist. */
    replace: (collection: string, file: UploadFile, options: CallOptions = {}): Promise<void> =>
      send('PUT', collection, file, options),
    /** @throws {PlatformError} `not-found` when it does not exist, for instance the second time. */
    async delete(collection: string, name: string, options: CallOptions = {}): Promise<void> {
      const reply = await management.sendToCollection({
        doing: `deleting "${name}"`,
        method: 'DELETE',
        path: paths.file(checkedCollection(collection), checkedFile(name)),
        collection: checkedCollection(collection),
        retry: 'refused',
        signal: options.signal,
      })
      await drain(reply)
    },
    /** The stored bytes, front matter included. `maxBytes`: default 100 MiB. @throws {PlatformError} `too-large` over it. */
    async download(
      collection: string,
      name: string,
      options: CallOptions & { readonly maxBytes?: number } = {},
    ): Promise<Uint8Array> {
      const maxBytes = options.maxBytes ?? 100 * 1024 * 1024
      const reply = await open(collection, name, options)
      const pieces: Uint8Array[] = []
      let sizeBytes = 0
      for await (const piece of reply.bytes()) {
        sizeBytes += piece.byteLength
        if (sizeBytes > maxBytes) throw tooLarge(name, maxBytes)
        pieces.push(piece)
      }
      return Buffer.concat(pieces, sizeBytes)
    },
    /**
     * Writes the stored bytes into a stream at the pace of its reader, and closes it. On failure the stream is
     * aborted with the same error. Resolves to the number of bytes.
     */
    async downloadTo(
      collection: string,
      name: string,
      sink: WritableStream<Uint8Array>,
      options: CallOptions = {},
    ): Promise<{ readonly sizeBytes: number }> {
      const reply = await open(collection, name, options).catch(async (error: unknown) => {
        await sink.abort(error)
        throw error
      })
      return { sizeBytes: await pour(reply, sink) }
    },
  }
}

/** `pipeTo` waits for a pending write even when aborted, so a stalled sink would hold it for ever. */
async function pour(reply: Reply, sink: WritableStream<Uint8Array>): Promise<number> {
  const writer = sink.getWriter()
  const stopped = new Promise<never>((_, reject) => {
    reply.signal.addEventListener('abort', () => reject(reply.signal.reason), { once: true })
  })
  stopped.catch(() => {})
  let sizeBytes = 0
  try {
    for await (const piece of reply.bytes()) {
      await Promise.race([writer.write(piece), stopped])
      sizeBytes += piece.byteLength
    }
    await writer.close()
  } catch (error) {
    writer.abort(error).catch(() => {})
    throw error
  }
  return sizeBytes
}

function tooLarge(name: string, maxBytes: number): PlatformError {
  const what = `"${name}" is larger than the ${maxBytes} bytes that were asked for at most`
  return new PlatformError('too-large', sentence('too-large', what, 'Use downloadTo, or a larger maxBytes.'))
}

function toFile(file: ReceivedFile): PlatformFile {
  const info = file.index_info
  return {
    name: file.name,
    sizeBytes: file.size ?? 0,
    updatedAt: file.updated_at ?? file.created_at ?? '',
    createdAt: file.created_at ?? undefined,
    owner: file.owner_user_name ?? undefined,
    index:
      info === null || info === undefined
        ? null
        : {
            status: toIndexStatus(info.index_status),
            chunks: info.chunks_indexed ?? 0,
            error: info.error_msg || undefined,
            progress: info.progress ?? undefined,
          },
    related: file.related_files?.map(toFile) ?? undefined,
  }
}
