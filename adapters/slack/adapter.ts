import { setTimeout as sleep } from 'node:timers/promises'
import { App } from '@slack/bolt'
import type { ReceiverEvent } from '@slack/bolt'
import type { Adapter, Receive } from '../../src/bridge/port/adapter.ts'
import { AdapterError } from '../../src/bridge/port/errors.ts'
import type { Inbound } from '../../src/bridge/port/message.ts'
import { createApi, toClientOptions } from './api.ts'
import type { SlackOptions } from './config.ts'
import {
  appendIntervalMs,
  editIntervalMs,
  statusRefreshMs,
  streamLifetimeMs,
  textBudgetBytes,
} from './config.ts'
import type { Sockets } from './socket-mode.ts'
import { createSockets } from './socket-mode.ts'
import { createDirectory } from './directory.ts'
import { createDownload } from './in/download.ts'
import { slackCode } from './errors.ts'
import { createInboundReader } from './in/events.ts'
import type { Identity } from './identity.ts'
import type { InboundReader } from './in/events.ts'
import { measure } from './out/markup.ts'
import { checkLength, createOutbound } from './out/post.ts'
import { dialogCallback } from './out/buttons.ts'
import { anyButton } from './out/blocks.ts'
import { createRooms } from './permissions.ts'
import { createSdkLogger } from './sdk-log.ts'
import { createStatuses } from './out/status.ts'
import { createStreams } from './out/stream.ts'
import { createThreads } from './out/find-send.ts'
import { createUpload } from './out/upload.ts'
import { channelIn, createTurns, deepFreeze } from './in/in-order.ts'

export type { SlackOptions } from './config.ts'

const settleMs = 10_000

/** What is known once we are connected. */
interface Session {
  readonly identity: Identity
  readonly reader: InboundReader
  readonly sockets: Sockets
}

function checkTokens({ botToken, appToken }: SlackOptions): void {
  if (botToken.startsWith('xapp-'))
    throw new AdapterError(
      'unauthorized',
      'SLACK_BOT_TOKEN holds an app-level token (xapp-…). It takes the bot token (xoxb-…) from "OAuth & Permissions".',
    )
  if (appToken.startsWith('xoxb-'))
    throw new AdapterError(
      'unauthorized',
      'SLACK_APP_TOKEN holds a bot token (xoxb-…). It takes the app-level token (xapp-…) from "Basic Information".',
    )
}

/** Slack, by the real Bolt in Socket Mode: one workspace. */
export function createSlackAdapter(options: SlackOptions): Adapter {
  const logger = createSdkLogger(options.log)
  const api = createApi(options, logger)
  const directory = createDirectory(api)
  const events = new Set<Promise<void>>()
  let session: Session | undefined
  let stopping: Promise<void> | undefined

  const connected = (): Session => {
    if (session === undefined) throw new AdapterError('network', 'The Slack adapter is not started.')
    return session
  }
  const rooms = createRooms({ api, log: options.log, identity: () => connected().identity })
  const statuses = createStatuses(api, options.log, options.statusRefreshMs ?? statusRefreshMs)
  const { shown } = statuses
  const threads = createThreads({
    api,
    reader: () => connected().reader,
    identity: () => connected().identity,
  })
  const outbound = createOutbound({ api, threads, shown })
  const homeTeam = () => connected().identity.team
  const stream = createStreams({
    api,
    outbound,
    directory,
    homeTeam,
    shown,
    intervalMs: options.appendIntervalMs ?? appendIntervalMs,
  })

  async function identify(): Promise<Identity> {
    try {
      const who = await api.call('auth.test', (web) => web.auth.test(), { repeatable: true })
      return { team: who.team_id ?? '', userId: who.user_id ?? '', botId: who.bot_id ?? '' }
    } catch (error) {
      if (!(error instanceof AdapterError) || error.code !== 'unauthorized') throw error
      throw new AdapterError(
        'unauthorized',
        `Slack refused SLACK_BOT_TOKEN (${slackCode(error) ?? ''}). Copy the bot token (xoxb-…) from "OAuth & Permissions", or install the app again.`,
        { cause: error },
      )
    }
  }

  /** Bolt acknowledges events before it calls a listener: here the acknowledgement waits until they are stored. */
  function ackWhenStored(app: App): void {
    const processEvent = app.processEvent.bind(app)
    app.error(async (error) => {
      throw error
    })
    const process = async (event: ReceiverEvent) => {
      await processEvent({ ...event, ack: async () => {} })
      try {
        await event.ack()
      } catch (error) {
        options.log.debug(
          { err: error },
          'An acknowledgement did not reach Slack; it will send the event again.',
        )
      }
    }
    app.processEvent = async (event) => {
      if (stopping !== undefined) throw new Error('stopping: Slack will send it again')
      const stored = process(event)
      events.add(stored)
      try {
        await stored
      } finally {
        events.delete(stored)
      }
    }
  }

  function createApp(identity: Identity, reader: InboundReader, receive: Receive): App {
    const app = new App({
      token: options.botToken,
      botId: identity.botId,
      botUserId: identity.userId,
      convoStore: false,
      logger,
      clientOptions: toClientOptions(options, logger),
      // The connections are opened and replaced by `connect.ts`.
      receiver: { init: () => {}, start: async () => {}, stop: async () => {} },
    })
    const inTurn = createTurns()
    const pass = async (event: unknown, read: (event: unknown) => Promise<Inbound | undefined>) => {
      const inbound = await inTurn(channelIn(event), read(event))
      if (inbound !== undefined) await receive(deepFreeze(inbound))
    }
    app.event('message', async ({ event }) => pass(event, reader.message))
    app.event('app_mention', async ({ event }) => pass(event, reader.mention))
    app.event('agent_session_stopped', async ({ event }) => pass(event, reader.stopped))
    app.event('file_deleted', async ({ event }) => pass(event, reader.fileDeleted))
    app.event('reaction_added', async ({ event }) => pass(event, reader.pinned))
    app.action(anyButton, async ({ body }) => {
      // A dialog opens within 3 s or never: it waits for nothing that was said before.
      if (!(await reader.ask(body))) await pass(body, reader.action)
    })
    app.view(dialogCallback, async ({ body }) => pass(body, reader.submitted))
    ackWhenStored(app)
    return app
  }

  async function halt(): Promise<void> {
    await Promise.race([Promise.allSettled(events), sleep(settleMs, undefined, { ref: false })])
    statuses.stop()
    await session?.sockets.stop()
    await api.settle(settleMs)
  }

  return {
    name: 'slack',
    limits: {
      textLength: textBudgetBytes,
      measure,
      editIntervalMs,
      stream: { textLength: textBudgetBytes, lifetimeMs: streamLifetimeMs },
    },
    async start(receive) {
      checkTokens(options)
      const identity = await identify()
      if (stopping !== undefined)
        throw new AdapterError('network', 'The Slack adapter was stopped while it started.')
      const reader = createInboundReader({ identity, api, directory, rooms })
      const app = createApp(identity, reader, receive)
      const sockets = createSockets(options, app, logger)
      session = { identity, reader, sockets }
      await sockets.start()
      options.log.info({ team: identity.team, user: identity.userId }, 'Connected to Slack.')
    },
    async stop() {
      stopping ??= halt()
      await stopping
    },
    post: outbound.post,
    edit: outbound.edit,
    remove: outbound.remove,
    find: threads.find,
    history: threads.history,
    read: threads.read,
    upload: createUpload({ api, fileHosts: options.fileHosts ?? [], checkLength, shown }),
    isMember: rooms.isMember,
    isAdmin: rooms.isAdmin,
    about: rooms.about,
    permalink: threads.permalink,
    open: createDownload(options, api),
    stream,
    status: statuses.show,
  }
}
