import type { JobServices } from '../features/feature.ts'
import { isLive } from '../files/file-records.ts'
import { deleteUpload } from '../files/ingest/upload-file.ts'
import { notePayloadId } from '../files/saved-messages/save-note.ts'
import { duplicatesOf, pruneOriginals, recordsOfName } from '../files/versions.ts'
import { isPlatformFailure } from '../port/errors.ts'
import type { ConversationRef, InboundOf } from '../port/message.ts'
import type { ChannelRecord, FileRecord } from '../port/records.ts'
import type { RunningJobs } from './interrupt.ts'

type Services = Pick<JobServices, 'store' | 'platform' | 'settings' | 'sources' | 'clock'>

/** Running jobs are ended and waited for so long, milliseconds. */
export const END_MS = 20_000
/** Rows that were written meanwhile are deleted after this time. */
const SECOND_DELETION_MS = 30_000

/**
 * Deletes all that is known of a workspace: its collections on the platform, the bytes of its files, and every row, the
 * job of this deletion last. Rejects when it should be tried again.
 */
export async function forgetWorkspace(
  services: Services,
  running: Pick<RunningJobs, 'endAll'>,
  { key, adapter, workspace }: InboundOf<'workspace-gone'>,
  signal: AbortSignal,
): Promise<void> {
  const { store, settings } = services
  const isOfIt = (of: ConversationRef) => of.adapter === adapter && of.workspace === workspace
  await running.endAll(isOfIt, { but: key, ms: END_MS })
  for (const record of await store.channels.ofWorkspace(adapter, workspace)) {
    await forgetFiles(services, record, signal)
    await settings.change(record.conversation, { digest: false })
  }
  await deleteTwice(() => store.forgetWorkspace(adapter, workspace), signal)
}

/** Deletes rows now, and later once more: a job that ended late, or in another process, may have written meanwhile. */
export async function deleteTwice(forget: () => Promise<void>, signal: AbortSignal): Promise<void> {
  await forget()
  const timer = setTimeout(() => void forget().catch(() => undefined), SECOND_DELETION_MS).unref()
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
}

/**
 * Deletes a channel's collection on the platform, what it gave to the collection of another channel, and the bytes of all
 * these files. Rejects when it should be tried again.
 */
export async function forgetFiles(
  services: Services,
  { key, collection }: ChannelRecord,
  signal: AbortSignal,
): Promise<void> {
  const { store, platform, clock } = services
  try {
    await platform.collections.delete(collection, { signal })
  } catch (error) {
    if (!isPlatformFailure(error) || error.code !== 'not-found') throw error
  }
  for (const file of await store.files.ofCollection(collection)) await forgetBytes(services, file)
  for (const sha256 of await store.originals.list(collection)) await store.originals.remove(collection, sha256)
  const given = (await store.files.ofChannel(key)).filter((file) => file.collection !== collection)
  for (const file of given) await forgetGiven(services, file, signal)
  for (const other of new Set(given.map((file) => file.collection))) await pruneOriginals(store, other, clock())
}

async function forgetBytes({ store, sources }: Services, file: FileRecord): Promise<void> {
  const { id, collection, fileName, originalName, attachment } = file
  const note = attachment && notePayloadId(attachment)
  if (note !== undefined) await store.buttonPayloads.take(note)
  await store.spool.remove(id)
  for (const name of [fileName, originalName]) if (name !== undefined) await sources.drop(collection, name)
}

/** A file that stays in the other channel, dropped there too with the same bytes, is that channel's from now on. */
async function forgetGiven(services: Services, file: FileRecord, signal: AbortSignal): Promise<void> {
  const { store, platform, clock } = services
  if (file.state === 'removed') return
  const others = (await recordsOfName(store, file)).filter(({ channel }) => channel !== file.channel)
  const [heir] = duplicatesOf(others, file)
  if (heir !== undefined) {
    const { version, replaces, replacedBy } = file
    await store.files.put({ ...heir, duplicateOf: undefined, version, replaces, replacedBy })
  } else if (isLive(file) || (file.sent === true && !others.some(isLive))) await deleteUpload(platform, file, signal)
  await forgetBytes(services, file)
  await store.files.put({ ...file, state: 'removed', updatedAt: clock() })
}
