import { describeFile } from '../../lib/file-kind.ts'
import type { Command, CommandDoing, JobPorts } from '../delivery/job-context.ts'
import { say } from '../delivery/reply.ts'
import { handOut } from '../delivery/upload.ts'
import { bytesOf } from '../files/ingest/upload-file.ts'
import { AdapterError } from '../port/errors.ts'
import type { FileRecord } from '../port/records.ts'
import { isPassing, isPlatformFailure, sentenceFor } from '../texts/failure-sentence.ts'
import { shownName } from '../texts/names.ts'
import { fileMeant } from './list-files.ts'

/** Hands a file out as it was dropped, to the one who asks where the service can. */
export const download: Command = {
  name: 'download',
  pattern: /^(?:download|herunterladen)\s+([^\n]{1,200})$/i,
  async run(ports, doing) {
    const entry = await fileMeant(ports, doing, doing.argument)
    if (entry === undefined) return
    const { adapter, author, signal, texts } = doing
    const { files } = texts
    const name = shownName(entry)
    if (adapter.upload === undefined) return say(doing, files.noUpload(name, await linkTo(doing, entry)))
    try {
      await handOut(doing, { text: files.download(name), privateTo: author.id }, async () => ({
        name: entry.displayName,
        mimeType: entry.attachment?.mimeType || FALLBACK,
        bytes: await original(ports, doing, entry),
      }))
    } catch (error) {
      if (signal.aborted || isPassing(error)) throw error
      doing.log.warn({ err: error, file: entry.id }, 'A file could not be handed out')
      await say(doing, files.downloadFailed(name, why(error, doing, ports.maxFileBytes)), {
        privateTo: author.id,
      })
    }
  },
}

const FALLBACK = 'application/octet-stream'

function why(error: unknown, { texts, author }: CommandDoing, most: number): string {
  if (error instanceof RangeError) return texts.fileTooLarge(Math.round(most / 1_000_000))
  return error instanceof AdapterError ? error.message : sentenceFor(error, texts, author.language)
}

/** As kept by us; else as the platform has it, where it has the file itself; else as the chat service has it. */
async function original(ports: JobPorts, doing: CommandDoing, entry: FileRecord): Promise<Blob> {
  const kept = await bytesOf(ports.store, entry)
  if (kept !== undefined) return kept
  const { signal } = doing
  const { collection, fileName, displayName, attachment } = entry
  if (describeFile(displayName, attachment?.mimeType ?? '') === 'native') {
    try {
      const options = { signal, maxBytes: ports.maxFileBytes }
      return new Blob([Uint8Array.from(await ports.platform.files.download(collection, fileName, options))])
    } catch (error) {
      if (!isPlatformFailure(error) || error.code !== 'not-found' || attachment === undefined) throw error
    }
  }
  if (attachment === undefined)
    throw new AdapterError('not-found', doing.texts.files.bytesGone(shownName(entry)))
  const adapter = ports.adapterOf(entry.conversation?.adapter ?? '') ?? doing.adapter
  return atMost(ports.maxFileBytes, await adapter.open(attachment, signal))
}

/** @throws {RangeError} when more comes: what was announced may lie, and all of it is held in memory. */
async function atMost(most: number, stream: ReadableStream<Uint8Array>): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const piece of stream) {
    size += piece.byteLength
    if (size > most) throw new RangeError('too large')
    pieces.push(Uint8Array.from(piece))
  }
  return new Blob(pieces)
}

async function linkTo({ adapter }: CommandDoing, entry: FileRecord): Promise<string | undefined> {
  const { conversation, messageId } = entry
  return conversation && adapter.permalink?.({ conversation, id: messageId })
}
