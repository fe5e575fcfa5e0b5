import { setTimeout as sleep } from 'node:timers/promises'
import type { AbortReason } from '../delivery/job-context.ts'
import { conversationQueue, messageKey } from '../port/keys.ts'
import { conversationOf, type ConversationRef, type Message } from '../port/message.ts'
import type { Preferences } from '../port/records.ts'
import type { EndingEvent, Job } from '../port/store.ts'

/** Running jobs, which an edit, a deletion or a stop can interrupt. */
export interface RunningJobs {
  /** The signal aborts when the job is interrupted, or the process stops. */
  begin(job: Job): AbortSignal
  end(jobId: string): void
  /** Aborts the jobs that this event makes obsolete; of those with an `order`, the ones before `order`. */
  interrupt(inbound: EndingEvent, order?: number): void
  /** Aborts a job because a button changes its messages, or stops it. */
  interruptJob(jobId: string, reason?: AbortReason): void
  /** Aborts all jobs of these conversations but one; resolves when they have ended, or after `ms`. */
  endAll(
    isOfThese: (conversation: ConversationRef) => boolean,
    most: { readonly but: string; readonly ms: number },
  ): Promise<void>
  /** Stops the running answer of this queue; gives the jobs that it ended. */
  stopQueue(queue: string): readonly string[]
}

const POLL_MS = 50

/** Jobs that their asker stopped, kept until they have ended: neither a crash nor another process goes on with them. */
export const createStops = (preferences: Preferences) => ({
  add: (jobId: string) => preferences.set(`job:${jobId}`, 'stopped', 'yes'),
  has: async (jobId: string) => (await preferences.get(`job:${jobId}`, 'stopped')) !== undefined,
  remove: (jobId: string) => preferences.set(`job:${jobId}`, 'stopped', undefined),
})

/** @param stopping aborts when the process stops */
export function createRunningJobs(stopping: AbortSignal): RunningJobs {
  const running = new Map<string, { readonly controller: AbortController; readonly job: Job }>()
  const endWithProcess = () => {
    for (const { controller } of running.values()) controller.abort(stopping.reason)
  }
  stopping.addEventListener('abort', endWithProcess, { once: true })
  return {
    begin(job) {
      const controller = new AbortController()
      if (stopping.aborted) controller.abort(stopping.reason)
      running.set(job.id, { controller, job })
      return controller.signal
    },
    end: (jobId) => void running.delete(jobId),
    interrupt(inbound, order = Infinity) {
      for (const { controller, job } of running.values()) {
        if ((job.order ?? 0) >= order) continue
        if (job.inbound.kind !== 'message' && job.inbound.kind !== 'edit') continue
        const reason = reasonToEnd(job.inbound.message, inbound)
        if (reason !== undefined) controller.abort(reason)
      }
    },
    async endAll(isOfThese, { but, ms }) {
      for (const end = Date.now() + ms; Date.now() < end; await sleep(POLL_MS)) {
        const left = [...running.values()].filter(({ job }) => job.id !== but && isOfThese(conversationOf(job.inbound)))
        if (left.length === 0) return
        for (const { controller } of left) controller.abort('changed' satisfies AbortReason)
      }
    },
    interruptJob: (jobId, reason = 'changed') => running.get(jobId)?.controller.abort(reason),
    stopQueue(queue) {
      const stopped = [...running.values()].filter(({ job }) => job.queue === queue)
      for (const { controller } of stopped) controller.abort('stopped' satisfies AbortReason)
      return stopped.map(({ job }) => job.id)
    },
  }
}

function reasonToEnd({ conversation, id }: Message, inbound: EndingEvent): AbortReason | undefined {
  const isSame = (other: ConversationRef, otherId: string) =>
    messageKey(conversation, id) === messageKey(other, otherId)
  if (inbound.kind === 'edit') return isSame(inbound.message.conversation, inbound.message.id) ? 'changed' : undefined
  if (inbound.kind === 'delete') return isSame(inbound.conversation, inbound.messageId) ? 'changed' : undefined
  const isHere = conversationQueue(inbound.conversation) === conversationQueue(conversation)
  return isHere ? 'stopped' : undefined
}
