import type { JobContext } from '#bridge/delivery/job-context.ts'
import { AdapterError, isTransientPlatformError, isPlatformFailure, TooLargeError } from '#bridge/port/errors.ts'
import { fileKindOf, toFileName } from '#lib/file-kind.ts'
import type { Conversion, Platform, UploadFile } from '#bridge/port/platform.ts'
import type { FileRecord } from '#bridge/port/records.ts'
import type { Store } from '#bridge/port/store.ts'
import { targetName } from '../file-records.ts'
import type { FileServices } from '../services.ts'

/** Makes sure that the bytes of a dropped file are on disk: from the spool, the originals, or the chat service. */
export async function downloadFile(
  { store, maxFileBytes }: FileServices,
  { adapter, signal }: Pick<JobContext, 'adapter' | 'signal'>,
  file: FileRecord,
): Promise<{ readonly sizeBytes: number; readonly sha256: string }> {
  const { sha256, attachment } = file
  const there = await bytesOf(store, file)
  if (there !== undefined && sha256 !== undefined) return { sizeBytes: there.size, sha256 }
  if (attachment === undefined) throw new AdapterError('not-found', 'It is not kept any more. Drop it again.')
  if (attachment.sizeBytes !== undefined && attachment.sizeBytes > maxFileBytes) throw new TooLargeError('too large')
  return store.spool.write(file.id, await adapter.open(attachment, signal), maxFileBytes)
}

/** The original bytes, if they are still on disk. */
export async function bytesOf(
  { spool, originals }: Pick<Store, 'spool' | 'originals'>,
  { id, collection, sha256, sizeBytes }: FileRecord,
): Promise<Blob | undefined> {
  // Without a recorded hash the download was cut off.
  if (sha256 === undefined) return undefined
  const spooled = await spool.read(id)
  return spooled !== undefined && spooled.size === sizeBytes ? spooled : originals.read(collection, sha256)
}

/** Removes the bytes of a file from the spool at the end of a job. They stay if another job has claimed the file meanwhile. */
export async function removeSpooled(
  { store }: Pick<FileServices, 'store'>,
  file: FileRecord,
  jobId: string,
): Promise<void> {
  const { claimedBy = jobId } = (await store.files.get(file.id)) ?? file
  if (claimedBy === jobId) await store.spool.remove(file.id)
}

/** The upload: the file itself, or its conversion to markdown, with a sentence about parts that were not read. */
export async function toUpload(
  { store, platform }: FileServices,
  file: FileRecord,
  signal: AbortSignal,
): Promise<UploadFile & Pick<Conversion, 'note'>> {
  const bytes = await bytesOf(store, file)
  if (bytes === undefined) throw new Error('The bytes of a dropped file vanished from our disk.')
  const mimeType = file.attachment?.mimeType ?? ''
  const kind = fileKindOf(file.displayName, mimeType)
  const name = targetName(file.displayName, mimeType)
  if (kind === 'native') return { name, mimeType, bytes }
  const source = { name: toFileName(file.displayName), mimeType, bytes }
  const { markdown, note } = await platform.documents.convert(source, { signal })
  const own = note === undefined ? markdown : markdown.replace(note, '')
  if (kind === 'image' && !hasWords(own)) throw new NoTextError(note)
  return { name, mimeType: 'text/markdown', bytes: new Blob([markdown]), note }
}

/** No text was read in a picture; the message says why, if the picture itself has no part in it. */
export class NoTextError extends Error {}

/** One pass: a comment that is never closed stays. */
function withoutComments(markdown: string): string {
  const pieces = markdown.split('-->')
  const closed = pieces.slice(0, -1).map((piece) => {
    const start = piece.indexOf('<!--')
    return start === -1 ? piece : piece.slice(0, start)
  })
  return [...closed, pieces.at(-1) ?? ''].join(' ')
}

/** The type and size lines of a converted picture do not count as text. */
export function hasWords(markdown: string): boolean {
  const said = withoutComments(markdown)
    .replace(/!\[[^\][]*\]\([^()]*\)/g, ' ')
    .replace(/^\w+ image(?:, \d+ × \d+ pixels)?$/m, ' ')
    // Bare file names of extracted images.
    .replace(/^[\w-]+\.(?:png|jpe?g|gif|webp|bmp|tif|avif|heic|svg)$/gim, ' ')
  return /\p{L}{2}/u.test(said)
}

/**
 * POST, or PUT if the name exists, so the step is repeatable. If the response is lost, the file list tells whether the
 * bytes arrived.
 *
 * @returns whether it replaced a file.
 */
export async function uploadFile(
  { files }: Platform,
  collection: string,
  file: UploadFile,
  signal: AbortSignal,
): Promise<boolean> {
  const find = async () => (await files.list(collection, { signal })).find(({ name }) => name === file.name)
  const before = await find()
  try {
    if (before === undefined) await files.upload(collection, file, { signal })
    else await files.replace(collection, file, { signal })
  } catch (error) {
    if (!isPlatformFailure(error)) throw error
    if (error.code === 'conflict' && before === undefined) {
      await files.replace(collection, file, { signal })
      return true
    }
    if (signal.aborted || !isTransientPlatformError(error)) throw error
    const after = await find().catch(() => undefined)
    const hasArrived = after?.updatedAt !== before?.updatedAt && after?.sizeBytes === file.bytes.size
    if (!hasArrived) throw error
  }
  return before !== undefined
}

/** DELETE; a missing file is no error. */
export async function deleteUpload(
  { files }: Platform,
  { collection, fileName }: Pick<FileRecord, 'collection' | 'fileName'>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await files.delete(collection, fileName, { signal })
  } catch (error) {
    if (!isPlatformFailure(error)) throw error
    if (error.code === 'not-found') return
    if (signal.aborted || !isTransientPlatformError(error)) throw error
    // The file may be deleted although the response was lost.
    const list = await files.list(collection, { signal }).catch(() => undefined)
    if (list === undefined || list.some(({ name }) => name === fileName)) throw error
  }
}
