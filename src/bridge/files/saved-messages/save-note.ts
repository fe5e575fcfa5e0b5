import { createHash } from 'node:crypto'
import type { Doing, JobPorts } from '../../delivery/job-context.ts'
import type { Adapter } from '../../port/adapter.ts'
import type { ButtonPayloads, FileRecord } from '../../port/records.ts'
import { AdapterError } from '../../port/errors.ts'
import type { Attachment, Author, Message, MessageRef } from '../../port/message.ts'
import { freeName } from '../file-records.ts'
import { ingest } from '../ingest/on-drop.ts'

/** A text that becomes a file of its channel. */
export interface Note {
  /** What it is about: the same thing, filed again, is a new version and no second file. */
  readonly key: string
  /** Without ending; only the first filing names the file. */
  readonly name: string
  readonly markdown: string
  /** The message to which references will lead. */
  readonly source: MessageRef
  /** Whose word it is. */
  readonly author: Author
  /** ISO 8601. */
  readonly at: string
}

/**
 * Takes it the way of a dropped file, with a receipt. Begun again after a restart, it goes on with the text that it had.
 * Resolves with what became of it; undefined: this channel collects nothing.
 */
export async function fileNote(ports: JobPorts, doing: Doing, note: Note): Promise<FileRecord | undefined> {
  const { store } = ports
  const { adapter, conversation, jobId, sender, texts, log, signal } = doing
  const channel = await ports.channels.of(conversation)
  if (!channel.collecting && (await store.files.ofJob(jobId)).length === 0) return undefined
  const attachment = await keepText(ports, jobId, note, channel.collection)
  const message: Message = {
    id: note.source.id,
    conversation: note.source.conversation,
    author: note.author,
    text: '',
    addressed: true,
    mentionsOthers: false,
    attachments: [attachment],
    sentAt: note.at,
  }
  await ingest(
    { ...ports, platform: ports.background },
    { jobId, message, files: [attachment], adapter, sender, texts, log, signal },
  )
  return (await store.files.ofJob(jobId)).find(({ attachmentId }) => attachmentId === note.key)
}

/** On our disk before anything is done with it. */
async function keepText(
  { store, clock }: JobPorts,
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
    locator: locatorOf(id),
  }
}

/** What is filed by ourselves is opened like any other attachment, also for a second try and after a restart. */
const SCHEME = 'footbridge:'

export const NOTE_KIND = 'note'

export const locatorOf = (offerId: string): string => `${SCHEME}${offerId}`

/** The button payload in which the text of this attachment is kept; undefined: it is a file of the chat service. */
export const noteOf = ({ locator }: Pick<Attachment, 'locator'>): string | undefined =>
  locator.startsWith(SCHEME) ? locator.slice(SCHEME.length) : undefined

/** The adapter, with texts that we keep ourselves beside the files of its service. */
export function withOwnFiles(adapter: Adapter, payloads: ButtonPayloads): Adapter {
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
