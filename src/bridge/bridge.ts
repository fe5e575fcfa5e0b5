import { createAnswers } from './answers/answer.ts'
import { type BudgetRules, createBudgets } from './channels/budgets.ts'
import { createAuthority, type Wish } from './channels/authorize.ts'
import { createLinks } from './channels/channel-links.ts'
import { createChannelMap } from './channels/channel-map.ts'
import { createModels } from './channels/models.ts'
import { createSettings } from './channels/settings.ts'
import type { AbortReason } from './delivery/job-context.ts'
import { postDigests } from './features/channels/digest.ts'
import { createRegistry } from './features/registry.ts'
import { createSuggest } from './features/suggest.ts'
import { createChannelFiles } from './files/channel-files.ts'
import { createFiles } from './files/files.ts'
import { withNotes } from './files/saved-messages/save-note.ts'
import { pruneAllOriginals } from './files/versions.ts'
import { connect } from './jobs/connect-adapter.ts'
import { createHandler } from './jobs/handlers.ts'
import { createRunningJobs } from './jobs/interrupt.ts'
import { createRecall } from './jobs/recall.ts'
import { createReceive } from './jobs/receive.ts'
import { createJobRunner } from './jobs/run-job.ts'
import { createWorker } from './jobs/worker.ts'
import { createVoice } from './voice/voice.ts'
import type { Adapter } from './port/adapter.ts'
import type { ChannelFiles } from './port/channel-files.ts'
import type { Clock, Log, Platform } from './port/platform.ts'
import type { Store } from './port/store.ts'
import { openSources } from './references/sources.ts'
import { filesCited } from './references/splitter.ts'
import type { JobServices } from './features/feature.ts'

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
  /** Accepts no new events and waits at most `graceMs` (10 s) for running answers; the next start resumes the rest. */
  stop(graceMs?: number): Promise<void>
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
  /** The platform searches by meaning too. Default false. */
  readonly searchesMeaning?: boolean
  /** Budgets of people, channels and workspaces; default: unlimited. */
  readonly budgets?: BudgetRules
  /** Default 100 MB. */
  readonly maxFileBytes?: number
  /** Deadline of an index pass and polling interval. See `createIndexPass`. */
  readonly indexing?: {
    readonly deadlineMs?: number
    readonly idleMs?: number
    readonly pollMs?: readonly [number, number]
  }
}

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS
/** Finished jobs are kept this long: for duplicate events (seven days at least), edits, deletions and follow-ups. */
const REMEMBER_MS = 90 * DAY_MS

/** The core: events in, answers and receipts out. Knows no chat service and no HTTP. */
export function createBridge(options: BridgeOptions): Bridge {
  const { store, log, clock = Date.now } = options
  const life = new AbortController()
  const services = createServices(options, clock, life.signal)
  const registry = createRegistry(services)
  const running = createRunningJobs()
  const handle = createHandler(services, registry)
  const work = createJobRunner({ ...services, handle, running, log, signal: life.signal })
  const worker = createWorker({ inbox: store.inbox, clock, log, work })
  const denies = async (wish: Wish): Promise<boolean> => {
    const adapter = services.adapterOf(wish.conversation.adapter)
    const denial = adapter && services.authority.denial({ adapter, log }, wish).catch(() => 'unknown')
    return (await denial) !== undefined
  }
  const receive = createReceive({
    store,
    registry,
    settings: services.settings,
    running,
    denies,
    clock,
    wake: () => worker.poke(),
  })

  const suggest = createSuggest(services, log)
  const recall = createRecall(store.inbox)

  async function forgetOld(): Promise<void> {
    const jobs = await store.inbox.prune(clock() - REMEMBER_MS)
    if (jobs > 0) log.info({ jobs }, 'Old jobs were deleted')
    await pruneAllOriginals(store, clock()).catch((error: unknown) =>
      log.warn({ err: error }, 'Old file versions could not be deleted; the next start tries again'),
    )
  }

  return {
    files: createChannelFiles({
      ...services,
      async marksOf({ collection, fileName }) {
        const source = await services.sources.read(collection, fileName).catch(() => undefined)
        return source && { pages: source.pages.length, titles: source.headings.map(({ value }) => value) }
      },
    }),
    async start() {
      await forgetOld()
      repeat(forgetOld, DAY_MS, life.signal)
      const isConnected = await Promise.all(
        options.adapters.map((adapter) => connect({ receive, suggest, recall, log, signal: life.signal }, adapter)),
      )
      // Jobs start once the adapters can show answers; until then events are only stored.
      await worker.start()
      repeat(() => postDigests(services, log), HOUR_MS, life.signal)
      await postDigests(services, log)
      return new Set(options.adapters.filter((_, index) => isConnected[index]).map(({ name }) => name))
    },
    async stop(graceMs = 10_000) {
      const left = await worker.stop(graceMs)
      if (left > 0) log.info({ jobs: left }, 'Unfinished jobs were left for the next start')
      life.abort('shutdown' satisfies AbortReason)
      await store.inbox.release(clock())
      await Promise.allSettled(options.adapters.map((adapter) => adapter.stop()))
    },
  }
}

/** Runs it each `ms` until the end. */
function repeat(run: () => Promise<void>, ms: number, signal: AbortSignal): void {
  const timer = setInterval(() => void run(), ms).unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}

function createServices(options: BridgeOptions, clock: Clock, signal: AbortSignal): JobServices {
  const { store, log } = options
  const { sources, platform, background } = openSources(options, clock, signal)
  const adapters = new Map(options.adapters.map((adapter) => [adapter.name, withNotes(adapter, store.buttonPayloads)]))
  const adapterOf = (name: string) => adapters.get(name)
  const admins = options.admins ?? new Set<string>()
  const settings = createSettings(store.preferences)
  const authority = createAuthority({ admins, settings, preferences: store.preferences })
  const links = createLinks(store.preferences, adapterOf, authority, log)
  const channels = createChannelMap(store.channels, platform, links)
  const budgets = createBudgets(store.usage, options.budgets ?? {}, clock)
  const models = createModels({ platform, clock, preferences: store.preferences, configured: options.model })
  const maxFileBytes = options.maxFileBytes ?? 100_000_000
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
    background,
    models,
    maxFileBytes,
    adapterOf,
    expandsQueries: options.expandsQueries ?? false,
    searchesMeaning: options.searchesMeaning ?? false,
  }
  return {
    ...parts,
    answers: createAnswers(parts),
    voice: createVoice(parts),
    admins,
    readsOut: options.readsOut ?? false,
  }
}
