import { createSender } from '../delivery/outbox-sender.ts'
import type { Adapter } from '../port/adapter.ts'
import { AdapterError } from '../port/errors.ts'
import { conversationOf } from '../port/message.ts'
import type { Log } from '../port/platform.ts'
import type { Job } from '../port/store.ts'
import { textsFor } from '../texts/texts.ts'
import { eraseTypedText } from './deletions.ts'
import type { Handler } from './handlers.ts'
import type { RunningJobs } from './interrupt.ts'
import { isDeletion } from './queue-key.ts'
import { waitBefore } from './retry-policy.ts'
import type { JobServices } from '../features/feature.ts'

interface Services extends Pick<JobServices, 'store' | 'clock' | 'adapterOf'> {
  readonly handle: Handler
  readonly running: RunningJobs
  readonly log: Log
  /** Aborts when the process stops. */
  readonly signal: AbortSignal
}

/** After so many process deaths, the last of them while it ran alone, a job is not started again. */
const MOST_DEATHS = 5

/** Runs a job: completes it, schedules a retry, or gives up and says so. At shutdown it stays for the next start. */
export function createJobRunner(services: Services): (job: Job) => Promise<void> {
  const { store, clock, adapterOf, handle, running, log, signal: stopping } = services
  return async (job) => {
    const { adapter: name } = conversationOf(job.inbound)
    const adapter = adapterOf(name)
    if (adapter === undefined)
      return store.inbox.bury(job.id, `The adapter ${name} is not connected any more.`, clock())
    if (job.deaths >= MOST_DEATHS) return giveUpDeadly(services, job, adapter)
    const interrupted = running.begin(job)
    try {
      await handle(job, { adapter, log, signal: AbortSignal.any([interrupted, stopping]) })
      await store.inbox.complete(job.id, clock())
      await eraseTypedText(store, job)
    } catch (error) {
      if (stopping.aborted) return
      if (interrupted.aborted) await store.inbox.complete(job.id, clock())
      else await retryOrGiveUp(services, job, adapter, error)
    } finally {
      running.end(job.id)
    }
  }
}

async function giveUpDeadly(services: Services, job: Job, adapter: Adapter): Promise<void> {
  const { store, clock, log } = services
  const reason = `The process died ${job.deaths} times while this job was running.`
  log.error(
    { job: job.id, attempt: job.attempt, deaths: job.deaths },
    'Job given up: the process died repeatedly while it ran',
  )
  await store.inbox.bury(job.id, reason, clock())
  await showFailure(services, job, adapter, 'gaveUpAfterDeaths')
}

async function retryOrGiveUp(services: Services, job: Job, adapter: Adapter, error: unknown): Promise<void> {
  const { store, clock, log } = services
  const message = error instanceof Error ? error.message : String(error)
  const wait = waitBefore(job, error)
  const fields = { err: error, job: job.id, attempt: job.attempt }
  if (wait !== undefined) {
    log.warn({ ...fields, retryInMs: wait }, 'Job failed; it is tried again')
    return store.inbox.retry(job.id, clock() + wait, message, clock())
  }
  log.error(fields, 'Job failed for good')
  await store.inbox.bury(job.id, message, clock())
  if (!(error instanceof AdapterError)) await showFailure(services, job, adapter, 'giveUp')
}

/** Replies to the message that asked that its job failed. */
async function showFailure(
  { store, clock, log }: Services,
  job: Job,
  adapter: Adapter,
  text: 'giveUp' | 'gaveUpAfterDeaths',
): Promise<void> {
  const { id: jobId, inbound } = job
  if (isDeletion(inbound) || inbound.kind === 'stop' || inbound.kind === 'overview') return
  const { conversation, id, author } =
    inbound.kind === 'message' || inbound.kind === 'edit' ? inbound.message : { ...inbound, id: inbound.messageId }
  const { outbox } = store
  const isPrivate = inbound.kind === 'command' ? inbound.command.shared !== true : inbound.kind === 'action'
  const ticket = 'ticket' in inbound ? inbound.ticket : undefined
  const invocation = { ticket, privateTo: isPrivate ? author.id : undefined }
  const sender = createSender({ jobId, adapter, conversation, replyTo: id, outbox, clock, invocation })
  try {
    await sender.show('apology', { kind: 'error', text: textsFor(author.language)[text] })
  } catch (error) {
    log.error({ err: error, job: jobId }, 'Failure notice could not be shown')
  }
}
