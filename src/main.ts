import { flushCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { type Bridge, createBridge } from './bridge/bridge.ts'
import { listenWithFront } from './front/front.ts'
import { readConfig, type Config } from './config.ts'
import type { Adapter } from './bridge/port/adapter.ts'
import type { Platform } from './bridge/port/platform.ts'
import type { Sharing } from './bridge/port/store.ts'
import { createPrograms, modelNotListed, openEmbeddedPlatform, type EmbeddedPlatform } from './embedded.ts'
import { createLog, type Logger } from './start/log.ts'
import { logDestination } from './start/log-lines.ts'
import { createPlatformClient, createSharedByKey, type PlatformClient } from './platform/client/client.ts'
import { createAdapters } from './adapters.ts'
import { isMcpPath } from './mcp/handler.ts'
import { type OlderDatabaseParts, tellOlderDatabase } from './operate/older-database.ts'
import { answerFigures, createOperations, type Operations } from './operate/operations.ts'
import { openTracing, type Tracing } from './operate/tracing.ts'
import { openSharedStore, openStore } from './store/store.ts'
import { readyLines } from './start/ready-lines.ts'
import { keepFilesPrivate, onSignals, say, sayWhy, VERSION, warn } from './start/terminal.ts'

/** Slack's events over HTTP, the pages on which a workspace installs Footbridge, and pages of cited PDFs. */
const SLACK_PATHS = /^\/slack\/(events|install|install\/start|oauth_redirect|pages\/[\w.-]+)$/
/** Paths that belong to the platform; everything else is the web page. */
const PLATFORM_PATHS = /^\/(v1|collections|arcanas|user|openapi\.json|docs|metrics)(\/|$)/

export interface Running {
  /** Where the web page and the embedded platform answer. */
  readonly url: string
  /** Three lines for the terminal: the running parts and their addresses. */
  readonly lines: readonly string[]
  stop(): Promise<void>
}

/**
 * Composes everything from the settings and starts it.
 *
 * @throws {Error} a sentence, when a setting, a port or a token can't be used; nothing is left running then.
 */
export async function run(
  config: Config,
  log: Logger,
  onFatal: (error: Error) => void,
  tracing?: Tracing,
): Promise<Running> {
  const closing: (() => Promise<void> | void)[] = []
  const stop = () => closeAll(closing.splice(0).toReversed())
  try {
    const store = await openBridgeStore(config, log)
    closing.push(() => store.close())
    // Page and operators ask when a request comes, and are there before the bridge.
    let bridge: Bridge | undefined
    let client: PlatformClient | undefined
    const operations = createOperations({
      version: VERSION,
      store,
      bridge: () => bridge,
      warnings: () => [slack?.warning()].flatMap((sentence) => sentence ?? []),
      heartbeat: async (signal) => client?.heartbeat({ signal }),
      tracing,
    })
    const { watch, print } = operations
    const people = createPrograms(config, store, () => bridge?.access)
    const { tokens, oauth } = people
    const more = { moreFigures: print, trace: tracing, people }
    const embedded = await openOwnPlatform({ ...config, ...store.place }, log, more)
    if (embedded) closing.push(() => embedded.close())
    const { web, slack, all } = await createAdapters(config, store, log, onFatal, {
      bridge: () => bridge,
      ...shownOnPage(config, embedded),
      ...(embedded && { tokens, signIn: oauth?.signIn }),
      onRateWait: watch.waited,
    })
    const server = await listen(config, log, { web, slack, embedded, operations, key: config.PLATFORM_API_KEY })
    closing.push(() => server.close())
    const clients = createClients(config, server.innerPort, embedded, { watch, tracing, sharing: store.sharing })
    client = clients.client
    closing.push(clients.close)
    await refuseUnlistedModel(config, client)
    bridge = createBridge({
      ...bridgeSettings(config, embedded),
      adapters: all.map(watch.adapter),
      platform: watch.platform(client),
      background: watch.platform(clients.background),
      tokens: embedded && tokens,
      store: { ...store, inbox: watch.inbox(store.inbox) },
      log: log.child({ part: 'bridge' }),
      around: watch.job,
      onOverBudget: watch.overBudget,
      onLost: onFatal,
    })
    closing.push(() => bridge?.stop(config.DRAIN_SECONDS * 1000))
    const services = servicesOf(all, await bridge.start())
    lookForOlderDatabase(config, { store, client: clients.background, log: log.child({ part: 'store' }) })
    return { url: server.url, lines: describe(config, server.url, services, embedded), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function closeAll(closing: readonly (() => Promise<void> | void)[]): Promise<void> {
  for (const close of closing) await close()
}

/** Undefined: the platform is a hosted one. */
async function openOwnPlatform(config: Config, log: Logger, more: Parameters<typeof openEmbeddedPlatform>[3]) {
  return config.PLATFORM_BASE_URL === undefined ? openEmbeddedPlatform(config, log, 'bridge', more) : undefined
}

const servicesOf = (all: readonly Adapter[], connected: ReadonlySet<string>) =>
  new Map(all.map(({ name }) => [name, connected.has(name)]))

/** One database has both, or the restore of a hosted platform is unknown. */
function lookForOlderDatabase({ PLATFORM_BASE_URL, DATABASE_URL }: Config, parts: OlderDatabaseParts): void {
  if (PLATFORM_BASE_URL !== undefined || DATABASE_URL !== undefined) return
  void tellOlderDatabase(parts).catch((error: unknown) =>
    parts.log.debug({ err: error }, 'Whether the database is older than the platform was not found out'),
  )
}

function openBridgeStore({ DATA_DIR: folder, DATABASE_URL: database }: Config, log: Logger) {
  return database === undefined ? openStore(folder) : openSharedStore(database, folder, log.child({ part: 'store' }))
}

/** Everything that answers requests. */
interface Doors {
  readonly web: { fetch(request: Request, address?: string): Promise<Response> }
  readonly slack?: { fetch(request: Request, address?: string): Promise<Response> }
  readonly embedded?: EmbeddedPlatform
  readonly operations: Operations
  /** Key of a hosted platform. */
  readonly key?: string
}

function listen(config: Config, log: Logger, doors: Doors) {
  return listenWithFront({
    host: config.HOST,
    port: config.PORT,
    version: VERSION,
    log: log.child({ part: 'front' }),
    fetch: (request, address) => answer(request, address, doors),
  })
}

async function answer(request: Request, address: string | undefined, doors: Doors): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname === '/health') return Response.json({ status: 'ok', version: VERSION })
  const { web, slack, embedded, operations, key = '' } = doors
  if (pathname === '/readyz') return operations.ready()
  if (embedded === undefined && pathname === '/metrics') return answerFigures(request, key, operations.print)
  if (slack !== undefined && SLACK_PATHS.test(pathname)) return slack.fetch(request, address)
  if (embedded !== undefined && PLATFORM_PATHS.test(pathname)) return embedded.fetch(request)
  if (embedded !== undefined && isMcpPath(pathname)) return embedded.mcp.fetch(request)
  return web.fetch(request, address)
}

function createClients(
  config: Config,
  port: number,
  embedded: EmbeddedPlatform | undefined,
  { watch, tracing, sharing }: Pick<Operations, 'watch'> & { readonly tracing?: Tracing; readonly sharing: Sharing },
) {
  const options = clientOptions(config, port, embedded)
  const settings = {
    ...options,
    shared: createSharedByKey({ ...options, processes: () => sharing.processes() }),
    onRateWait: ({ waitMs }: { readonly waitMs: number }) => watch.waited('platform', waitMs),
    traceparent: tracing?.traceparent,
  }
  const client = createPlatformClient(settings)
  // Background work leaves the last tenth of each quota to questions. A quota of a minute is waited for.
  const background = createPlatformClient({ ...settings, reserve: 0.1, maxRateWaitMs: 65_000 })
  const close = async () => void (await Promise.all([client.close(), background.close()]))
  return { client, background, close }
}

/** A platform that cannot be reached now may list the model later. */
async function refuseUnlistedModel(config: Config, client: Pick<Platform, 'models'>): Promise<void> {
  const { PLATFORM_MODEL: model, PLATFORM_BASE_URL: url = 'the embedded platform' } = config
  if (model === undefined) return
  const models = await client.models.list({ signal: AbortSignal.timeout(10_000) }).catch(() => [])
  if (models.length === 0 || models.some(({ id }) => id === model)) return
  throw new Error(
    modelNotListed(
      `PLATFORM_MODEL=${model}`,
      url,
      models.map(({ id }) => id),
    ),
  )
}

function bridgeSettings(config: Config, embedded: EmbeddedPlatform | undefined) {
  const searchesMeaning = () => {
    const search = embedded?.engine.search()
    return search === undefined || (search.by === 'meaning' && search.state === 'ready')
  }
  return {
    maxFileBytes: config.MAX_FILE_MB * 1_000_000,
    admins: new Set(config.ADMINS),
    readsOut: config.SPEECH_MODEL !== undefined,
    expandsQueries: config.SECOND_LOOK === 'on',
    searchesMeaning,
    budgets: { person: config.BUDGET_PERSON, channel: config.BUDGET_CHANNEL, workspace: config.BUDGET_WORKSPACE },
    model: config.PLATFORM_MODEL,
  }
}

function clientOptions(config: Config, port: number, embedded: EmbeddedPlatform | undefined) {
  return {
    baseUrl: config.PLATFORM_BASE_URL ?? `http://127.0.0.1:${port}/v1`,
    apiKey: embedded?.engine.firstKey.key ?? config.PLATFORM_API_KEY ?? '',
    local: embedded && ((request: Request) => embedded.fetch(request)),
    // The embedded platform has a fixed profile; a leftover setting is ignored.
    profile: embedded === undefined ? config.PLATFORM_PROFILE : ('collection' as const),
    speechVoice: config.SPEECH_VOICE,
    speechModel: config.SPEECH_MODEL,
    chatCredential: config.PLATFORM_CHAT_CREDENTIAL,
  }
}

/** Says what runs, who answers and what to do next. */
function describe(
  config: Config,
  url: string,
  /** Connection state by service. */
  services: ReadonlyMap<string, boolean>,
  embedded: EmbeddedPlatform | undefined,
): readonly string[] {
  return readyLines({
    version: VERSION,
    url,
    isOpen: config.loopback,
    services: { Slack: services.get('slack'), Discord: services.get('discord') },
    answers: whoAnswers(config, embedded),
    search: embedded?.about.search,
    hasModel: hasModel(config, embedded),
    data: whereDataIs(config),
    key: embedded?.about.key,
  })
}

const hasModel = (config: Config, embedded: EmbeddedPlatform | undefined): boolean =>
  embedded === undefined || config.UPSTREAM_BASE_URL !== undefined

const whoAnswers = (config: Config, embedded: EmbeddedPlatform | undefined): string =>
  embedded?.about.answers ??
  `${config.PLATFORM_MODEL ?? 'the first model'} of ${config.PLATFORM_BASE_URL} (profile ${config.PLATFORM_PROFILE})`

/** Facts for the settings of the page, asked for with each request. */
const shownOnPage = (config: Config, embedded: EmbeddedPlatform | undefined) => ({
  about: () => ({
    version: VERSION,
    // The page has a sentence of its own for quotes, in the language of its reader.
    answers: hasModel(config, embedded) ? whoAnswers(config, embedded) : undefined,
    data: whereDataIs(config),
  }),
  ...embedded?.forPage,
})

const whereDataIs = ({ DATABASE_URL, DATA_DIR }: Config): string =>
  DATABASE_URL === undefined ? resolve(DATA_DIR) : 'PostgreSQL (DATABASE_URL)'

/** Starts with the settings of the environment, and runs until a signal ends it. */
export async function start(config = readConfig()): Promise<void> {
  keepFilesPrivate()
  for (const doubt of config.doubts) warn(doubt)
  const tracing = openTracing(config, { version: VERSION, warn: (message) => log.warn({ part: 'traces' }, message) })
  const log = createLog(config.LOG_LEVEL, logDestination(config.LOG_FORMAT), tracing?.logFields)
  // A rejection that a library drops must not end the process for everybody.
  process.on('unhandledRejection', (error) =>
    log.error(
      { err: error },
      'Unhandled rejection: a promise failed and no code handled it. Footbridge goes on; this is a bug to report',
    ),
  )
  const running = await run(
    config,
    log,
    (error) => {
      sayWhy(error)
      process.kill(process.pid, 'SIGTERM')
    },
    tracing,
  )
  // Done before the ready line: a supervisor may stop the process right after it.
  onSignals(async () => {
    await running.stop()
    await tracing?.close()
  })
  // Saved early, so that a killed process also starts fast the next time.
  flushCompileCache()
  say(running.lines.join('\n'))
}

if (import.meta.main) await start().catch(sayWhy)
