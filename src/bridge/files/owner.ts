import { administers } from '../channels/permissions.ts'
import type { Doing, JobPorts } from '../delivery/job-context.ts'
import { channelKey } from '../port/message.ts'
import type { LedgerEntry, Store } from '../port/store.ts'

type Asking = Pick<Doing, 'adapter' | 'author' | 'conversation' | 'log'>

/**
 * Whether this person dropped one of these, or administers where they belong. A channel that uses the files of another by
 * a link has no say over what was dropped elsewhere: that takes somebody who administers the channel whose files they are.
 */
export async function mayChange(
  ports: Pick<JobPorts, 'admins'> & { readonly store: Pick<Store, 'channels'> },
  doing: Asking,
  entries: readonly LedgerEntry[],
): Promise<boolean> {
  const { adapter, author, conversation } = doing
  const isOwn = entries.some(
    ({ droppedBy, channel }) => droppedBy === author.id && channel.startsWith(`${adapter.name}:`),
  )
  if (isOwn) return true
  if (!(await administers(ports, doing, conversation, author.id))) return false
  const here = channelKey(conversation)
  const elsewhere = new Set(
    entries.filter(({ channel }) => channel !== here).map(({ collection }) => collection),
  )
  for (const collection of elsewhere) {
    const owner = await ports.store.channels.ofCollection(collection)
    if (owner === undefined || owner.key === here) continue
    if (!(await administers(ports, doing, owner.conversation, author.id))) return false
  }
  return true
}
