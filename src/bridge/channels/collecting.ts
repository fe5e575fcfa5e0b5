import type { JobContext } from '../delivery/job-context.ts'
import { channelKey } from '../port/keys.ts'
import type { Store } from '../port/store.ts'
import type { ChannelMap, ChannelView } from './channel-map.ts'

type Asked = Pick<JobContext, 'jobId' | 'conversation' | 'acceptedAt'>

/** The last switch of a channel. Before it, the opposite held. */
interface Switch {
  readonly at: number
  readonly collecting: boolean
}

const LAST_SWITCH = 'collecting-switch'

/** Files dropped in this channel are collected, or left alone, from this job's event on. */
export async function switchCollecting(
  { channels, store }: { readonly channels: ChannelMap; readonly store: Pick<Store, 'preferences'> },
  { conversation, acceptedAt: at }: Asked,
  collecting: boolean,
): Promise<void> {
  const before = await channels.of(conversation)
  const last: Switch = { at, collecting }
  // Written before the channel: who reads the changed channel finds it.
  if (before.collecting !== collecting)
    await store.preferences.set(channelKey(conversation), LAST_SWITCH, JSON.stringify(last))
  await channels.change(conversation, { collecting })
}

/** Whether the files of this job are collected. Jobs run side by side: the switch counts as it was at the event. */
export async function isCollected(
  { preferences, files }: Pick<Store, 'preferences' | 'files'>,
  { jobId, conversation, acceptedAt }: Asked,
  channel: ChannelView,
): Promise<boolean> {
  const stored = await preferences.get(channelKey(conversation), LAST_SWITCH)
  const last = stored === undefined ? undefined : (JSON.parse(stored) as Switch)
  if (last !== undefined && acceptedAt < last.at ? !last.collecting : channel.collecting) return true
  // A drop that was begun is completed.
  return (await files.ofJob(jobId)).length > 0
}
