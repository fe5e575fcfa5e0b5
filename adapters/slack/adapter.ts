import type { Adapter } from '#bridge/port/adapter.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import { hasCode, waitAtMost } from '#adapters/shared/session.ts'
import { list, text, toFields } from '#adapters/shared/json.ts'
import { type Api, createApi, createSdkLogger, fixed, REPEATABLE, type SdkLogger } from './api.ts'
import { awaySince, GAP_MS, type Identity, type SlackOptions } from './config.ts'
import { slackCode } from './errors.ts'
import { type BoltEvents, createBoltEvents } from './inbound/bolt-events.ts'
import { createHttpEvents } from './inbound/http-events.ts'
import { createSockets, type Gaps, type Sockets } from './inbound/socket-mode.ts'
import { type Acts, forward, LIMITS } from './workspaces/acts.ts'
import { createWorkspace, type Workspace } from './workspaces/workspace.ts'

export type { SlackOptions } from './config.ts'

const SETTLE_MS = 10_000

/** State of a connected adapter. */
interface Session {
  readonly workspace: Workspace
  readonly events: BoltEvents
  /** Absent: events come over HTTP. */
  readonly sockets?: Sockets
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

/** Socket Mode connections; undefined: events come over HTTP. */
const socketsOf = ({ appToken, ...options }: SlackOptions, { take }: BoltEvents, logger: SdkLogger, gaps: Gaps) =>
  options.signingSecret === undefined && appToken !== undefined
    ? createSockets({ ...options, appToken }, take, logger, gaps)
    : undefined

/** The adapter, with the entry point for events over HTTP. */
export interface SlackAdapter extends Adapter {
  /** `address` of the peer. */
  fetch(request: Request, address?: string): Promise<Response>
  /** A fault although Slack is connected, as a sentence with what to do. */
  warning(): string | undefined
}

/** Slack through Bolt for one workspace, in Socket Mode or over HTTP. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createSlackAdapter(options: SlackOptions): SlackAdapter {
  const { log } = options
  const logger = createSdkLogger(log)
  const credentials = fixed(options.botToken)
  const api = createApi(options, logger, credentials)
  let session: Session | undefined
  let stopping: Promise<void> | undefined
  let begun: number | undefined

  const http = createHttpEvents(options, () => session?.events)
  const acts = (): Acts => {
    if (session === undefined) throw new AdapterError('network', 'The Slack adapter is not started.')
    return session.workspace.acts
  }

  async function halt(): Promise<void> {
    if (session !== undefined) await waitAtMost(SETTLE_MS, session.events.stop())
    await session?.sockets?.stop()
    await session?.workspace.stop(SETTLE_MS)
    await api.settle(SETTLE_MS)
  }

  return {
    ...http,
    name: 'slack',
    limits: LIMITS,
    async start(receive) {
      checkTokens(options)
      begun ??= Date.now()
      const identity = await identify(api)
      if (stopping !== undefined) throw new AdapterError('network', 'The Slack adapter was stopped while it started.')
      const workspace = createWorkspace({ options, logger, credentials, identity })
      const events = createBoltEvents({
        options,
        logger,
        receive,
        readersOf: async (body) => (isOf(body, identity.team) ? workspace.readers : undefined),
      })
      const catchUp = (since?: number) => void workspace.catchUp((...late) => events.deliver(...late), since)
      const sockets = socketsOf(options, events, logger, {
        begun: workspace.hold,
        ended: (awayMs) => (awayMs < (options.gapMs ?? GAP_MS) ? workspace.release() : catchUp()),
      })
      session = { workspace, events, sockets }
      await sockets?.start()
      catchUp(awaySince(begun, options))
      log.info({ team: identity.team, user: identity.userId }, 'Slack is connected')
    },
    stop: () => (stopping ??= halt()),
    isConnected: () => stopping === undefined && session !== undefined && session.sockets?.isOpen() !== false,
    warning: () => session?.sockets?.warning(),
    ...forward(async () => acts(), options),
  }
}

/** An event without `authorizations` may name the team of a person from another company. */
const isOf = (body: unknown, team: string): boolean => {
  const [authorized = {}] = list(toFields(body), 'authorizations')
  const named = ['team_id', 'enterprise_id'].flatMap((name) => text(authorized, name) ?? [])
  return named.length === 0 || named.includes(team)
}
