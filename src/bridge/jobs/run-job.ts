import { AsyncLocalStorage } from 'node:async_hooks'
import { ACTION, FAILURE_SLOT } from '../delivery/button-ids.ts'
import { isStopped } from '../delivery/job-context.ts'
import { createSender, type Sender } from '../delivery/outbox-sender.ts'
import type { Adapter } from '../port/adapter.ts'
import { AdapterError, isTransientFailure } from '../port/errors.ts'
import { isStorageAway } from '../delivery/storage-away.ts'
import { conversationOf, type Inbound, type Message } from '../port/message.ts'
import { createLinePace } from '../port/outage.ts'
import type { Log, Platform } from '../port/platform.ts'
import type { Job, OutboxRow } from '../port/store.ts'
import { textsFor, type Texts } from '../texts/texts.ts'
import { eraseTypedText } from './deletions.ts'
import type { Handler } from './handle.ts'
import { createStops, type RunningJobs } from './interrupt.ts'
import { isDeletion } from './queue-key.ts'
import { replyTarget } from './reply-target.ts'
import { AFTER_OUTAGE_MS, isTriedForEver, waitBefore, waitInOutage } from './retry-policy.ts'
import type { StorageNotices } from './storage-notices.ts'
import type { JobServices } from '../features/feature.ts'

interface Services extends Pick<JobServices, 'store' | 'clock' | 'adapterOf'> {
  readonly files: Pick<JobServices['files'], 'abandon'>
  readonly handle: Handler
  readonly running: RunningJobs
  readonly notices: StorageNotices
  readonly log: Log
  /** Aborts when the process stops. */
  readonly signal: AbortSignal
}

/** Failures that pass: of many jobs in one outage, a line a minute is enough. */
type Failing = Services & { readonly pace: ReturnType<typeof createLinePace> }

/** The workspace of the running job, for the platform requests anywhere inside it. */
const workspaces = new AsyncLocalStorage<string>()

const inTurn = (options?: object) => ({ workspace: workspaces.getStore(), ...options })

/** The platforms, with each request tagged by its workspace: where requests wait, workspaces take turns. */
export const withFairTurns = <Platforms extends { readonly platform: Platform; readonly background?: Platform }>(
  platforms: Platforms,
): Platforms => ({
  ...platforms,
  platform: tagWithWorkspace(platforms.platform),
  background: platforms.background && tagWithWorkspace(platforms.background),
})

function tagWithWorkspace(platform: Platform): Platform {
  const { chat, voice } = platform
  return {
    ...platform,
    chat: { stream: (request, options) => chat.stream(request, inTurn(options)) },
    voice: {
      transcribe: (recording, options) => voice.transcribe(recording, inTurn(options)),
      translate: (recording, options) => voice.translate(recording, inTurn(options)),
      speak: (text, options) => voice.speak(text, inTurn(options)),
    },
  }
}

/** After this many process deaths, the last of them while it was the only suspect, a job is not started again. */
const MAX_DEATHS = 5

/** Runs a job: completes it, schedules a retry, or gives up and says so. At shutdown it stays for the next start. */
export function createJobRunner(parts: Services): (job: Job) => Promise<void> {
  const services: Failing = { ...parts, pace: createLinePace() }
  const { store, clock, adapterOf, handle, running, notices, log, signal: stopping } = services
  const stops = createStops(store.preferences)
  const working = new Map<string, Inbound>()
  // Changes of a running job wait in the store: who waits for the job is told from here.
  let isFull = false
  store.room.watch((trouble) => {
    isFull = trouble !== undefined
    if (isFull) for (const inbound of working.values()) notices.show(inbound)
  })
  return async (job) => {
    const { adapter: name, workspace } = conversationOf(job.inbound)
    const adapter = adapterOf(name)
    if (adapter === undefined)
      return store.inbox.bury(job.id, `The adapter ${name} is not connected any more.`, clock())
    if (job.deaths >= MAX_DEATHS && !isTriedForEver(job)) return giveUpAfterDeaths(services, job, adapter)
    const interrupted = running.begin(job)
    working.set(job.id, job.inbound)
    if (isFull) notices.show(job.inbound)
    store.sharing.begun(job)
    let isStoppedLate = false
    try {
      const isRepeated = job.attempt > 1 || job.reason !== undefined
      if (isRepeated && (await stops.has(job.id))) running.interruptJob(job.id, 'stopped')
      const run = () => handle(job, { adapter, log, signal: interrupted })
      await workspaces.run(`${name}:${workspace}`, run)
      // An earlier attempt may have said that it failed, and the process died before that was stored.
      if (isRepeated) await removeFailureNotice(services, job, adapter)
      await store.inbox.complete(job.id, clock())
      notices.end(job.id)
      await eraseTypedText(store, job).catch((error: unknown) =>
        log.warn(
          { err: error, job: job.id },
          'Text that a person typed could not be erased from a finished job: it stays for 90 days. Check disk and database',
        ),
      )
    } catch (error) {
      if (stopping.aborted) return
      if (interrupted.aborted) await store.inbox.complete(job.id, clock())
      else {
        await retryOrGiveUp(services, job, adapter, error)
        // A stop that comes while that is stored ends the next try.
        isStoppedLate = isStopped(interrupted)
        if (isStoppedLate) {
          await stops.add(job.id)
          await store.inbox.requeue(job.id, clock())
        }
      }
    } finally {
      running.end(job.id)
      working.delete(job.id)
      if (isStopped(interrupted) && !stopping.aborted && !isStoppedLate) await stops.remove(job.id)
    }
  }
}

async function giveUpAfterDeaths(services: Services, job: Job, adapter: Adapter): Promise<void> {
  const { store, clock, log } = services
  const reason = `The process died ${job.deaths} times while this job was running.`
  log.error(
    { job: job.id, attempt: job.attempt, deaths: job.deaths },
    'Job given up: the process died each time it ran, and lived without it. npm run jobs shows it, and runs it again',
  )
  // Told before: a process that dies in between tells it once more, in the same message.
  await tellFailure(services, job, adapter, 'gaveUpAfterDeaths')
  await store.inbox.bury(job.id, reason, clock())
}

async function retryOrGiveUp(services: Failing, job: Job, adapter: Adapter, error: unknown): Promise<void> {
  const { store, clock, log, pace } = services
  const message = error instanceof Error ? error.message : String(error)
  const wait = waitBefore(job, error) ?? (await waitForService(services, job, adapter, error))
  const fields = { err: error, job: job.id, attempt: job.attempt }
  if (wait !== undefined) {
    if (isStorageAway(error)) services.notices.show(job.inbound)
    // A deletion is tried for a day or longer, and each of its failures is told.
    const isRare = isDeletion(job.inbound) && !isStorageAway(error) && !isTransientFailure(error)
    // That a service is not connected is told where it is connected.
    const level = isRare || (adapter.isConnected() && pace.isDue()) ? 'warn' : 'debug'
    log[level]({ ...fields, retryInMs: wait }, 'Job failed; it is tried again')
    return store.inbox.retry(job.id, clock() + wait, message, clock())
  }
  const text = textOf(error)
  if (text === 'giveUp') log.error(fields, 'Job failed for good: npm run jobs shows it, and runs it again')
  else log.warn(fields, message)
  await tellFailure(services, job, adapter, text, text !== 'giveUp' || !(error instanceof AdapterError))
  await store.inbox.bury(job.id, message, clock())
}

/**
 * The notice that the job failed shows whether its service is away. If the service refuses it, the job waits. If it takes
 * it, the service may just be back: the job is tried once more, unless the notice is one that cannot be removed again.
 */
async function waitForService(
  services: Services,
  job: Job,
  adapter: Adapter,
  error: unknown,
): Promise<number | undefined> {
  const wait = waitInOutage(job, error, services.clock())
  const asked = replyTarget(job.inbound)
  if (wait === undefined || asked === undefined) return wait
  try {
    const earlier = (await services.store.outbox.ofJob(job.id)).find(({ slot }) => slot === FAILURE_SLOT)
    await showFailure(services, job, adapter, 'giveUp')
    return earlier?.ref === undefined && !isPrivate(job.inbound) ? AFTER_OUTAGE_MS : undefined
  } catch (failure) {
    return isTransientFailure(failure) || isStorageAway(failure) ? wait : undefined
  }
}

/** The sentences about a failed job. */
type FailureText = 'giveUp' | 'gaveUpAfterDeaths' | 'blocked' | 'closed'

function textOf(error: unknown): FailureText {
  const code = error instanceof AdapterError ? error.code : undefined
  return code === 'blocked' || code === 'closed' ? code : 'giveUp'
}

/** The receipts of its files end; and who asked for more than that gets a reply. */
async function tellFailure(
  services: Services,
  job: Job,
  adapter: Adapter,
  text: FailureText,
  canReply = true,
): Promise<void> {
  const { files, log } = services
  const noteOf = ({ failures, fileGivenUp }: Texts) => (text === 'gaveUpAfterDeaths' ? fileGivenUp : failures.internal)
  const isTold = await files.abandon(job, { log }, noteOf).catch((error: unknown) => {
    log.error({ err: error, job: job.id }, 'Files of a failed job stay unfinished: npm run jobs shows the job')
    return false
  })
  const asksMore = job.inbound.kind === 'message' && job.inbound.message.addressed
  // The notice may be there already: `waitForService` shows it.
  if (isTold && !asksMore) return removeFailureNotice(services, job, adapter)
  if (!canReply) return
  if (text === 'closed') return showClosed(services, job, adapter)
  await showFailure(services, job, adapter, text).catch((error: unknown) =>
    log.error({ err: error, job: job.id }, 'Notice of a failed job could not be shown: npm run jobs shows the job'),
  )
}

/** Replies to the message that asked that its job failed. */
async function showFailure(
  services: Services,
  job: Job,
  adapter: Adapter,
  text: Exclude<FailureText, 'closed'>,
): Promise<void> {
  const asked = replyTarget(job.inbound)
  if (asked === undefined) return
  const { [text]: notice, files } = textsFor(asked.author.language)
  const actions = retryOf(job, files.button.retry)
  const sender = senderFor(services, job, adapter, asked)
  if (text === 'blocked') await removeAnswer(sender, () => true)
  if (text === 'gaveUpAfterDeaths') await removeAnswer(sender, ({ state }) => state !== 'closed')
  await sender.show(FAILURE_SLOT, { kind: 'error', text: notice, actions })
}

/** The button to do it once more; a command is called again. */
const retryOf = ({ id, inbound: { kind } }: Job, label: string) =>
  kind === 'command' || kind === 'action' ? [] : [{ id: ACTION.retryJob, label, value: id }]

/** Tells whoever asked where nothing may be written, alone. */
async function showClosed(services: Services, job: Job, adapter: Adapter): Promise<void> {
  const asked = replyTarget(job.inbound)
  const isAsked = !('message' in job.inbound) || job.inbound.message.addressed
  if (asked === undefined || !isAsked || asked.author.programIds !== undefined) return
  const { conversation, author, id } = asked
  const sender = senderFor(services, job, adapter, asked, author.id)
  try {
    await removeAnswer(sender, ({ state }) => state !== 'closed').catch(() => undefined)
    const link = await adapter.permalink({ conversation, id }).catch(() => undefined)
    const { closed, files } = textsFor(author.language)
    const actions = retryOf(job, files.button.retry)
    await sender.show(FAILURE_SLOT, { kind: 'error', text: closed(link, actions.length > 0), actions })
  } catch (error) {
    services.log.warn({ err: error, job: job.id }, 'Whoever asked in a closed thread could not be told of it')
  }
}

/** A part of an answer must not stay as if it were whole. */
async function removeAnswer(sender: Sender, isMeant: (row: OutboxRow) => boolean): Promise<void> {
  const rows = (await sender.rows()).filter((row) => row.slot.startsWith('answer.') && isMeant(row))
  for (const { slot } of rows) {
    await sender.locate(slot)
    await sender.remove(slot)
  }
}

async function removeFailureNotice(services: Services, job: Job, adapter: Adapter): Promise<void> {
  const asked = replyTarget(job.inbound)
  if (asked === undefined) return
  const sender = senderFor(services, job, adapter, asked)
  try {
    // The response of its send may have been lost.
    await sender.locate(FAILURE_SLOT)
    await sender.remove(FAILURE_SLOT)
  } catch (error) {
    services.log.warn(
      { err: error, job: job.id },
      'The notice that a job failed is out of date and could not be removed',
    )
  }
}

/** Whether only the person who asked sees what is said about the job. */
const isPrivate = (inbound: Inbound): boolean =>
  inbound.kind === 'command' ? inbound.command.shared !== true : inbound.kind === 'action'

function senderFor(
  { store, clock }: Services,
  { id: jobId, inbound }: Job,
  adapter: Adapter,
  { conversation, author, id: replyTo }: Pick<Message, 'conversation' | 'author' | 'id'>,
  privateTo = isPrivate(inbound) ? author.id : undefined,
) {
  const { outbox } = store
  const ticket = 'ticket' in inbound ? inbound.ticket : undefined
  return createSender({ jobId, adapter, conversation, replyTo, outbox, clock, invocation: { ticket, privateTo } })
}
