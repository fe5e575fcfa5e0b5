import type { JobServices } from '../features/feature.ts'
import type { Adapter } from '../port/adapter.ts'
import { channelKey, conversationOf, type Inbound, type InboundOf } from '../port/message.ts'
import { forgetFiles } from './forget-workspace.ts'
import type { RunningJobs } from './interrupt.ts'
import { isDeletion } from './queue-key.ts'

type Services = Pick<JobServices, 'store' | 'platform' | 'settings' | 'sources' | 'clock'>

interface Surroundings {
  readonly adapter: Adapter
  readonly running: Pick<RunningJobs, 'interruptJob'>
  readonly signal: AbortSignal
}

const MAX_JOBS = 10_000

/**
 * Ends what was asked in a channel where nothing can be shown any more. Its files stay, for the day when it is opened again;
 * of a deleted channel everything is deleted. Rejects when it should be tried again.
 */
export async function closeChannel(
  services: Services,
  { adapter, running, signal }: Surroundings,
  { key, conversation, isDeleted }: InboundOf<'channel-gone'>,
): Promise<void> {
  const { store, settings, clock } = services
  // An event of long ago must not delete a channel that is there.
  const mustForget = isDeleted === true && (await adapter.describeChannel?.(conversation)) === undefined
  const here = channelKey(conversation)
  for (const { id, inbound, state } of await store.inbox.list(['queued', 'running'], MAX_JOBS)) {
    if (id === key || channelKey(conversationOf(inbound)) !== here) continue
    if (!mustForget && (isDeletion(inbound) || hasFiles(inbound))) continue
    if (state === 'queued') await store.inbox.discard(id, clock())
    else {
      running.interruptJob(id)
      await store.sharing.endJob(id, 'changed')
    }
  }
  if (!mustForget) return
  const record = await store.channels.get(here)
  if (record !== undefined) await forgetFiles(services, record, signal)
  await settings.change(conversation, { digest: false })
  await store.forgetChannel(conversation)
}

/** Files on their way are taken in: the channel may open again. */
const hasFiles = (inbound: Inbound): boolean =>
  (inbound.kind === 'message' || inbound.kind === 'edit') && inbound.message.attachments.length > 0
