import type { JobServices } from '../features/feature.ts'
import type { Adapter } from '../port/adapter.ts'
import { channelKey } from '../port/keys.ts'
import { conversationOf, type Inbound, type InboundOf } from '../port/message.ts'
import { END_MS, forgetFiles, forgetLater, MAX_JOBS } from './forget-workspace.ts'
import type { RunningJobs } from './interrupt.ts'
import { isDeletion } from './queue-key.ts'

type Services = Pick<JobServices, 'store' | 'platform' | 'settings' | 'sources' | 'clock'>

interface Surroundings {
  readonly adapter: Adapter
  readonly running: Pick<RunningJobs, 'interruptJob' | 'endAll'>
  readonly signal: AbortSignal
}

/**
 * Ends the open jobs of a channel where nothing can be shown any more. Its files stay, for the day when it is opened
 * again; of a deleted channel everything is deleted. Rejects when it should be tried again.
 */
export async function closeChannel(
  services: Services,
  { adapter, running, signal }: Surroundings,
  { key, conversation, isDeleted }: InboundOf<'channel-gone'>,
): Promise<void> {
  const { store, settings, clock } = services
  const facts = await adapter.describeChannel(conversation)
  // An event of long ago must not close or delete a channel that is there again.
  if (facts !== undefined && facts.isClosed !== true) return
  const mustForget = isDeleted === true && facts === undefined
  const here = channelKey(conversation)
  for (const { id, inbound, state } of await store.inbox.list(['queued', 'running'], MAX_JOBS)) {
    // Later jobs are of the channel after it was opened again.
    if (id === key && !mustForget) break
    if (id === key || channelKey(conversationOf(inbound)) !== here) continue
    if (!mustForget && (isDeletion(inbound) || hasFiles(inbound))) continue
    if (state === 'queued') await store.inbox.discard(id, clock())
    else {
      running.interruptJob(id)
      await store.sharing.endJob(id, 'changed')
    }
  }
  if (!mustForget) return
  await running.endAll((of) => channelKey(of) === here, { but: key, ms: END_MS })
  const record = await store.channels.get(here)
  if (record !== undefined) await forgetFiles(services, record, signal)
  await settings.change(conversation, { digest: false })
  const forget = () => store.forgetChannel(conversation)
  await forget()
  forgetLater(forget, signal)
}

/** Files on their way are taken in: the channel may open again. */
const hasFiles = (inbound: Inbound): boolean =>
  (inbound.kind === 'message' || inbound.kind === 'edit') && inbound.message.attachments.length > 0
