import type { Adapter } from '../port/adapter.ts'
import type { ConversationRef } from '../port/message.ts'
import type { Log } from '../port/platform.ts'

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
