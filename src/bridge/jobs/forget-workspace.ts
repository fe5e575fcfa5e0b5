import type { JobServices } from '../features/feature.ts'
import { notePayloadId } from '../files/saved-messages/save-note.ts'
import { isPlatformFailure } from '../port/errors.ts'
import type { ConversationRef, InboundOf } from '../port/message.ts'
import type { ChannelRecord } from '../port/records.ts'
import type { RunningJobs } from './interrupt.ts'

type Services = Pick<JobServices, 'store' | 'platform' | 'settings' | 'sources'>

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

/** Deletes a channel's collection on the platform and the bytes of its files. Rejects when it should be tried again. */
export async function forgetFiles(
  { store, platform, sources }: Services,
  { collection }: ChannelRecord,
  signal: AbortSignal,
): Promise<void> {
  try {
    await platform.collections.delete(collection, { signal })
  } catch (error) {
    if (!isPlatformFailure(error) || error.code !== 'not-found') throw error
  }
  for (const { id, fileName, originalName, attachment } of await store.files.ofCollection(collection)) {
    const note = attachment && notePayloadId(attachment)
    if (note !== undefined) await store.buttonPayloads.take(note)
    await store.spool.remove(id)
    for (const name of [fileName, originalName]) if (name !== undefined) await sources.drop(collection, name)
  }
  for (const sha256 of await store.originals.list(collection)) await store.originals.remove(collection, sha256)
}
