import { createHash } from 'node:crypto'
import type { JobContext } from '../../delivery/job-context.ts'
import type { Adapter } from '../../port/adapter.ts'
import { AdapterError } from '../../port/errors.ts'
import type { Attachment, Author, ConversationRef, Message, MessageRef } from '../../port/message.ts'
import type { ButtonPayloads, FileRecord } from '../../port/records.ts'
import { freeName, isCurrent } from '../file-records.ts'
import { onDrop } from '../ingest/on-drop.ts'
import { requeue } from '../ingest/resume.ts'
import { deleteUpload } from '../ingest/upload-file.ts'
import type { FileServices } from '../services.ts'
import { collectionsOf } from './saved-files.ts'

/** A text that becomes a file of its channel. */
export interface Note {
  /** Attachment id: a note with the key of an earlier one is a new version of that file. */
  readonly key: string
  /** File name without ending; a new version keeps the first one's. */
  readonly name: string
  readonly markdown: string
  /** References lead to this message. */
  readonly source: MessageRef
  readonly author: Author
  /** ISO 8601. */
  readonly at: string
}

/**
 * Ingests the note like a dropped file, with a receipt. Done again after a restart, it goes on with the text that it had.
 *
 * @returns its record at its end; undefined: this channel collects no files.
 */
export async function saveNote(
  services: FileServices,
  ctx: JobContext,
  note: Note,
): Promise<FileRecord | undefined> {
  const { store, channels } = services
  const channel = await channels.of(ctx.conversation)
  if (!channel.collecting && (await store.files.ofJob(ctx.jobId)).length === 0) return undefined
  const attachment = await keepText(services, ctx.jobId, note, channel.collection)
  const message: Message = {
    ...note.source,
    author: note.author,
    text: '',
    addressed: true,
    mentionsOthers: false,
    attachments: [attachment],
    sentAt: note.at,
  }
  await onDrop(services, { ...ctx, message }, [attachment])
  return (await store.files.ofJob(ctx.jobId)).find(({ attachmentId }) => attachmentId === note.key)
}

/**
 * Replaces the text of a saved note that is current: its upload is deleted at once, and the file is claimed by this job.
 *
 * @param change of its record.
 */
export async function replaceNote(
  { store, platform, lock, receipts, clock }: FileServices,
  { jobId, signal }: JobContext,
  note: Pick<Note, 'key' | 'markdown'> & { readonly conversation: ConversationRef },
  change: (file: FileRecord) => Partial<FileRecord>,
): Promise<void> {
  const found: FileRecord[] = []
  for (const collection of await collectionsOf(store, note.conversation))
    found.push(...(await store.files.ofCollection(collection)))
  for (const { id, ...file } of found.filter(({ attachmentId }) => attachmentId === note.key))
    await lock.withName(file, signal, async () => {
      const now = await store.files.get(id)
      const payload = now?.attachment && noteOf(now.attachment)
      if (now === undefined || payload === undefined || !isCurrent(now)) return
      await deleteUpload(platform, now, signal)
      await store.buttonPayloads.put({ id: payload, kind: NOTE_KIND, data: note.markdown, at: clock() })
      const { sha256: _, sizeBytes: __, ...kept } = requeue(now, jobId)
      await store.files.put({ ...kept, ...change(now), updatedAt: clock() })
      receipts.touch(now.jobId)
    })
}

/** The text is on the disk before anything else is done. */
async function keepText(
  { store, clock }: Pick<FileServices, 'store' | 'clock'>,
  jobId: string,
  note: Note,
  collection: string,
): Promise<Attachment> {
  const id = createHash('sha256').update(`${jobId}\n${note.key}`).digest('base64url').slice(0, 16)
  const kept = await store.buttonPayloads.get(id)
  if (kept === undefined)
    await store.buttonPayloads.put({ id, kind: NOTE_KIND, data: note.markdown, at: clock() })
  const text = typeof kept?.data === 'string' ? kept.data : note.markdown
  const known = await store.files.ofCollection(collection)
  const earlier = known.find(({ attachmentId }) => attachmentId === note.key)
  const isTaken = (name: string) => known.some(({ displayName }) => displayName === name)
  return {
    id: note.key,
    name: earlier?.displayName ?? freeName(`${note.name}.md`, isTaken),
    mimeType: 'text/markdown',
    kind: 'document',
    sizeBytes: new Blob([text]).size,
    locator: `${SCHEME}${id}`,
  }
}

const SCHEME = 'footbridge:'
const NOTE_KIND = 'note'

/** Id of the button payload that keeps the text of this attachment; undefined: it is a file of the chat service. */
export const noteOf = ({ locator }: Pick<Attachment, 'locator'>): string | undefined =>
  locator.startsWith(SCHEME) ? locator.slice(SCHEME.length) : undefined

/** The adapter, able to open notes like attachments of its chat service: for a retry, and after a restart. */
export function withNotes(adapter: Adapter, payloads: ButtonPayloads): Adapter {
  return {
    ...adapter,
    async open(attachment, signal) {
      const note = noteOf(attachment)
      if (note === undefined) return adapter.open(attachment, signal)
      const payload = await payloads.get(note)
      if (payload?.kind !== NOTE_KIND || typeof payload.data !== 'string')
        throw new AdapterError('not-found', 'What was said is not kept any more. File it again.')
      return new Blob([payload.data]).stream()
    },
  }
}
