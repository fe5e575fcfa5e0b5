import { stableId } from '#lib/stable-id.ts'
import { isCollected } from '#bridge/channels/collecting.ts'
import type { JobContext } from '#bridge/delivery/job-context.ts'
import type { Adapter } from '#bridge/port/adapter.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import { channelKey, conversationQueue, messageKey } from '#bridge/port/keys.ts'
import type { Author } from '#bridge/port/author.ts'
import type { Attachment, ConversationRef, Message, MessageRef } from '#bridge/port/message.ts'
import type { ButtonPayloads, FileRecord } from '#bridge/port/records.ts'
import type { Store } from '#bridge/port/store.ts'
import { freeName, isCurrent } from '../file-records.ts'
import { onDrop } from '../ingest/on-drop.ts'
import { requeue } from '../ingest/resume.ts'
import { deleteUpload } from '../ingest/upload-file.ts'
import type { FileServices } from '../services.ts'

/** A text to save as a file of its channel. */
export interface Note {
  /** Attachment id: a note with the key of an earlier one is a new version of that file. */
  readonly key: string
  /** File name without extension; a new version keeps the name of the first. */
  readonly name: string
  readonly markdown: string
  /** References link to this message. */
  readonly source: MessageRef
  readonly author: Author
  /** ISO 8601. */
  readonly at: string
}

/**
 * Ingests the note like a dropped file, with a receipt. After a restart it continues with the same text.
 *
 * @returns its record at its end; undefined: this channel collects no files.
 */
export async function saveNote(services: FileServices, ctx: JobContext, note: Note): Promise<FileRecord | undefined> {
  const { store, channels } = services
  const channel = await channels.of(ctx.conversation)
  if (!(await isCollected(store, ctx, channel))) return undefined
  const attachment = await storeText(services, ctx.jobId, note, channel.collection)
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
 * Replaces the text of a saved note that is current: deletes its upload at once, and claims the file for this job.
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
  for (const file of found.filter(({ attachmentId }) => attachmentId === note.key))
    await lock.withName(file, signal, async () => {
      const now = await store.files.get(file.id)
      const payload = now?.attachment && notePayloadId(now.attachment)
      if (now === undefined || payload === undefined || !isCurrent(now)) return
      await deleteUpload(platform, now, signal)
      await store.buttonPayloads.put({ id: payload, kind: NOTE_KIND, data: note.markdown, at: clock() })
      const { sha256: _, sizeBytes: __, ...kept } = requeue(now, jobId)
      await store.files.put({ ...kept, ...change(now), updatedAt: clock() })
      receipts.touch(now.jobId)
    })
}

/** Stores the text before the first step. */
async function storeText(
  { store, clock }: FileServices,
  jobId: string,
  note: Note,
  collection: string,
): Promise<Attachment> {
  const id = stableId(16, jobId, note.key)
  const kept = await store.buttonPayloads.get(id)
  if (kept === undefined) await store.buttonPayloads.put({ id, kind: NOTE_KIND, data: note.markdown, at: clock() })
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

/** Id of the button payload with the text of this attachment; undefined: it is a file of the chat service. */
export const notePayloadId = ({ locator }: Pick<Attachment, 'locator'>): string | undefined =>
  locator.startsWith(SCHEME) ? locator.slice(SCHEME.length) : undefined

/** Wraps the adapter so that it opens notes like attachments, for retries and after a restart. */
export function withNotes(adapter: Adapter, payloads: ButtonPayloads): Adapter {
  return {
    ...adapter,
    async open(attachment, signal) {
      const note = notePayloadId(attachment)
      if (note === undefined) return adapter.open(attachment, signal)
      const payload = await payloads.get(note)
      if (payload?.kind !== NOTE_KIND || typeof payload.data !== 'string')
        throw new AdapterError('not-found', 'The text of this note is not kept any more. Keep the message again.')
      return new Blob([payload.data]).stream()
    },
  }
}

/** Attachment id of a saved message. Deleting the message removes the file; a saved thread stays. */
export const messageNoteKey = (conversation: ConversationRef, messageId: string): string =>
  `message:${messageKey(conversation, messageId)}`

/** Attachment id of saved replies to an unanswered question. */
export const answerNoteKey = (answerId: string): string => `answer:${answerId}`

/** The channel's own collection, and the linked one. */
export async function collectionsOf(
  { channels }: Pick<Store, 'channels'>,
  conversation: ConversationRef,
): Promise<readonly string[]> {
  const own = await channels.get(channelKey(conversation))
  const linked = own?.linkedTo === undefined ? undefined : await channels.get(own.linkedTo)
  return [own, linked].flatMap((record) => (record === undefined ? [] : [record.collection]))
}

/** Files saved from this message that are not removed; earlier versions first. */
export async function filesSavedFrom(
  store: Pick<Store, 'channels' | 'files'>,
  conversation: ConversationRef,
  messageId: string,
): Promise<readonly FileRecord[]> {
  const files: FileRecord[] = []
  for (const collection of await collectionsOf(store, conversation))
    files.push(...(await store.files.ofCollection(collection)).toReversed())
  return files.filter(
    (file) =>
      (file.messageId === messageId || file.alsoFrom?.includes(messageId) === true) &&
      file.channel === channelKey(conversation) &&
      file.state !== 'removed' &&
      /^(?:message|answer|voice):/.test(file.attachmentId),
  )
}

/**
 * The queue of a deletion: that of the message's job, or of files saved from the message. Undefined: neither exists.
 */
export async function queueOfDeletion(
  store: Pick<Store, 'channels' | 'files' | 'inbox'>,
  { conversation, messageId }: { readonly conversation: ConversationRef; readonly messageId: string },
): Promise<string | undefined> {
  const known = await store.inbox.ofMessage(messageKey(conversation, messageId))
  if (known !== undefined) return known.queue
  const kept = await filesSavedFrom(store, conversation, messageId)
  return kept.length > 0 ? conversationQueue(conversation) : undefined
}
