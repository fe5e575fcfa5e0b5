import type { Adapter } from '../port/adapter.ts'
import type { ConversationRef } from '../port/message.ts'
import type { Log } from '../port/platform.ts'

export interface AdapterAndLog {
  readonly adapter: Adapter
  readonly log: Log
}

/**
 * Whether this person administers the channel now, by the chat service or by `ADMINS`. Unknown counts as no. In a
 * direct conversation the person does.
 */
export async function administers(
  { admins }: { readonly admins: ReadonlySet<string> },
  { adapter, log }: AdapterAndLog,
  conversation: ConversationRef,
  personId: string,
): Promise<boolean> {
  if (conversation.direct || admins.has(`${conversation.adapter}:${personId}`)) return true
  return isConfirmed(adapter.isAdmin(conversation, personId), log)
}

/** Whether this person may read the channel now. Unknown counts as no. */
export async function mayRead(
  { adapter, log }: AdapterAndLog,
  conversation: ConversationRef,
  personId: string,
): Promise<boolean> {
  return isConfirmed(adapter.isMember(conversation, personId), log)
}

/** Whether the chat service confirms it. No answer, or a failure, counts as no. */
export async function isConfirmed(asked: Promise<boolean> | undefined, log: Log): Promise<boolean> {
  try {
    return (await asked) === true
  } catch (error) {
    log.warn({ err: error }, 'Chat service did not answer a permission check; access is refused until it does')
    return false
  }
}
