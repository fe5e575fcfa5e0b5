import { findCited } from './answers/reference-cards.ts'
import { createAnswers } from './answers/answer.ts'
import { type BudgetRules, createBudgets } from './channels/budgets.ts'
import { createAuthority, type AccessRequest } from './channels/authorize.ts'
import { createLinks } from './channels/channel-links.ts'
import { createChannelMap } from './channels/channel-map.ts'
import { createModels, type Models } from './channels/models.ts'
import { createPersonAccess } from './channels/person-access.ts'
import { createProgramPace } from './channels/program-pace.ts'
import { createSettings } from './channels/settings.ts'
import type { AbortReason } from './delivery/job-context.ts'
import { whileAlive } from './delivery/while-alive.ts'
import { postDigests } from './features/channels/digest.ts'
import { createRegistry } from './features/registry.ts'
import { createSuggest } from './features/suggest.ts'
import { createChannelFiles } from './files/channel-files.ts'
import { createFiles } from './files/files.ts'
import { withNotes } from './files/saved-messages/save-note.ts'
import { pruneAllOriginals } from './files/versions.ts'
import { connect, followConnections } from './jobs/connect-adapter.ts'
import { createHandler } from './jobs/handle.ts'
import { createRunningJobs } from './jobs/interrupt.ts'
import { createRecall } from './jobs/recall.ts'
import { createReceive } from './jobs/receive.ts'
import { createRefused } from './jobs/refused.ts'
import { createJobRunner, withFairTurns } from './jobs/run-job.ts'
import { createStorageNotices } from './jobs/storage-notices.ts'
import { createWorker } from './jobs/worker.ts'
import { createVoice } from './voice/voice.ts'
import type { Adapter, ConnectionState, Linked } from './port/adapter.ts'
import type { ChannelFiles } from './port/channel-files.ts'
import type { AccessTokens, PersonAccess } from './port/person-access.ts'
import type { Clock, Log, Platform } from './port/platform.ts'
import type { BudgetKind } from './port/records.ts'
import type { Job, Store } from './port/store.ts'
import { openSources } from './references/sources.ts'
import { filesCited } from './references/splitter.ts'
import type { JobServices } from './features/feature.ts'
import { withHints } from './texts/errors.ts'

export interface Bridge {
  /**
   * Resumes the jobs of the last run and connects the adapters. Resolves with the names of those that are connected; an
   * adapter that cannot reach its service now keeps trying in the background.
   *
   * @throws {AdapterError} of the first adapter whose credentials are refused.
   */
  start(): Promise<ReadonlySet<string>>
  /** The files of each channel, for an adapter that shows them itself. */
  readonly files: ChannelFiles
  /** A reference of an answer that everybody in its channel may read; undefined: it does not exist (any more). */
  cited(asked: Parameters<typeof findCited>[1]): ReturnType<typeof findCited>
  /** The language model of each channel, for the same. */
  readonly models: Pick<Models, 'choiceIn' | 'chooseIn'>
  /** Rights of people, for programs that act as them. */
  readonly access: PersonAccess
  /** Chat services, and whether each is connected now; undefined before `start`. */
  connections(): ReadonlyMap<string, ConnectionState> | undefined
  /** Chat services that pass on only what is addressed to Footbridge. */
  onlyAddressed(): readonly string[]
  /** Begins no more jobs and waits at most `graceMs` (10 s) for running ones; those that still run then are ended and left
   * to another process or the next start, as events are that come until the end. */
  stop(graceMs?: number): Promise<void>
  /** True from the call of `stop` on. */
  isDraining(): boolean
}

export interface BridgeOptions {
  readonly adapters: readonly Adapter[]
  readonly platform: Platform
  /** The same platform for background work such as indexing; default: `platform`. */
  readonly background?: Platform
  readonly store: Store
  readonly log: Log
  /** Default `Date.now`. */
  readonly clock?: Clock
  /** `PLATFORM_MODEL`; without it the first model of the listing. */
  readonly model?: string
  /** `ADMINS`: administrators in addition to those of the chat service, as `<adapter>:<person id>`. */
  readonly admins?: ReadonlySet<string>
  /** The platform has a text-to-speech model. Default false. */
  readonly readsOut?: boolean
  /** Query expansion: a refused question is searched for once more in other words. Default false. */
  readonly expandsQueries?: boolean
  /** Whether the platform searches by meaning too, now. Default: no. */
  readonly searchesMeaning?: () => boolean
  /** Tokens for programs of people; absent: nobody can make one. */
  readonly tokens?: AccessTokens
  /** Budgets of people, channels and workspaces; default: unlimited. */
  readonly budgets?: BudgetRules
  /** Default 100 MB. */
  readonly maxFileBytes?: number
  /** Runs each job; default: calls `run`. Must pass on its outcome. */
  readonly around?: (job: Job, run: () => Promise<void>) => Promise<void>
  /** Called when a budget refuses something. */
  readonly onOverBudget?: (kind: BudgetKind) => void
  /** Another process on the same store took this one for dead: it must end. */
  readonly onLost?: (error: Error) => void
  /** Deadline of an index pass and polling interval. See `createIndexPass`. */
  readonly indexing?: {
    readonly deadlineMs?: number
    readonly idleMs?: number
    readonly pollMs?: readonly [number, number]
  }
}

/** Jobs that are ended get this long to notice. */
const SETTLE_MS = 3000
const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS
/** Finished jobs are kept this long: for duplicate events (seven days at least), edits, deletions and follow-ups. */
const REMEMBER_MS = 90 * DAY_MS

/** The core: events in, answers and receipts out. Knows no chat service and no HTTP. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createBridge({ log: plainLog, ...rest }: BridgeOptions): Bridge {
  const options = { ...rest, log: withHints(plainLog) }
  const { store, log, clock = Date.now, around = (_job, run) => run() } = options
  const life = new AbortController()
  const services = createServices(options, clock, life.signal)
  const registry = createRegistry(services)
  const running = createRunningJobs(life.signal)
  const handle = createHandler(services, registry, running)
  const notices = createStorageNotices(services.adapterOf, log)
  const work = createJobRunner({ ...services, handle, running, notices, log, signal: life.signal })
  const worker = createWorker({ inbox: store.inbox, clock, log, work: (job) => around(job, () => work(job)) })
  const connections = followConnections(options.adapters)
  const denies = async (request: AccessRequest): Promise<boolean> => {
    const adapter = services.adapterOf(request.conversation.adapter)
    const denial = adapter && services.authority.denial({ adapter, log }, request).catch(() => 'unknown')
    return (await denial) !== undefined
  }
  const receive = createRefused(
    { store, notices, log },
    createReceive({ ...services, log, registry, running, denies, worker }),
  )
  const suggest = createSuggest(services, log)
  const recall = createRecall(store.inbox)
  const lost = (error: Error) => {
    log.error(
      { err: error },
      'This process stood still or lost the database, and another one took over its jobs: this process ends, start it again',
    )
    life.abort('shutdown' satisfies AbortReason)
    options.onLost?.(error)
  }

  return {
    files: createChannelFiles(services),
    cited: (asked) => findCited(services, asked),
    models: services.models,
    access: createPersonAccess({ ...services, log }),
    connections: connections.now,
    onlyAddressed: () => options.adapters.filter(({ limits }) => limits.onlyAddressed === true).map(({ name }) => name),
    isDraining: () => worker.isStopping(),
    async start() {
      await store.sharing.watch({
        wake: () => worker.poke(),
        ends: (event, order) => running.interrupt(event, order),
        endsJob: (jobId, reason) => running.interruptJob(jobId, reason),
        channelChanged: (conversation) => services.authority.forget(conversation),
        sourceChanged: (...file) => void services.sources.drop(...file).catch(() => undefined),
        lost,
      })
      await repeat(() => forgetOld(store, log, clock()), DAY_MS, { store, log, signal: life.signal })
      const isConnected = await Promise.all(
        options.adapters.map((adapter) =>
          connect({ receive, suggest, recall, log, signal: life.signal, connections }, adapter),
        ),
      )
      // Jobs start once the adapters can show answers; until then events are only stored.
      await worker.start()
      connections.begin()
      void repeat(() => postDigests(services, log, life.signal), HOUR_MS, { store, log, signal: life.signal })
      return new Set(options.adapters.filter((_, index) => isConnected[index]).map(({ name }) => name))
    },
    async stop(graceMs = 10_000) {
      store.room.leave()
      await store.inbox.leave(clock()).catch(() => undefined)
      const left = await worker.stop(graceMs)
      if (left > 0) log.info({ jobs: left }, 'Unfinished jobs were left for the next start')
      life.abort('shutdown' satisfies AbortReason)
      // A released job may run in another process at once: this process may not write at the same time.
      if (left > 0) await worker.stop(Math.min(SETTLE_MS, graceMs))
      // A job that is not released here is taken over by another process, or by the next start.
      await store.inbox
        .release(clock())
        .catch((error: unknown) =>
          log.warn(
            { err: error },
            'Unfinished jobs could not be handed over; the next start, or another process, goes on with them',
          ),
        )
      await Promise.allSettled(options.adapters.map((adapter) => adapter.stop()))
    },
  }
}

async function forgetOld(store: Store, log: Log, now: number): Promise<void> {
  const jobs = await store.inbox.prune(now - REMEMBER_MS)
  if (jobs > 0) log.info({ jobs }, 'Old jobs were deleted')
  await pruneAllOriginals(store, now).catch((error: unknown) =>
    log.warn({ err: error }, 'Old file versions could not be deleted; the next start tries again'),
  )
}

/** Does it now and each `ms` until the end, in one of the processes that share the store. Never rejects. */
async function repeat(
  work: () => Promise<void>,
  ms: number,
  { store, log, signal }: { readonly store: Store; readonly log: Log; readonly signal: AbortSignal },
): Promise<void> {
  const run = async () => {
    if (await store.sharing.leads()) await work()
  }
  let running: Promise<void> | undefined
  const again = () =>
    (running ??= run()
      .catch((error: unknown) =>
        log.warn(
          { err: error },
          'Regular work (old data, weekly summaries) failed; it is tried again. Check disk and database',
        ),
      )
      .finally(() => {
        running = undefined
      }))
  const timer = setInterval(() => void again(), ms).unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  await again()
}

async function messageAt(adapters: readonly Adapter[], url: string): Promise<Linked | undefined> {
  const found = await Promise.all(adapters.map(async (adapter) => adapter.messageAt?.(url)))
  return found.find((ref) => ref !== undefined)
}

function createServices(options: BridgeOptions, clock: Clock, signal: AbortSignal): JobServices {
  const { store, log, admins = new Set<string>(), maxFileBytes = 100_000_000 } = options
  const { sources, platform, background } = openSources(withFairTurns(options), clock, signal)
  const toShown = (adapter: Adapter) => whileAlive(withNotes(adapter, store.buttonPayloads), store)
  const adapters = new Map(options.adapters.map((adapter) => [adapter.name, toShown(adapter)]))
  const adapterOf = (name: string) => adapters.get(name)
  const settings = createSettings(store.preferences, store.sharing.mutex('settings'))
  const authority = createAuthority({ admins, settings, preferences: store.preferences })
  const links = createLinks(store.preferences, adapterOf, authority, log)
  const channels = createChannelMap(store.channels, platform, links, store.sharing.mutex('channel'))
  const spending = store.sharing.mutex('budget')
  const budgets = createBudgets(store.usage, options.budgets ?? {}, clock, options.onOverBudget, spending)
  const models = createModels({ platform, clock, preferences: store.preferences, configured: options.model })
  const files = createFiles({
    ...options.indexing,
    store,
    platform: background,
    questionPlatform: platform,
    channels,
    models,
    budgets,
    adapterOf,
    clock,
    maxFileBytes,
    textOf: async ({ collection, fileName }) => (await sources.read(collection, fileName))?.spaced(),
    filesCited,
    log,
    signal: signal,
  })
  const parts = {
    platform,
    sources,
    store,
    clock,
    channels,
    files,
    lostCollections: files.lostCollections,
    links,
    authority,
    settings,
    budgets,
    programPace: createProgramPace({ store, budgets, clock }),
    background,
    models,
    maxFileBytes,
    adapterOf,
    tokens: options.tokens,
    expandsQueries: options.expandsQueries ?? false,
    searchesMeaning: options.searchesMeaning ?? (() => false),
  }
  return {
    ...parts,
    answers: createAnswers(parts),
    voice: createVoice(parts),
    admins,
    messageAt: (url) => messageAt(options.adapters, url),
    readsOut: options.readsOut ?? false,
  }
}
