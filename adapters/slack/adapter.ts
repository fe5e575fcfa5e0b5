import type { Adapter } from '../../src/bridge/port/adapter.ts'
import { AdapterError } from '../../src/bridge/port/errors.ts'
import type { Inbound } from '../../src/bridge/port/message.ts'
import { hasCode, waitAtMost } from '../shared/session.ts'
import { type Api, createApi, createSdkLogger, REPEATABLE, type SdkLogger } from './api.ts'
import {
  allowedHosts,
  isResponseUrl,
  APPEND_INTERVAL_MS,
  CATCH_UP_AGE_MS,
  EDIT_INTERVAL_MS,
  PRIVATE_TEXT_BYTES,
  type Identity,
  type SlackOptions,
  STATUS_REFRESH_MS,
  STREAM_LIFETIME_MS,
  TEXT_BUDGET_BYTES,
} from './config.ts'
import { createDirectory } from './directory.ts'
import { slackCode } from './errors.ts'
import { createDownload } from './in/attachment.ts'
import { createCommandReader } from './in/commands.ts'
import { type BoltEvents, createBoltEvents } from './in/bolt-events.ts'
import { type CatchUp, createCatchUp, NO_CURSORS } from './in/catch-up.ts'
import { createEventReader } from './in/events.ts'
import { createHistory } from './in/history.ts'
import { createHttpEvents, type HttpEvents } from './in/http-events.ts'
import { createInteractionReader } from './in/interactions.ts'
import { createMessageReader, type MessageReader } from './in/message.ts'
import { createSentMessages } from './out/find-send.ts'
import { createMeter, measure } from './out/markup.ts'
import { createPosting } from './out/post.ts'
import { createStatuses } from './out/status.ts'
import { createStreams } from './out/stream.ts'
import { createUpload } from './out/upload.ts'
import { createViews, type Views } from './out/views.ts'
import { createPermissions } from './permissions.ts'
import { createSockets, type Sockets } from './in/socket-mode.ts'

export type { SlackOptions } from './config.ts'

const SETTLE_MS = 10_000

/** State of a connected adapter. */
interface Session {
  readonly identity: Identity
  readonly messages: MessageReader
  readonly events: BoltEvents
  /** Absent: events come over HTTP. */
  readonly sockets?: Sockets
  readonly catchUp: CatchUp
}

function checkTokens({ botToken, appToken, signingSecret }: SlackOptions): void {
  if (botToken.startsWith('xapp-'))
    throw new AdapterError(
      'unauthorized',
      'SLACK_BOT_TOKEN holds an app-level token (xapp-…). It takes the bot token (xoxb-…) from "OAuth & Permissions".',
    )
  if (appToken === undefined && signingSecret === undefined)
    throw new AdapterError('unauthorized', 'SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP) is missing.')
  if (appToken?.startsWith('xoxb-') === true)
    throw new AdapterError(
      'unauthorized',
      'SLACK_APP_TOKEN holds a bot token (xoxb-…). It takes the app-level token (xapp-…) from "Basic Information".',
    )
}

async function identify(api: Api): Promise<Identity> {
  try {
    const who = await api.call('auth.test', (web) => web.auth.test(), REPEATABLE)
    return { team: who.team_id ?? '', userId: who.user_id ?? '', botId: who.bot_id ?? '' }
  } catch (error) {
    if (!hasCode(error, 'unauthorized')) throw error
    throw new AdapterError(
      'unauthorized',
      `Slack refused SLACK_BOT_TOKEN (${slackCode(error) ?? ''}). Copy the bot token (xoxb-…) from "OAuth & Permissions", or install the app again.`,
      { cause: error },
    )
  }
}

const catchUpOptions = ({ log, cursors = NO_CURSORS, catchUpAgeMs: maxAgeMs = CATCH_UP_AGE_MS }: SlackOptions) => ({
  log,
  cursors,
  maxAgeMs,
})

/** Socket Mode connections; undefined: events come over HTTP. */
const socketsOf = ({ appToken, ...options }: SlackOptions, app: BoltEvents['app'], logger: SdkLogger) =>
  options.signingSecret === undefined && appToken !== undefined
    ? createSockets({ ...options, appToken }, app, logger)
    : undefined

/** A question that begins a session in the agent tab gives it its name. */
function nameSession(views: Views, inbound: Inbound): void {
  if (inbound.kind !== 'message') return
  const { conversation, id, text } = inbound.message
  if (conversation.direct && conversation.thread === id) void views.nameSession(conversation, text)
}

/** The adapter, and the door for events over HTTP. */
export type SlackAdapter = Adapter & HttpEvents

/** Slack through Bolt for one workspace, in Socket Mode or over HTTP. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createSlackAdapter(options: SlackOptions): SlackAdapter {
  const { log } = options
  const logger = createSdkLogger(log)
  const api = createApi(options, logger)
  const directory = createDirectory(api)
  let session: Session | undefined
  let stopping: Promise<void> | undefined

  const http = createHttpEvents(options, () => session?.events.app)

  const connected = (): Session => {
    if (session === undefined) throw new AdapterError('network', 'The Slack adapter is not started.')
    return session
  }
  const identity = () => connected().identity
  const statuses = createStatuses(api, log, options.statusRefreshMs ?? STATUS_REFRESH_MS)
  const { shown } = statuses
  const sentMessages = createSentMessages(api, identity)
  const posting = createPosting({
    api,
    sentMessages,
    shown,
    isResponseUrl: (url) => isResponseUrl(url, options.apiUrl),
  })

  const views = createViews(
    api,
    () => identity().team,
    (error) => log.debug({ err: error }, 'Slack did not take a prompt or a title of the agent tab.'),
  )
  const { showForm, showOverview, channelsOf } = views
  const received = (inbound: Inbound) => {
    if (inbound.kind === 'message') session?.catchUp.seen(inbound.message.conversation.channel, inbound.message.id)
    nameSession(views, inbound)
  }

  async function halt(): Promise<void> {
    if (session !== undefined) await waitAtMost(SETTLE_MS, session.events.stop())
    statuses.stop()
    await session?.sockets?.stop()
    await session?.catchUp.flush()
    await api.settle(SETTLE_MS)
  }

  return {
    ...http,
    name: 'slack',
    limits: {
      textLength: TEXT_BUDGET_BYTES,
      measure,
      meter: createMeter,
      editIntervalMs: EDIT_INTERVAL_MS,
      privateTextLength: PRIVATE_TEXT_BYTES,
      stream: { textLength: TEXT_BUDGET_BYTES, lifetimeMs: STREAM_LIFETIME_MS },
    },
    async start(receive) {
      checkTokens(options)
      const own = await identify(api)
      if (stopping !== undefined) throw new AdapterError('network', 'The Slack adapter was stopped while it started.')
      const messages = createMessageReader({ identity: own, api, directory })
      const parts = { api, identity: own, directory, messages }
      const events = createBoltEvents({
        options,
        logger,
        identity: own,
        events: createEventReader(parts),
        interactions: createInteractionReader(parts),
        commands: createCommandReader(parts),
        receive,
        received,
      })
      const sockets = socketsOf(options, events.app, logger)
      const catchUp = createCatchUp({ ...catchUpOptions(options), api, deliver: (...late) => events.deliver(...late) })
      session = { identity: own, messages, events, sockets, catchUp }
      await Promise.resolve(sockets?.start()).then(() => void catchUp.run())
      log.info({ team: own.team, user: own.userId }, 'Connected to Slack.')
    },
    async stop() {
      stopping ??= halt()
      await stopping
    },
    post: posting.post,
    edit: posting.edit,
    remove: posting.remove,
    permalink: posting.permalink,
    find: sentMessages.find,
    ...createHistory({ api, messages: () => connected().messages, isOurs: sentMessages.isOurs }),
    upload: createUpload({ api, hosts: allowedHosts(options.fileHosts), shown }),
    ...createPermissions(api, log, identity),
    open: createDownload(options, api),
    stream: createStreams({
      api,
      posting,
      directory,
      homeTeam: () => identity().team,
      shown,
      intervalMs: options.appendIntervalMs ?? APPEND_INTERVAL_MS,
    }),
    status: statuses.show,
    mark: views.mark,
    showForm,
    showOverview,
    channelsOf,
  }
}
