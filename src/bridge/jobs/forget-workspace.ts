import type { JobServices } from '../features/feature.ts'
import { isLive } from '../files/file-records.ts'
import { deleteUpload } from '../files/ingest/upload-file.ts'
import { notePayloadId } from '../files/saved-messages/save-note.ts'
import { duplicatesOf, pruneOriginals, recordsOfName } from '../files/versions.ts'
import type { Adapter } from '../port/adapter.ts'
import { isPlatformFailure } from '../port/errors.ts'
import { conversationOf, type ConversationRef, type InboundOf } from '../port/message.ts'
import type { ChannelRecord, FileRecord } from '../port/records.ts'
import type { RunningJobs } from './interrupt.ts'

type Services = Pick<JobServices, 'store' | 'platform' | 'settings' | 'sources' | 'tokens' | 'clock'>

interface Surroundings {
  readonly adapter: Pick<Adapter, 'app'>
  readonly running: Pick<RunningJobs, 'endAll'>
  readonly signal: AbortSignal
}

export const MAX_JOBS = 10_000
/** Running jobs are ended and waited for this long, milliseconds. */
export const END_MS = 20_000
/** Rows that were written meanwhile are deleted after this time. */
const SECOND_DELETION_MS = 30_000

/**
 * Deletes all that is known of a workspace: its collections on the platform, the bytes of its files, the tokens of its
 * people, and every row, the job of this deletion last. Nothing of a workspace that is installed again. Rejects when it
 * should be tried again.
 */
export async function forgetWorkspace(
  services: Services,
  { adapter, running, signal }: Surroundings,
  { key, adapter: name, workspace }: InboundOf<'workspace-gone'>,
): Promise<void> {
  const { store, settings, tokens } = services
  const isBack = async () => (await adapter.app?.isInstalled(workspace)) === true
  // The deletion may have waited long for the platform.
  if (await isBack()) return
  const isOfIt = (of: ConversationRef) => of.adapter === name && of.workspace === workspace
  for (const { id, inbound } of await store.inbox.list(['running'], MAX_JOBS))
    if (id !== key && isOfIt(conversationOf(inbound))) await store.sharing.endJob(id, 'changed')
  await running.endAll(isOfIt, { but: key, ms: END_MS })
  for (const record of await store.channels.ofWorkspace(name, workspace)) {
    await forgetFiles(services, record, signal)
    await settings.change(record.conversation, { digest: false })
  }
  const forget = async () => {
    await tokens?.forgetWorkspace(name, workspace)
    await store.forgetWorkspace(name, workspace)
  }
  await forget()
  forgetLater(async () => ((await isBack()) ? undefined : forget()), signal)
}

/** Deletes rows once more: a job that ended late, or in another process, may have written meanwhile. */
export function forgetLater(forget: () => Promise<void>, signal: AbortSignal): void {
  const timer = setTimeout(() => void forget().catch(() => undefined), SECOND_DELETION_MS).unref()
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
}

/**
 * Deletes a channel's collection on the platform, its files in collections of other channels, and the bytes of all
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
