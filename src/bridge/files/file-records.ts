import { channelKey } from '../port/keys.ts'
import type { ConversationRef } from '../port/message.ts'
import type { FileRecord } from '../port/records.ts'
import type { Store } from '../port/store.ts'
import { fileKindOf, toFileName } from '#lib/file-kind.ts'

/** Its ingest has ended: the record changes only when a person asks for it. */
export const isFinished = ({ state }: FileRecord): boolean => ['ready', 'failed', 'removed'].includes(state)

const isNeitherReplacedNorDuplicate = ({ replacedBy, duplicateOf }: FileRecord): boolean =>
  replacedBy === undefined && duplicateOf === undefined

/** Questions can find it: ready, neither replaced nor a duplicate. */
export const isCurrent = (file: FileRecord): boolean => file.state === 'ready' && isNeitherReplacedNorDuplicate(file)

/** Its bytes are those under its name on the platform, whether or not they could be indexed. */
export const isLive = (file: FileRecord): boolean =>
  isNeitherReplacedNorDuplicate(file) &&
  (file.state === 'ready' || (['indexing', 'failed'].includes(file.state) && file.version !== undefined))

/** People see it as a file: no duplicate, no earlier version, not removed. */
export const isListed = (file: FileRecord): boolean => file.state !== 'removed' && isNeitherReplacedNorDuplicate(file)

export const isFailed = ({ state, replacedBy }: FileRecord): boolean => state === 'failed' && replacedBy === undefined

export const isRetryable = (file: FileRecord): boolean => isFailed(file) && file.permanent !== true

/** It replaced another version, and is not replaced itself. */
export const canUndo = ({ state, replaces, replacedBy }: FileRecord): boolean =>
  replaces !== undefined && replacedBy === undefined && (state === 'ready' || state === 'failed')

/** Changes with every update, so that a button made for an earlier state does nothing. */
export const stampOf = ({ updatedAt }: FileRecord): string => updatedAt.toString(36)

/** Position of the file in its drop: 3 for `<job>#3`. */
export const positionInDrop = ({ id }: FileRecord): string => id.slice(id.lastIndexOf('#') + 1)

export const nameOfDropper = ({ droppedByName, droppedBy }: FileRecord): string => droppedByName ?? droppedBy

/** Conversation with the receipt of a file. Somebody may keep a message of a server in which Footbridge is not. */
export async function homeOf(
  { channels }: Pick<Store, 'channels'>,
  { channel, conversation }: FileRecord,
): Promise<ConversationRef | undefined> {
  if (conversation === undefined || channelKey(conversation) === channel) return conversation
  return (await channels.get(channel))?.conversation
}

/** File endings that a collection takes. */
const TAKEN = /\.(?:pdf|txt|text|md|markdown)$/i

/** Name of a file in the collection: a converted file becomes markdown (`x.docx.md`), another text `x.json.txt`. */
export function targetName(displayName: string, mimeType: string): string {
  const name = toFileName(displayName)
  const kind = fileKindOf(displayName, mimeType)
  if (kind === 'convertible' || kind === 'image') return toFileName(`${name}.md`)
  if (kind !== 'native' || TAKEN.test(name)) return name
  return toFileName(`${name}${/^application\/pdf\b/i.test(mimeType) ? '.pdf' : '.txt'}`)
}

/** The second file of a name becomes `name (2).pdf`. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/s.exec(name) ?? []
  let free = name
  for (let count = 2; isTaken(free); count += 1) free = `${stem} (${count})${ending}`
  return free
}
