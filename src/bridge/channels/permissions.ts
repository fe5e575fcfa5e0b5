import type { JobContext } from '../delivery/job-context.ts'
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
 * Whether this person administers the channel now, by the chat service or by `ADMINS`. Unknown counts as no. In a
 * direct conversation the person does.
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

/** Whether this person may read the channel now. Unknown counts as no. */
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
    log.warn({ err: error }, 'Chat service did not answer about permissions; access is refused')
    return false
  }
}

/**
 * Whether this person dropped one of these files or administers the channel that owns them. Administrators of a channel
 * that only links to the collection may not change it.
 */
export async function mayChange(
  services: { readonly admins: ReadonlySet<string>; readonly store: Pick<Store, 'channels'> },
  ctx: JobContext,
  files: readonly FileRecord[],
): Promise<boolean> {
  const { adapter, author, conversation } = ctx
  const isOwn = files.some(
    ({ droppedBy, channel }) => droppedBy === author.id && channel.startsWith(`${adapter.name}:`),
  )
  if (isOwn) return true
  if (!(await administers(services, ctx, conversation, author.id))) return false
  const here = channelKey(conversation)
  const elsewhere = files.filter(({ channel }) => channel !== here).map(({ collection }) => collection)
  for (const collection of new Set(elsewhere)) {
    const owner = await services.store.channels.ofCollection(collection)
    if (owner === undefined || owner.key === here) continue
    if (!(await administers(services, ctx, owner.conversation, author.id))) return false
  }
  return true
}
