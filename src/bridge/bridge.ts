import type { Adapter } from './adapter.ts'
import { createChannelMap } from './channel-map.ts'
import { AdapterError } from './errors.ts'
import { isPassing } from './failures.ts'
import { createTurns } from './in-turn.ts'
import { createIndexPass } from './index-pass.ts'
import { doJob, type JobPorts } from './jobs.ts'
import { conversationLane, laneOf, messageKey } from './lanes.ts'
import { channelKey, type ConversationRef, type Inbound } from './message.ts'
import { createModels } from './models.ts'
import type { Clock, Log, Platform } from './ports.ts'
import type { Job, Store } from './store-port.ts'
import { route } from './route.ts'
import { createSender } from './send.ts'
import type { AbortReason } from './stop.ts'
import { textsFor } from './texts.ts'
import { createWorker } from './worker.ts'

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
  readonly store: Store
  readonly log: Log
  /** Default `Date.now`. */
  readonly clock?: Clock
  /** `PLATFORM_MODEL`; without it the first model of the listing. */
  readonly model?: string
  /** Default 100 MB. */
  readonly maxFileBytes?: number
  /** How long an index pass is waited for, and the pace of looking. See `createIndexPass`. */
  readonly indexing?: { readonly deadlineMs?: number; readonly pollMs?: readonly [number, number] }
}

/** A provisional event waits this long for its fuller twin, milliseconds. */
const TWIN_MS = 1500
const RETRY_MS = [1000, 5000, 30_000, 120_000, 600_000]
const DAY_MS = 24 * 3600_000
/** How long what is over is remembered: for the dedupe layer (seven days at least), for edits, deletes and follow-ups. */
const REMEMBER_MS = 90 * DAY_MS

/** The core: events in, answers and receipts out. Knows no chat service and no HTTP. */
export function createBridge(options: BridgeOptions): Bridge {
  const { platform, store, log, clock = Date.now } = options
  const adapters = new Map(options.adapters.map((adapter) => [adapter.name, adapter]))
  const life = new AbortController()
  /** Work under way by job, so that an edit, a delete or a stop can end it. */
  const underWay = new Map<string, { readonly controller: AbortController; readonly job: Job }>()
  const ports: JobPorts = {
    platform,
    store,
    clock,
    channels: createChannelMap(store.channels, platform),
    models: createModels(platform, clock, options.model),
    indexPass: createIndexPass({ platform, clock, log, signal: life.signal, ...options.indexing }),
    maxFileBytes: options.maxFileBytes ?? 100_000_000,
  }
  const inTurn = createTurns()
  const worker = createWorker({ inbox: store.inbox, clock, log, work })

  /** In order within a channel: a follow-up must find the question before it. */
  const receive = (inbound: Inbound): Promise<void> =>
    inTurn(channelKey(conversationOf(inbound)), () => takeIn(inbound))

  async function takeIn(inbound: Inbound): Promise<void> {
    const address = await addressOf(inbound)
    if (address === undefined) return
    const now = clock()
    const provisional = inbound.kind === 'message' && inbound.provisional === true
    const outcome = await store.inbox.accept(inbound, {
      ...address,
      now,
      dueAt: provisional ? now + TWIN_MS : now,
    })
    if (outcome === 'duplicate') return
    if (inbound.kind !== 'message') interrupt(inbound)
    worker.poke()
  }

  /** Where it belongs, or undefined when it is not for us: then nothing of it is kept. */
  async function addressOf(inbound: Inbound): Promise<{ lane: string; message?: string } | undefined> {
    if (inbound.kind === 'message' || inbound.kind === 'edit') {
      const { message } = inbound
      const key = messageKey(message.conversation, message.id)
      const known = inbound.kind === 'edit' ? await store.inbox.ofMessage(key) : undefined
      const lane = known?.lane ?? (await laneOf(message, store))
      const inThread = known !== undefined || (await isUnderWay(lane))
      if (known === undefined && route(message, inThread) === undefined) return undefined
      // Only the message itself owns the key: an edit finds it by it.
      return inbound.kind === 'message' ? { lane, message: key } : { lane }
    }
    if (inbound.kind === 'delete') {
      const known = await store.inbox.ofMessage(messageKey(inbound.conversation, inbound.messageId))
      return known && { lane: known.lane }
    }
    return { lane: `${conversationLane(inbound.conversation)}!${inbound.kind}` }
  }

  /** Something was asked here before, or waits for its answer; a job looks again when its turn comes. */
  async function isUnderWay(lane: string): Promise<boolean> {
    return (await store.transcripts.has(lane)) || (await store.inbox.hasOpen(lane))
  }

  function interrupt(inbound: Exclude<Inbound, { kind: 'message' }>): void {
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
                conversationLane(inbound.conversation) === conversationLane(conversation)
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
    const wait = RETRY_MS[job.attempt - 1]
    if (isPassing(error) && wait !== undefined) {
      log.warn(
        { err: error, job: job.id, attempt: job.attempt },
        'The chat service did not take it; trying again',
      )
      await store.inbox.retry(job.id, clock() + Math.max(wait, error.retryAfterMs ?? 0), message, clock())
      return
    }
    log.error({ err: error, job: job.id, attempt: job.attempt }, 'A message could not be dealt with')
    await store.inbox.bury(job.id, message, clock())
    if (error instanceof AdapterError) return
    await apologise(job, adapter).catch((late: unknown) =>
      log.error({ err: late, job: job.id }, 'Nor could this be said'),
    )
  }

  async function apologise(job: Job, adapter: Adapter): Promise<void> {
    const { inbound } = job
    if (inbound.kind !== 'message' && inbound.kind !== 'edit') return
    const { conversation, id, author } = inbound.message
    const sender = createSender({
      jobId: job.id,
      adapter,
      conversation,
      replyTo: id,
      outbox: store.outbox,
      clock,
    })
    await sender.show('apology', { kind: 'error', text: textsFor(author.language).giveUp })
  }

  async function forget(): Promise<void> {
    const jobs = await store.inbox.prune(clock() - REMEMBER_MS)
    if (jobs > 0) log.info({ jobs }, 'Forgot work that was over long ago')
  }

  /** A service that can't be reached now is tried again beside the others; one that refuses us ends the start. */
  async function connect(adapter: Adapter, attempt = 0): Promise<boolean> {
    try {
      await adapter.start(receive)
      if (attempt > 0) log.info({ adapter: adapter.name }, 'Connected')
      return true
    } catch (error) {
      if (!(error instanceof AdapterError) || error.code !== 'network') throw error
      const wait = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 1000
      log.error({ err: error, adapter: adapter.name, retryInMs: wait }, 'A chat service can not be reached')
      const timer = setTimeout(() => {
        connect(adapter, attempt + 1).catch((late: unknown) =>
          log.error({ err: late, adapter: adapter.name }, 'A chat service refused the connection'),
        )
      }, wait)
      life.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
      return false
    }
  }

  return {
    async start() {
      await forget()
      const daily = setInterval(forget, DAY_MS).unref()
      life.signal.addEventListener('abort', () => clearInterval(daily), { once: true })
      const isConnected = await Promise.all(options.adapters.map((adapter) => connect(adapter)))
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

function conversationOf(inbound: Inbound): ConversationRef {
  return inbound.kind === 'message' || inbound.kind === 'edit'
    ? inbound.message.conversation
    : inbound.conversation
}
