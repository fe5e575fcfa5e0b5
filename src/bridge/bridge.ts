import { createTurns } from '../lib/keyed-mutex.ts'
import { type BudgetRules, createBudgets } from './channels/budgets.ts'
import { createLinks } from './channels/channel-links.ts'
import { createChannelMap } from './channels/channel-map.ts'
import { createModels } from './channels/models.ts'
import type { AbortReason } from './delivery/abort-reason.ts'
import type { JobPorts } from './delivery/job-context.ts'
import { buttonOf } from './features/buttons.ts'
import { forgetTyped } from './features/erase-message.ts'
import { awaitedHere } from './features/escalation/state.ts'
import { createIndexPass } from './files/collection/index-pass.ts'
import { createCollectionWatch, createLosses } from './files/collection/missing-collection.ts'
import { createReceipts } from './files/receipt/receipts.ts'
import { queueOfFiles } from './files/removal/on-files-deleted.ts'
import { withOwnFiles } from './files/saved-messages/save-note.ts'
import { queueOfDeletion } from './files/saved-messages/saved-origin.ts'
import { sweepAll } from './files/versions.ts'
import { connect } from './jobs/connect-adapter.ts'
import { apologise } from './jobs/failure-notice.ts'
import { followerIn } from './jobs/follower.ts'
import { doJob } from './jobs/handlers.ts'
import { conversationQueue, conversationOf, eventQueue, queueOf, messageKey } from './jobs/queue-key.ts'
import { waitBefore } from './jobs/retry-policy.ts'
import { route } from './jobs/route.ts'
import { createWorker } from './jobs/worker.ts'
import type { Adapter } from './port/adapter.ts'
import { AdapterError } from './port/errors.ts'
import { channelKey, type ConversationRef, type Inbound } from './port/message.ts'
import type { Clock, Log, Platform } from './port/platform.ts'
import type { Job, Store } from './port/store.ts'
import { openSources } from './references/sources.ts'

export interface Bridge {
  /**
   * Takes up what the last run left, connects the adapters and resolves with the names of those that are connected; one
   * that can not be reached now is tried again beside them.
   *
   * @throws {AdapterError} of the first adapter that refuses its credentials.
   */
  start(): Promise<ReadonlySet<string>>
  /** Takes nothing new and lets answers under way end, for at most `graceMs` (10 s); the rest is taken up at the next start. */
  stop(graceMs?: number): Promise<void>
}

export interface BridgeOptions {
  readonly adapters: readonly Adapter[]
  readonly platform: Platform
  /** The same platform for indexing and the like; default: `platform`. */
  readonly background?: Platform
  readonly store: Store
  readonly log: Log
  /** Default `Date.now`. */
  readonly clock?: Clock
  /** `PLATFORM_MODEL`; without it the first model of the listing. */
  readonly model?: string
  /** `ADMINS`: people who administer beside those whom the chat service lets, as `<adapter>:<person id>`. */
  readonly admins?: ReadonlySet<string>
  /** The platform has a model that reads answers out. Default false. */
  readonly readsOut?: boolean
  /** Look once more, in other words, for what the files do not answer. Default false. */
  readonly secondLook?: boolean
  /** How much people, channels and workspaces may use; default: as much as they like. */
  readonly budgets?: BudgetRules
  /** Default 100 MB. */
  readonly maxFileBytes?: number
  /** How long an index pass is waited for, and the pace of looking. See `createIndexPass`. */
  readonly indexing?: {
    readonly deadlineMs?: number
    readonly idleMs?: number
    readonly pollMs?: readonly [number, number]
  }
}

/** A provisional event waits this long for its fuller twin, milliseconds. */
const TWIN_MS = 1500
const DAY_MS = 24 * 3600_000
/** How long what is over is remembered: for the dedupe layer (seven days at least), for edits, deletes and follow-ups. */
const REMEMBER_MS = 90 * DAY_MS

/** The core: events in, answers and receipts out. Knows no chat service and no HTTP. */
export function createBridge(options: BridgeOptions): Bridge {
  const { store, log, clock = Date.now } = options
  const life = new AbortController()
  const { sources, platform, background } = openSources(options, clock, life.signal)
  const adapters = new Map(
    options.adapters.map((adapter) => [adapter.name, withOwnFiles(adapter, store.buttonPayloads)]),
  )
  /** Work under way by job, so that an edit, a delete or a stop can end it. */
  const underWay = new Map<string, { readonly controller: AbortController; readonly job: Job }>()
  const adapterOf = (name: string) => adapters.get(name)
  const links = createLinks(store.preferences, adapterOf, log)
  const channels = createChannelMap(store.channels, platform, links)
  const watch = createCollectionWatch({ platform, channels: store.channels, map: channels, clock, log })
  const ports: JobPorts = {
    platform,
    sources,
    store,
    clock,
    channels,
    receipts: createReceipts({ store, adapterOf, clock, log, signal: life.signal }),
    watch,
    losses: createLosses({ watch, store, clock }),
    fileTurns: createTurns(),
    links,
    budgets: createBudgets(store.usage, options.budgets ?? {}, clock),
    background,
    models: createModels({ platform, clock, preferences: store.preferences, configured: options.model }),
    indexPass: createIndexPass({
      platform: background,
      clock,
      log,
      signal: life.signal,
      ...options.indexing,
    }),
    maxFileBytes: options.maxFileBytes ?? 100_000_000,
    adapterOf,
    admins: options.admins ?? new Set(),
    readsOut: options.readsOut ?? false,
    secondLook: options.secondLook ?? false,
  }
  const inTurn = createTurns()
  const worker = createWorker({ inbox: store.inbox, clock, log, work })

  /**
   * In order within a channel: a follow-up must find the question before it. The disk is waited for beside the events that
   * follow, and beside the work: what that shows has rows of its own, which are on the disk only with this one.
   */
  const receive = async (inbound: Inbound): Promise<void> => {
    const taken = await inTurn(channelKey(conversationOf(inbound)), () => takeIn(inbound))
    await taken?.stored
  }

  async function takeIn(inbound: Inbound): Promise<{ readonly stored: Promise<void> } | undefined> {
    const address = await addressOf(inbound)
    if (address === undefined) return undefined
    const now = clock()
    const provisional = inbound.kind === 'message' && inbound.provisional === true
    const { outcome, stored } = await store.inbox.accept(inbound, {
      ...address,
      now,
      dueAt: provisional ? now + TWIN_MS : now,
    })
    if (outcome === 'duplicate') return { stored }
    if (inbound.kind === 'action') await interruptBehind(inbound)
    else if (inbound.kind !== 'message') interrupt(inbound)
    worker.poke()
    return { stored }
  }

  /** Where it belongs, or undefined when it is not for us: then nothing of it is kept. */
  async function addressOf(inbound: Inbound): Promise<{ queue: string; message?: string } | undefined> {
    if (inbound.kind === 'message' || inbound.kind === 'edit') {
      const { message } = inbound
      const key = messageKey(message.conversation, message.id)
      const known = inbound.kind === 'edit' ? await store.inbox.ofMessage(key) : undefined
      const queue = known?.queue ?? (await queueOf(message, store))
      const isForUs =
        known !== undefined || route(message, await followerIn(store, queue, message.author.id)) !== undefined
      // Also what mentions somebody else may be the reply that people were asked for.
      if (isForUs || (await awaitedHere(store, queue, message)) !== undefined)
        // The first of them is the message itself, where that was for us: an edit or a deletion finds it by it.
        return { queue, message: key }
      // A press may be asking people just now with the very message that this replies to: behind it, that is known.
      const pressed = eventQueue(message.conversation, 'action')
      const mayReply = message.replyTo !== undefined && (await store.inbox.hasOpen(pressed))
      return mayReply ? { queue: pressed, message: key } : undefined
    }
    if (inbound.kind === 'delete') {
      const queue = await queueOfDeletion(store, inbound)
      return queue === undefined ? undefined : { queue }
    }
    if (inbound.kind === 'files-left' || inbound.kind === 'file-gone') {
      const queue = await queueOfFiles(store, inbound)
      return queue === undefined ? undefined : { queue }
    }
    if (inbound.kind === 'action' && buttonOf(inbound.action.id)?.rewrites === true) {
      const known = await jobBehind(inbound)
      if (known !== undefined) return { queue: known.queue }
    }
    if (inbound.kind === 'action' && buttonOf(inbound.action.id)?.beside === true) {
      const { conversation, messageId, action } = inbound
      return { queue: `${messageKey(conversation, messageId)}!${action.value}` }
    }
    return { queue: eventQueue(inbound.conversation, inbound.kind) }
  }

  /** The job that showed the message under which a button was pressed. */
  async function jobBehind(inbound: Extract<Inbound, { kind: 'action' }>) {
    const row = await store.outbox.byMessage(inbound.conversation, inbound.messageId)
    return row && store.inbox.job(row.jobId)
  }

  /** What a button changes is not shown any further by the work behind it. */
  async function interruptBehind(inbound: Extract<Inbound, { kind: 'action' }>): Promise<void> {
    if (buttonOf(inbound.action.id)?.rewrites !== true) return
    const known = await jobBehind(inbound)
    if (known !== undefined) underWay.get(known.id)?.controller.abort('changed' satisfies AbortReason)
  }

  function interrupt(inbound: Exclude<Inbound, { kind: 'message' | 'action' }>): void {
    for (const { controller, job } of underWay.values()) {
      if (job.inbound.kind !== 'message' && job.inbound.kind !== 'edit') continue
      const { conversation, id } = job.inbound.message
      const isSame = (other: ConversationRef, otherId: string) =>
        messageKey(conversation, id) === messageKey(other, otherId)
      const reason: AbortReason | undefined =
        inbound.kind === 'edit' && isSame(inbound.message.conversation, inbound.message.id)
          ? 'changed'
          : inbound.kind === 'delete' && isSame(inbound.conversation, inbound.messageId)
            ? 'changed'
            : inbound.kind === 'stop' &&
                conversationQueue(inbound.conversation) === conversationQueue(conversation)
              ? 'stopped'
              : undefined
      if (reason !== undefined) controller.abort(reason)
    }
  }

  async function work(job: Job): Promise<void> {
    const conversation = conversationOf(job.inbound)
    const adapter = adapters.get(conversation.adapter)
    if (adapter === undefined) {
      await store.inbox.bury(
        job.id,
        `The adapter ${conversation.adapter} is not connected any more.`,
        clock(),
      )
      return
    }
    const controller = new AbortController()
    const signal = AbortSignal.any([controller.signal, life.signal])
    underWay.set(job.id, { controller, job })
    try {
      await doJob(ports, { job, adapter, log, signal })
      await store.inbox.complete(job.id, clock())
      await forgetTyped(store, job)
    } catch (error) {
      // At shutdown the job stays as it is and is taken up at the next start.
      if (life.signal.aborted) return
      if (controller.signal.aborted) await store.inbox.complete(job.id, clock())
      else await putBack(job, adapter, error)
    } finally {
      underWay.delete(job.id)
    }
  }

  /** What could not be shown now is shown later; what can't be done at all is said once, and stays in the store as dead. */
  async function putBack(job: Job, adapter: Adapter, error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error)
    const wait = waitBefore(job, error)
    if (wait !== undefined) {
      log.warn({ err: error, job: job.id, attempt: job.attempt }, 'It could not be done now; trying again')
      await store.inbox.retry(job.id, clock() + wait, message, clock())
      return
    }
    log.error({ err: error, job: job.id, attempt: job.attempt }, 'A message could not be dealt with')
    await store.inbox.bury(job.id, message, clock())
    if (error instanceof AdapterError) return
    await apologise({ store, clock }, job, adapter).catch((late: unknown) =>
      log.error({ err: late, job: job.id }, 'Nor could this be said'),
    )
  }

  async function forget(): Promise<void> {
    const jobs = await store.inbox.prune(clock() - REMEMBER_MS)
    if (jobs > 0) log.info({ jobs }, 'Forgot work that was over long ago')
    await sweepAll(store, clock()).catch((error: unknown) =>
      log.warn({ err: error }, 'What is kept of old versions could not be cleared away'),
    )
  }

  return {
    async start() {
      await forget()
      const daily = setInterval(forget, DAY_MS).unref()
      life.signal.addEventListener('abort', () => clearInterval(daily), { once: true })
      const isConnected = await Promise.all(
        options.adapters.map((adapter) => connect({ receive, log, signal: life.signal }, adapter)),
      )
      // Work begins when answers can be shown; until then events are only stored.
      await worker.start()
      return new Set(options.adapters.filter((_, index) => isConnected[index]).map(({ name }) => name))
    },
    async stop(graceMs = 10_000) {
      const left = await worker.stop(graceMs)
      if (left > 0) log.info({ jobs: left }, 'Left for the next start')
      life.abort('shutdown' satisfies AbortReason)
      await Promise.allSettled(options.adapters.map((adapter) => adapter.stop()))
    },
  }
}
