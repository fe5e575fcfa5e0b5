import type { SlackAdapter } from '../adapters/slack/adapter.ts'
import { createWebAdapter, type WebAdapter, type WebAdapterOptions } from '../adapters/web/adapter.ts'
import type { Adapter } from './bridge/port/adapter.ts'
import type { Config } from './config.ts'
import type { Logger } from './log.ts'
import type { OpenStore } from './store/store.ts'

/**
 * The chat services that the settings name; the web page is always one of them. The SDK of a service is loaded only
 * where it is used: it takes a quarter of a second and some 40 MB.
 */
export async function createAdapters(
  config: Config,
  store: OpenStore,
  log: Logger,
  onFatal: (error: Error) => void,
  page: Pick<WebAdapterOptions, 'files' | 'search'>,
): Promise<{ readonly web: WebAdapter; readonly slack?: SlackAdapter; readonly all: readonly Adapter[] }> {
  const web = createWebAdapter({
    dataDir: config.DATA_DIR,
    loopback: config.loopback,
    maxFileBytes: config.MAX_FILE_MB * 1_000_000,
    log: log.child({ part: 'web' }),
    password: config.WEB_PASSWORD,
    publicUrl: config.PUBLIC_URL,
    ...page,
  })
  const [slack, discord] = await Promise.all([slackOf(config, store, log), discordOf(config, store, log, onFatal)])
  return { web, slack: slack[0], all: [web, ...slack, ...discord] }
}

async function slackOf(config: Config, store: OpenStore, log: Logger): Promise<readonly SlackAdapter[]> {
  const { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = config
  if (botToken === undefined || (appToken === undefined && signingSecret === undefined)) return []
  const { createSlackAdapter } = await import('../adapters/slack/adapter.ts')
  const { SLACK_API_URL: apiUrl, FILE_HOSTS: fileHosts } = config
  return [
    createSlackAdapter({
      botToken,
      appToken,
      signingSecret,
      fileHosts,
      apiUrl,
      cursors: store.cursors('slack'),
      log: log.child({ part: 'slack' }),
    }),
  ]
}

async function discordOf(
  config: Config,
  store: OpenStore,
  log: Logger,
  onFatal: (error: Error) => void,
): Promise<readonly Adapter[]> {
  const { DISCORD_TOKEN: token, DISCORD_API_URL: apiUrl } = config
  if (token === undefined) return []
  const { createDiscordAdapter } = await import('../adapters/discord/adapter.ts')
  return [
    createDiscordAdapter({
      token,
      fileHosts: config.FILE_HOSTS,
      globalRequestsPerSecond: config.DISCORD_GLOBAL_RPS,
      commandsGuild: config.DISCORD_COMMANDS_GUILD,
      cursors: store.cursors('discord'),
      onFatal,
      log: log.child({ part: 'discord' }),
      apiUrl,
    }),
  ]
}
