import { flushCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { type Bridge, createBridge } from './bridge/bridge.ts'
import { listenBehindFront } from './front/front.ts'
import { readConfig, type Config } from './config.ts'
import type { Platform } from './bridge/port/platform.ts'
import { modelNotListed, openEmbeddedPlatform, type EmbeddedPlatform } from './embedded.ts'
import { createLog, type Logger } from './log.ts'
import { createPlatformClient } from './platform/client/client.ts'
import { createRateLimiter } from './platform/client/rate-limit.ts'
import { createAdapters } from './adapters.ts'
import { openStore } from './store/store.ts'
import { keepFilesPrivate, onSignals, say, sayWhy, VERSION, warn } from './terminal.ts'

/** Path of Slack's events over HTTP. */
const SLACK_PATH = '/slack/events'
/** Paths that belong to the platform; everything else is the web page. */
const PLATFORM_PATHS = /^\/(v1|collections|user|openapi\.json|docs|metrics)(\/|$)/

export interface Running {
  /** Where the web page and the embedded platform answer. */
  readonly url: string
  /** Three lines for the terminal: what runs and where. */
  readonly lines: readonly string[]
  stop(): Promise<void>
}

/**
 * Composes everything from the settings and starts it.
 *
 * @throws {Error} a sentence, when a setting, a port or a token can't be used; nothing is left running then.
 */
export async function run(config: Config, log: Logger, onFatal: (error: Error) => void): Promise<Running> {
  const closing: (() => Promise<void> | void)[] = []
  const stop = async () => {
    for (const close of closing.splice(0).toReversed()) await close()
  }
  try {
    const store = openStore(config.DATA_DIR)
    closing.push(() => store.close())
    const embedded =
      config.PLATFORM_BASE_URL === undefined ? await openEmbeddedPlatform(config, log, 'bridge') : undefined
    if (embedded) closing.push(() => embedded.close())
    // The page asks for files when a request comes, and is there before the bridge.
    let files: Bridge['files'] | undefined
    const { web, slack, all } = await createAdapters(config, store, log, onFatal, {
      files: () => files,
      search: () => embedded?.engine.search(),
    })
    const server = await listenBehindFront({
      host: config.HOST,
      port: config.PORT,
      version: VERSION,
      log: log.child({ part: 'front' }),
      fetch: (request, address) => answer(request, address, { web, slack, embedded }),
    })
    closing.push(() => server.close())
    const settings = { ...clientOptions(config, server.innerPort, embedded), limiter: createRateLimiter() }
    const client = createPlatformClient(settings)
    closing.push(() => client.close())
    await refuseUnlistedModel(config, client)
    // Background work leaves the last tenth of the quota to questions, and waits for the next minute when a window is
    // full.
    const background = createPlatformClient({ ...settings, reserve: 0.1, maxRateWaitMs: 65_000 })
    closing.push(() => background.close())
    const bridge = createBridge({
      adapters: all,
      platform: client,
      background,
      store,
      log: log.child({ part: 'bridge' }),
      maxFileBytes: config.MAX_FILE_MB * 1_000_000,
      admins: new Set(config.ADMINS),
      readsOut: config.SPEECH_MODEL !== undefined,
      expandsQueries: config.SECOND_LOOK === 'on',
      searchesMeaning:
        embedded === undefined || (config.UPSTREAM_EMBEDDING_MODEL ?? config.EMBEDDING_MODEL) !== undefined,
      budgets: { person: config.BUDGET_PERSON, channel: config.BUDGET_CHANNEL, workspace: config.BUDGET_WORKSPACE },
      model: config.PLATFORM_MODEL,
    })
    files = bridge.files
    closing.push(() => bridge.stop())
    const connected = await bridge.start()
    const services = new Map(all.map(({ name }) => [name, connected.has(name)]))
    return { url: server.url, lines: describe(config, server.url, services, embedded), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function answer(
  request: Request,
  address: string | undefined,
  doors: {
    readonly web: { fetch(request: Request, address?: string): Promise<Response> }
    readonly slack?: { fetch(request: Request): Promise<Response> }
    readonly embedded?: EmbeddedPlatform
  },
): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname === '/health') return Response.json({ status: 'ok', version: VERSION })
  const { web, slack, embedded } = doors
  if (slack !== undefined && pathname === SLACK_PATH) return slack.fetch(request)
  if (embedded !== undefined && PLATFORM_PATHS.test(pathname)) return embedded.fetch(request)
  return web.fetch(request, address)
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

function clientOptions(config: Config, port: number, embedded: EmbeddedPlatform | undefined) {
  return {
    baseUrl: config.PLATFORM_BASE_URL ?? `http://127.0.0.1:${port}/v1`,
    apiKey: embedded?.engine.firstKey.key ?? config.PLATFORM_API_KEY ?? '',
    // The embedded platform has a fixed profile; a leftover setting is ignored.
    profile: embedded === undefined ? config.PLATFORM_PROFILE : ('collection' as const),
    speechVoice: config.SPEECH_VOICE,
    speechModel: config.SPEECH_MODEL,
    chatCredential: config.PLATFORM_CHAT_CREDENTIAL,
  }
}

function describe(
  config: Config,
  url: string,
  /** Connection state by service. */
  services: ReadonlyMap<string, boolean>,
  embedded: EmbeddedPlatform | undefined,
): readonly string[] {
  const service = (name: string, label: string, setting: string) => {
    const isConnected = services.get(name)
    if (isConnected === undefined) return `${label} not set (${setting})`
    return isConnected ? `${label} connected` : `${label} out of reach, tried again until it answers`
  }
  return [
    `Footbridge ${VERSION} is ready: ${forPeople(url)} (${config.loopback ? 'open on this machine only' : 'behind WEB_PASSWORD'})`,
    `Platform: ${embedded?.description ?? `${config.PLATFORM_BASE_URL} (profile ${config.PLATFORM_PROFILE})`}`,
    `Chat services: web page; ${service('slack', 'Slack', 'SLACK_BOT_TOKEN, SLACK_APP_TOKEN')}; ${service('discord', 'Discord', 'DISCORD_TOKEN')}. Data in ${resolve(config.DATA_DIR)}`,
  ]
}

/** An address for a browser, which cannot open 0.0.0.0. */
function forPeople(url: string): string {
  return url.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//localhost')
}

async function start(): Promise<void> {
  keepFilesPrivate()
  const config = readConfig()
  for (const doubt of config.doubts) warn(doubt)
  const log = createLog(config.LOG_LEVEL)
  // A rejection that a library drops must not end the process for everybody.
  process.on('unhandledRejection', (error) =>
    log.error({ err: error }, 'Unhandled rejection: a promise failed and no code handled it'),
  )
  const running = await run(config, log, (error) => {
    sayWhy(error)
    process.kill(process.pid, 'SIGTERM')
  })
  // Done before the ready line: a supervisor may stop the process right after it.
  onSignals(() => running.stop())
  // Saved early, so that a killed process also starts fast the next time.
  flushCompileCache()
  say(running.lines.join('\n'))
}

if (import.meta.main) await start().catch(sayWhy)
