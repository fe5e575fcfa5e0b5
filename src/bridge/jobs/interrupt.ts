import type { AbortReason } from '../delivery/job-context.ts'
import { conversationQueue, messageKey, type ConversationRef, type InboundOf, type Message } from '../port/message.ts'
import type { Job } from '../port/store.ts'

/** Running jobs, which an edit, a deletion or a stop can interrupt. */
export interface RunningJobs {
  /** The signal aborts when the job is interrupted. */
  begin(job: Job): AbortSignal
  end(jobId: string): void
  /** Aborts the jobs that this event makes obsolete. */
  interrupt(inbound: InboundOf<'edit' | 'delete' | 'stop'>): void
  /** Aborts a job because a button changes its messages. */
  interruptJob(jobId: string): void
}

export function createRunningJobs(): RunningJobs {
  const running = new Map<string, { readonly controller: AbortController; readonly job: Job }>()
  return {
    begin(job) {
      const controller = new AbortController()
      running.set(job.id, { controller, job })
      return controller.signal
    },
    end: (jobId) => void running.delete(jobId),
    interrupt(inbound) {
      for (const { controller, job } of running.values()) {
        if (job.inbound.kind !== 'message' && job.inbound.kind !== 'edit') continue
        const reason = reasonToEnd(job.inbound.message, inbound)
        if (reason !== undefined) controller.abort(reason)
      }
    },
    interruptJob: (jobId) => running.get(jobId)?.controller.abort('changed' satisfies AbortReason),
  }
}

function reasonToEnd(
  { conversation, id }: Message,
  inbound: InboundOf<'edit' | 'delete' | 'stop'>,
): AbortReason | undefined {
  const isSame = (other: ConversationRef, otherId: string) =>
    messageKey(conversation, id) === messageKey(other, otherId)
  if (inbound.kind === 'edit') return isSame(inbound.message.conversation, inbound.message.id) ? 'changed' : undefined
  if (inbound.kind === 'delete') return isSame(inbound.conversation, inbound.messageId) ? 'changed' : undefined
  const isHere = conversationQueue(inbound.conversation) === conversationQueue(conversation)
  return isHere ? 'stopped' : undefined
}
