import type { Adapter } from '../../port/adapter.ts'
import { AdapterError } from '../../port/errors.ts'
import { isPassingFailure, isPlatformFailure } from '../../texts/failure-sentence.ts'
import { describeFile, toFileName } from '../../../lib/file-kind.ts'
import type { Platform, UploadFile } from '../../port/platform.ts'
import type { FileRecord } from '../../port/records.ts'
import type { Store } from '../../port/store.ts'
import { targetName } from '../file-records.ts'

/** Has the bytes of a dropped file on our disk: from there, from what was kept, or from the chat service. */
export async function fetchBytes(
  ports: { readonly store: Store; readonly maxFileBytes: number },
  run: { readonly adapter: Adapter; readonly signal: AbortSignal },
  entry: FileRecord,
): Promise<{ readonly sizeBytes: number; readonly sha256: string }> {
  const { sha256, attachment } = entry
  const there = await bytesOf(ports.store, entry)
  if (there !== undefined && sha256 !== undefined) return { sizeBytes: there.size, sha256 }
  if (attachment === undefined) throw new AdapterError('not-found', 'It is not kept any more. Drop it again.')
  if (attachment.sizeBytes !== undefined && attachment.sizeBytes > ports.maxFileBytes)
    throw new RangeError('too large')
  const stream = await run.adapter.open(attachment, run.signal)
  return ports.store.spool.write(entry.id, stream, ports.maxFileBytes)
}

/** The bytes as they were dropped, where we have them. */
export async function bytesOf(
  { spool, originals }: Pick<Store, 'spool' | 'originals'>,
  { id, collection, sha256, sizeBytes }: FileRecord,
): Promise<Blob | undefined> {
  // Without a hash on record it is a download that was cut off.
  if (sha256 === undefined) return undefined
  const spooled = await spool.read(id)
  return spooled !== undefined && spooled.size === sizeBytes ? spooled : originals.read(collection, sha256)
}

/** What goes up: the file itself, or markdown made of it. */
export async function toUpload(
  ports: { readonly platform: Platform; readonly store: Store },
  entry: FileRecord,
  signal: AbortSignal,
): Promise<UploadFile> {
  const bytes = await bytesOf(ports.store, entry)
  if (bytes === undefined) throw new Error('The bytes of a dropped file vanished from our disk.')
  const mimeType = entry.attachment?.mimeType ?? ''
  const kind = describeFile(entry.displayName, mimeType)
  const name = targetName(entry.displayName, mimeType)
  if (kind === 'native') return { name, mimeType, bytes }
  const source = { name: toFileName(entry.displayName), mimeType, bytes }
  const { markdown } = await ports.platform.documents.convert(source, { signal })
  if (kind === 'image' && !hasWords(markdown)) throw new NoText()
  return { name, mimeType: 'text/markdown', bytes: new Blob([markdown]) }
}

/** A picture in which nobody could find a word. */
export class NoText extends Error {}

/** A conversion of a picture says what kind of picture it is; that alone is no knowledge. */
function hasWords(markdown: string): boolean {
  const said = markdown
    .replace(/!\[[^\]]*\]\([^)]*\)|<!--[^]*?-->/g, ' ')
    .replace(/^\s*\w+ image(?:, \d+ × \d+ pixels)?\s*$/m, ' ')
    // Names of pictures stand there bare (wire.md, "Conversion").
    .replace(/^\s*[\w-]+\.(?:png|jpe?g|gif|webp)\s*$/gim, ' ')
  return /\p{L}{2}/u.test(said)
}

/**
 * POST, or PUT where the name exists: so a repeated step ends in the same state. Where the answer is lost, it is looked whether
 * the bytes arrived. Resolves with true when it replaced.
 */
export async function put(
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
    if (signal.aborted || !isPassingFailure(error)) throw error
    const after = await find().catch(() => undefined)
    const hasArrived = after?.updatedAt !== before?.updatedAt && after?.sizeBytes === file.bytes.size
    if (!hasArrived) throw error
  }
  return before !== undefined
}

/** DELETE, of what may be gone already: that is what was wanted. */
export async function removeFile(
  { files }: Platform,
  { collection, fileName }: Pick<FileRecord, 'collection' | 'fileName'>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await files.delete(collection, fileName, { signal })
  } catch (error) {
    if (!isPlatformFailure(error)) throw error
    if (error.code === 'not-found') return
    if (signal.aborted || !isPassingFailure(error)) throw error
    // Carried out perhaps, and only its answer lost.
    const list = await files.list(collection, { signal }).catch(() => undefined)
    if (list === undefined || list.some(({ name }) => name === fileName)) throw error
  }
}
