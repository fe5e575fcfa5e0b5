import type { DiscordAdapterOptions } from '#adapters/discord/config.ts'
import type { DrawPage } from '#adapters/shared/page-pictures.ts'
import type { SlackAdapter, SlackOptions } from '#adapters/slack/adapter.ts'
import type { PageDoor } from '#adapters/slack/inbound/page-door.ts'
import { createWebAdapter, type WebAdapter, type WebAdapterOptions } from '#adapters/web/adapter.ts'
import type { WebEvent } from '#adapters/web/protocol.ts'
import { PAGE_SCHEMA, PAGE_STEPS } from '#adapters/web/server/store/schema.ts'
import type { Bridge } from './bridge/bridge.ts'
import type { Adapter } from './bridge/port/adapter.ts'
import type { Config } from './config.ts'
import type { Logger } from './start/log.ts'
import type { SharedStore } from './store/postgres/open-store.ts'
import { standingBy } from './operate/stand-by.ts'
import type { OpenStore } from './store/store.ts'

/** The part of the store that adapters use. */
type AdapterStore = Pick<OpenStore, 'cursors' | 'state' | 'sharing'> & Partial<Pick<SharedStore, 'openTables'>>

/**
 * The chat services that the settings name; the web page is always one of them. The SDK of a service is loaded only
 * where it is used: it takes a quarter of a second and some 40 MB.
 */
export async function createAdapters(
  config: Config,
  store: AdapterStore,
  log: Logger,
  onFatal: (error: Error) => void,
  {
    bridge,
    onRateWait,
    ...page
  }: Pick<WebAdapterOptions, 'search' | 'drawPage' | 'keys' | 'about' | 'tokens' | 'signIn'> & {
    readonly bridge: () => Pick<Bridge, 'files' | 'models' | 'cited'> | undefined
    readonly onRateWait: (service: string, waitMs: number) => void
  },
): Promise<{ readonly web: WebAdapter; readonly slack?: SlackDoor; readonly all: readonly Adapter[] }> {
  const shared = await store.openTables?.<WebEvent>({ schema: PAGE_SCHEMA, steps: PAGE_STEPS })
  const web = createWebAdapter({
    shared,
    dataDir: config.DATA_DIR,
    loopback: config.loopback,
    maxFileBytes: config.MAX_FILE_MB * 1_000_000,
    log: log.child({ part: 'web' }),
    password: config.WEB_PASSWORD,
    publicUrl: config.PUBLIC_URL,
    files: () => bridge()?.files,
    models: () => bridge()?.models,
    ...page,
  })
  const pages = await pageDoorOf(config, log, bridge, page.drawPage)
  const [slack, discord] = await Promise.all([
    slackOf(config, store, log, { pictureOf: pages?.addressOf, onRateWait: (waitMs) => onRateWait('slack', waitMs) }),
    discordOf(config, store, log, { onFatal, onRateWait: (waitMs) => onRateWait('discord', waitMs) }),
  ])
  return { web, slack: slack[0] && withPages(slack[0], pages), all: [web, ...slack, ...discord] }
}

/** Undefined: Slack opens no panes here, or pages are not drawn. */
async function pageDoorOf(
  { SLACK_WORK_OBJECTS, PUBLIC_URL: publicUrl, SECRET_KEY, SLACK_SIGNING_SECRET, SLACK_BOT_TOKEN }: Config,
  log: Logger,
  bridge: () => Pick<Bridge, 'files' | 'cited'> | undefined,
  drawPage: DrawPage | undefined,
): Promise<PageDoor | undefined> {
  const secret = SLACK_SIGNING_SECRET ?? SLACK_BOT_TOKEN ?? SECRET_KEY?.[0]
  if (SLACK_WORK_OBJECTS !== 'on' || publicUrl === undefined || secret === undefined || drawPage === undefined)
    return undefined
  const [{ createPageDoor }, { createPagePictures }] = await Promise.all([
    import('#adapters/slack/inbound/page-door.ts'),
    import('#adapters/shared/page-pictures.ts'),
  ])
  const slackLog = log.child({ part: 'slack' })
  return createPageDoor({
    publicUrl,
    secret,
    cited: async (asked) => bridge()?.cited(asked),
    files: () => bridge()?.files,
    pictures: createPagePictures(drawPage, slackLog, Date.now),
    log: slackLog,
  })
}

/** The door for requests of Slack's servers and apps. */
type SlackDoor = Pick<SlackAdapter, 'fetch' | 'warning'>

const withPages = (slack: SlackDoor, pages: PageDoor | undefined): SlackDoor => ({
  warning: () => slack.warning(),
  fetch: async (request, address) =>
    pages?.covers(request) === true ? pages.fetch(request) : slack.fetch(request, address),
})

type SlackMore = Pick<SlackOptions, 'pictureOf' | 'onRateWait'>

/** Several workspaces, each with its own installation. */
async function slackWorkspaces(
  config: Config,
  store: AdapterStore,
  log: Logger,
  more: SlackMore,
): Promise<SlackAdapter> {
  const { SLACK_CLIENT_ID: clientId = '', SLACK_CLIENT_SECRET: clientSecret = '', PUBLIC_URL: publicUrl = '' } = config
  const { createManyWorkspaces } = await import('#adapters/slack/workspaces/many-workspaces.ts')
  return createManyWorkspaces({
    clientId,
    clientSecret,
    publicUrl,
    appToken: config.SLACK_APP_TOKEN,
    signingSecret: config.SLACK_SIGNING_SECRET,
    apiUrl: config.SLACK_API_URL,
    fileHosts: config.FILE_HOSTS,
    workObjects: config.SLACK_WORK_OBJECTS === 'on',
    installations: store.state('slack-installation', config.SECRET_KEY ?? []),
    reseals: (config.SECRET_KEY ?? []).length > 1,
    states: store.state('slack-oauth-state'),
    renewalLocks: store.state('slack-token-baton'),
    sharedChannels: store.state('slack-shared-channel'),
    cursorsOf: (workspace) => store.cursors(`slack:${workspace}`),
    pacer: store.sharing.pacer,
    processes: () => store.sharing.processes(),
    ...more,
    assertAlive: () => store.sharing.assertAlive(),
    log: log.child({ part: 'slack' }),
  })
}

async function slackOf(
  config: Config,
  store: AdapterStore,
  log: Logger,
  more: SlackMore,
): Promise<readonly SlackAdapter[]> {
  if (config.SLACK_CLIENT_ID !== undefined) return [await slackWorkspaces(config, store, log, more)]
  const { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = config
  if (botToken === undefined || (appToken === undefined && signingSecret === undefined)) return []
  const { createSlackAdapter } = await import('#adapters/slack/adapter.ts')
  const { SLACK_API_URL: apiUrl, FILE_HOSTS: fileHosts } = config
  return [
    createSlackAdapter({
      botToken,
      appToken,
      signingSecret,
      fileHosts,
      apiUrl,
      workObjects: config.SLACK_WORK_OBJECTS === 'on',
      publicUrl: config.PUBLIC_URL,
      cursorsOf: (workspace) => store.cursors(`slack:${workspace}`),
      pacer: store.sharing.pacer,
      processes: () => store.sharing.processes(),
      ...more,
      assertAlive: () => store.sharing.assertAlive(),
      log: log.child({ part: 'slack' }),
    }),
  ]
}

async function discordOf(
  config: Config,
  store: AdapterStore,
  log: Logger,
  told: Pick<DiscordAdapterOptions, 'onFatal' | 'onRateWait'>,
): Promise<readonly Adapter[]> {
  const { DISCORD_TOKEN: token, DISCORD_API_URL: apiUrl } = config
  if (token === undefined) return []
  const { createDiscordAdapter } = await import('#adapters/discord/adapter.ts')
  const discord = createDiscordAdapter({
    token,
    fileHosts: config.FILE_HOSTS,
    globalRequestsPerSecond: config.DISCORD_GLOBAL_RPS,
    shards: config.DISCORD_SHARDS,
    commandsGuild: config.DISCORD_COMMANDS_GUILD,
    messageContent: config.DISCORD_MESSAGE_CONTENT === 'on',
    cursors: store.cursors('discord'),
    presses: store.state('discord-press'),
    refusals: store.state('discord-refused'),
    pacer: store.sharing.pacer,
    ...told,
    assertAlive: () => store.sharing.assertAlive(),
    log: log.child({ part: 'discord' }),
    apiUrl,
  })
  const { first, last } = config.DISCORD_SHARDS ?? { first: 0, last: 0 }
  const watched = { log: log.child({ part: 'discord' }), onLost: told.onFatal }
  return [standingBy(discord, `discord ${first}-${last}`, store.sharing, watched)]
}
