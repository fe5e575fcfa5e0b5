import { createSlashCommands } from '../features/slash-commands.ts'
import { escalationAwaitingReply } from '../features/escalation/escalation.ts'
import type { JobServices } from '../features/feature.ts'
import type { Registry } from '../features/registry.ts'
import type { Message } from '../port/message.ts'
import type { Job } from '../port/store.ts'
import { rowFor } from './handlers.ts'
import { followerIn, hear } from './heard.ts'
import type { RunningJobs } from './interrupt.ts'
import { withPerson } from './person.ts'
import { beginsConversation, queueAfterPress } from './queue-key.ts'
import {
  contextOf,
  contextOfMessage,
  ENDS,
  type JobEnvironment,
  type Kind,
  type Subject,
  type Task,
  type Work,
} from './task.ts'

/** Handles one accepted event. Rejects when the job should be retried or given up. */
export type Handler = (job: Job, environment: JobEnvironment) => Promise<void>

export function createHandler(services: JobServices, registry: Registry, running: RunningJobs): Handler {
  const calls = createSlashCommands(services, registry)
  const missedNoticeAt = new Map<string, number>()
  return async (job, environment) => {
    const inbound = await withPerson(services, environment.adapter, job.inbound)
    const shared = { services, registry, running, calls, missedNoticeAt, handleMessage }
    const work: Work = { ...environment, ...shared, job: { ...job, inbound } }
    if (inbound.kind === 'message') return handleMessage(work, inbound.message, job.id)
    await handle(inbound.kind, inbound, { ...work, ctx: contextOf(work, inbound) })
  }
}

async function handleMessage(work: Work, message: Message, jobId: string, isEdit = false): Promise<void> {
  const { services, registry } = work
  const { store } = services
  const job = { ...work.job, queue: await queueAfterPress(store, work.job.queue, message) }
  const isFirst = job.inbound.kind === 'message' && beginsConversation(message)
  const [follower, { listens }, repliesTo] = await Promise.all([
    isFirst || message.addressed ? undefined : followerIn({ history: store.history }, job.queue, message.author.id),
    services.settings.of(message.conversation),
    isFirst ? undefined : escalationAwaitingReply(store, job.queue, message),
  ])
  const heard = hear(message, { follower, parse: registry.parse, listens, repliesTo, isEdit })
  await handle('message', heard, { ...work, job, ctx: contextOfMessage({ ...work, job }, message, jobId) })
}

/** Runs the steps of the event's row. */
async function handle<Of extends Kind>(kind: Of, event: Subject<Of>, task: Omit<Task<Of>, 'event'>): Promise<void> {
  for (const step of rowFor(kind, event)?.steps ?? []) if ((await step({ ...task, event })) === ENDS) return
}
