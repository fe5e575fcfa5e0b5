import { setTimeout as sleep } from 'node:timers/promises'
import type { AbortReason } from '../delivery/job-context.ts'
import { conversationQueue, messageKey } from '../port/keys.ts'
import { conversationOf, type ConversationRef } from '../port/message.ts'
import type { Preferences } from '../port/records.ts'
import type { Clock } from '../port/platform.ts'
import type { EndingEvent, Job, Store } from '../port/store.ts'

/** Running jobs, which an edit, a deletion or a stop can interrupt. */
export interface RunningJobs {
  /** The signal aborts when the job is interrupted, or the process stops. */
  begin(job: Job): AbortSignal
  end(jobId: string): void
  /** Aborts the jobs that this event makes obsolete; of those with an `order`, the ones before `order`. Gives their ids. */
  interrupt(inbound: EndingEvent, order?: number): readonly string[]
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
      const ended: string[] = []
      for (const { controller, job } of running.values()) {
        const reason = (job.order ?? 0) < order ? reasonToEnd(job, inbound) : undefined
        if (reason === undefined) continue
        controller.abort(reason)
        ended.push(job.id)
      }
      return ended
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

function reasonToEnd({ inbound: asked }: Job, inbound: EndingEvent): AbortReason | undefined {
  if (asked.kind !== 'message' && asked.kind !== 'edit') return undefined
  const { conversation, id } = asked.message
  const isSame = (other: ConversationRef, otherId: string) =>
    messageKey(conversation, id) === messageKey(other, otherId)
  if (inbound.kind === 'edit') return isSame(inbound.message.conversation, inbound.message.id) ? 'changed' : undefined
  if (inbound.kind === 'delete') return isSame(inbound.conversation, inbound.messageId) ? 'changed' : undefined
  const isHere = conversationQueue(inbound.conversation) === conversationQueue(conversation)
  return isHere ? 'stopped' : undefined
}

/** Open jobs that are looked through; the oldest of more. */
const MAX_OPEN = 1000

/**
 * Carries out an event that ends answers. A stop is kept until they have ended, in whichever process they run; where none
 * runs, it ends those that wait for their next attempt, which then say so at once.
 */
export async function endAnswers(
  { store, running, clock }: { readonly store: Store; readonly running: RunningJobs; readonly clock: Clock },
  inbound: EndingEvent,
): Promise<void> {
  const ended = running.interrupt(inbound)
  if (inbound.kind !== 'stop') return
  const stops = createStops(store.preferences)
  for (const id of ended) await stops.add(id)
  const open = await store.inbox.list(['queued', 'running'], MAX_OPEN)
  const here = open.filter((job) => reasonToEnd(job, inbound) !== undefined && !ended.includes(job.id))
  // Another process, which hears of the event as well, ends it: unless it dies before.
  const elsewhere = here.filter(({ state }) => state === 'running')
  for (const { id } of elsewhere) {
    await stops.add(id)
    if ((await store.inbox.job(id))?.state === 'done') await stops.remove(id)
  }
  if (ended.length + elsewhere.length > 0) return
  for (const { id } of here.filter(({ reason }) => reason !== undefined)) {
    await stops.add(id)
    await store.inbox.requeue(id, clock())
  }
}
