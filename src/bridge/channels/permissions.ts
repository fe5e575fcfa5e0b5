import type { Doing } from '../delivery/job-context.ts'
import type { Adapter } from '../port/adapter.ts'
import { channelKey, type ConversationRef } from '../port/message.ts'
import type { Log } from '../port/platform.ts'
import type { FileRecord } from '../port/records.ts'
import type { Store } from '../port/store.ts'

interface Asking {
  readonly adapter: Adapter
  readonly log: Log
}

/**
 * Whether this person administers the channel now: by the chat service's own notion, or by `ADMINS`. What can't be told
 * is no. A direct conversation belongs to the person in it.
 */
export async function administers(
  { admins }: { readonly admins: ReadonlySet<string> },
  { adapter, log }: Asking,
  conversation: ConversationRef,
  personId: string,
): Promise<boolean> {
  if (conversation.direct || admins.has(`${conversation.adapter}:${personId}`)) return true
  return certainly(adapter.isAdmin?.(conversation, personId), log)
}

/** Whether this person may read the channel at this moment. What can't be told is no. */
export async function mayRead(
  { adapter, log }: Asking,
  conversation: ConversationRef,
  personId: string,
): Promise<boolean> {
  return certainly(adapter.isMember?.(conversation, personId), log)
}

async function certainly(asked: Promise<boolean> | undefined, log: Log): Promise<boolean> {
  try {
    return (await asked) === true
  } catch (error) {
    log.warn({ err: error }, 'The chat service did not tell what somebody may do; it counts as nothing')
    return false
  }
}

/**
 * Whether this person dropped one of these, or administers where they belong. A channel that uses the files of another by
 * a link has no say over what was dropped elsewhere: that takes somebody who administers the channel whose files they are.
 */
export async function mayChange(
  ports: { readonly admins: ReadonlySet<string> } & { readonly store: Pick<Store, 'channels'> },
  doing: Pick<Doing, 'adapter' | 'author' | 'conversation' | 'log'>,
  entries: readonly FileRecord[],
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
