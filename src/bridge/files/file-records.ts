import { channelKey, type Attachment, type Message } from '../port/message.ts'
import type { FileRecord } from '../port/records.ts'
import type { Store } from '../port/store.ts'
import { describeFile, toDisplayName, toFileName } from '../../lib/file-kind.ts'

/** It changes no more by itself. */
export const isOver = ({ state }: FileRecord): boolean => ['ready', 'failed', 'removed'].includes(state)

/** It can be found in the collection, and is no mere repetition of another. */
export const isCurrent = (entry: FileRecord): boolean =>
  entry.state === 'ready' && entry.replacedBy === undefined && entry.duplicateOf === undefined

/** Its bytes are what stands under its name on the platform, whether they could be indexed or not. */
export const stands = (entry: FileRecord): boolean =>
  (entry.state === 'ready' ||
    (['indexing', 'failed'].includes(entry.state) && entry.version !== undefined)) &&
  entry.replacedBy === undefined &&
  entry.duplicateOf === undefined

/** What people see as a file: everything but repetitions, earlier versions and what is gone. */
export const isListed = (entry: FileRecord): boolean =>
  entry.state !== 'removed' && entry.replacedBy === undefined && entry.duplicateOf === undefined

export const isFailed = ({ state, replacedBy }: FileRecord): boolean =>
  state === 'failed' && replacedBy === undefined

export const isRetryable = (entry: FileRecord): boolean => isFailed(entry) && entry.permanent !== true

/** It took the place of another version, and still holds it. */
export const hasWayBack = ({ state, replaces, replacedBy }: FileRecord): boolean =>
  replaces !== undefined && replacedBy === undefined && (state === 'ready' || state === 'failed')

/** Another stamp after every change, so that a button made for an earlier state does nothing. */
export const stampOf = ({ updatedAt }: FileRecord): string => updatedAt.toString(36)

/** Place of the entry in its drop: `<job>#3` is 3. */
export const placeOf = ({ id }: FileRecord): string => id.slice(id.lastIndexOf('#') + 1)

export const nameOfDropper = ({ droppedByName, droppedBy }: FileRecord): string => droppedByName ?? droppedBy

/** Endings by which a collection knows what it takes (wire.md, "Files"); another text is one by its content alone. */
const TAKEN = /\.(?:pdf|txt|text|md|markdown)$/i

/** The name under which a file stands in the collection: what is converted becomes markdown, `x.json` is `x.json.txt`. */
export function targetName(displayName: string, mimeType: string): string {
  const name = toFileName(displayName)
  const kind = describeFile(displayName, mimeType)
  if (kind === 'convertible' || kind === 'image') return toFileName(`${name}.md`)
  if (kind !== 'native' || TAKEN.test(name)) return name
  return toFileName(`${name}${/^application\/pdf\b/i.test(mimeType) ? '.pdf' : '.txt'}`)
}

/** Two files of one name in one place are two files: the second becomes `name (2).pdf`. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/s.exec(name) ?? []
  let free = name
  for (let count = 2; isTaken(free); count += 1) free = `${stem} (${count})${ending}`
  return free
}

/** The entries of a drop, made where they are not there yet. */
export async function loadEntries(
  { store, clock }: { readonly store: Store; readonly clock: () => number },
  drop: {
    readonly jobId: string
    readonly message: Message
    readonly files: readonly Attachment[]
    readonly collection: string
  },
): Promise<readonly FileRecord[]> {
  const entries: FileRecord[] = []
  for (const [index, attachment] of drop.files.entries()) {
    const id = `${drop.jobId}#${index}`
    const known = await store.files.get(id)
    // Names that are one in the collection would be versions of each other.
    const taken = entries.map(({ displayName }) => toFileName(displayName))
    const displayName = freeName(toDisplayName(attachment.name), (it) => taken.includes(toFileName(it)))
    const entry = known ?? newEntry(drop, { id, attachment, displayName, updatedAt: clock() })
    if (known === undefined) await store.files.put(entry)
    entries.push(entry)
  }
  return entries
}

function newEntry(
  { jobId, message, collection }: { jobId: string; message: Message; collection: string },
  made: Pick<FileRecord, 'id' | 'displayName' | 'updatedAt'> & { readonly attachment: Attachment },
): FileRecord {
  const { author, conversation } = message
  const { attachment } = made
  return {
    ...made,
    jobId,
    channel: channelKey(conversation),
    collection,
    attachmentId: attachment.id,
    fileName: targetName(made.displayName, attachment.mimeType),
    state: 'received',
    droppedBy: author.id,
    droppedByName: author.name,
    droppedAt: message.sentAt,
    messageId: message.id,
    conversation,
    ...(author.language === undefined ? {} : { language: author.language }),
  }
}
