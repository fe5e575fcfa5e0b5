import { setTimeout as sleep } from 'node:timers/promises'
import { SocketModeReceiver } from '@slack/bolt'
import type { App } from '@slack/bolt'
import type { Log } from '../../src/bridge/port/platform.ts'
import { AdapterError } from '../../src/bridge/port/errors.ts'
import { toClientOptions } from './api.ts'
import type { SlackOptions } from './config.ts'
import { slackCode, toAdapterError } from './errors.ts'
import { toFields } from '../shared/json.ts'
import type { SdkLogger } from './sdk-log.ts'

/**
 * Socket Mode connections of one app. The reconnecting of socket-mode 3.1.0 is not used: it waits 5 s, more after each
 * failure, and a failure while it reconnects is an unhandled rejection. Here each connection is a receiver of its own,
 * replaced at once when Slack recycles it, and there are two of them, so that one is always open.
 */
export interface Sockets {
  /** Resolves with the first open connection. @throws {AdapterError} when Slack refuses or cannot be reached. */
  start(): Promise<void>
  stop(): Promise<void>
}

const helloMs = 20_000
const closeMs = 3_000
const stableMs = 5_000
const longestPauseMs = 30_000
/** So often a first connection may fail before the start does. */
const patience = 3
/** Refusals that no waiting cures. While running they are tried again all the same: somebody may repair the app. */
const fatal = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'not_allowed_token_type',
  'missing_scope',
  'user_removed_from_team',
  'team_disabled',
  'app_not_enabled',
  'forbidden_team',
])

interface Socket {
  readonly client: SocketModeReceiver['client']
  /** Slack asked us to go, or the connection broke. */
  readonly ending: Promise<void>
  readonly closed: Promise<void>
}

/** The frame by which Slack announces that it recycles a connection. Read first as text: most frames are events. */
function isGoodbye(frame: unknown): boolean {
  if (typeof frame !== 'string' || !frame.includes('"disconnect"')) return false
  try {
    return toFields(JSON.parse(frame))['type'] === 'disconnect'
  } catch {
    return false
  }
}

function watch(client: SocketModeReceiver['client']): Socket {
  const ending = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  client.on('ws_message', (data: unknown) => {
    if (isGoodbye(data)) ending.resolve()
  })
  client.on('disconnected', () => {
    ending.resolve()
    closed.resolve()
  })
  return { client, ending: ending.promise, closed: closed.promise }
}

/** Asks twice: the second time the SDK no longer waits for the other side. */
async function close(socket: Socket): Promise<void> {
  const quietly = () => void socket.client.disconnect().catch(() => {})
  quietly()
  const inTime = await Promise.race([socket.closed.then(() => true), sleep(closeMs, false, { ref: false })])
  if (!inTime) quietly()
}

/** The first time at once, then longer and longer, spread out. */
const pauseMs = (failures: number) =>
  failures < 2 ? 0 : Math.min(250 * 2 ** failures, longestPauseMs) * (0.5 + Math.random() / 2)

export function createSockets(options: SlackOptions, app: App, logger: SdkLogger): Sockets {
  const log: Log = options.log
  const open = new Set<Socket>()
  const halt = new AbortController()
  // What keeps a connection from opening is said once, by us.
  const quiet: SdkLogger = { ...logger, error: (...parts: unknown[]) => logger.warn(...parts) }
  let begun = false
  const loops: Promise<void>[] = []

  async function connect(): Promise<Socket> {
    const receiver = new SocketModeReceiver({
      appToken: options.appToken,
      autoReconnectEnabled: false,
      logger: quiet,
      installerOptions: { clientOptions: toClientOptions(options, logger) },
      processEventErrorHandler: async ({ error }) => {
        log.warn({ err: error }, 'An event from Slack was not stored; Slack will send it again.')
        return false
      },
    })
    receiver.init(app)
    const socket = watch(receiver.client)
    open.add(socket)
    void socket.closed.then(() => open.delete(socket))
    const hello = receiver.start().catch((error: unknown) => {
      throw toAdapterError(error ?? new Error('closed before it was ready'), 'apps.connections.open', false)
    })
    const late = sleep(helloMs, undefined, { ref: false }).then(() => {
      throw new AdapterError(
        'network',
        'Slack opened no Socket Mode connection in time. Check the connection to Slack and SLACK_API_URL.',
      )
    })
    late.catch(() => {})
    try {
      await Promise.race([hello, late])
    } catch (error) {
      open.delete(socket)
      await close(socket)
      throw error
    }
    return socket
  }

  /** Keeps one connection, for as long as we run. */
  async function keep(ready: { resolve: () => void; reject: (error: unknown) => void }): Promise<void> {
    let failures = 0
    while (!halt.signal.aborted) {
      const since = Date.now()
      let askedMs = 0
      try {
        const socket = await connect()
        if (halt.signal.aborted) return await close(socket)
        begun = true
        ready.resolve()
        await socket.ending
        failures = Date.now() - since > stableMs ? 0 : failures + 1
      } catch (error) {
        failures += 1
        if (halt.signal.aborted) return
        if (fatal.has(slackCode(error) ?? '') || failures > patience) ready.reject(error)
        // Whoever started us hears of it then, in one sentence.
        if (!begun && fatal.has(slackCode(error) ?? '')) return
        log.warn({ err: error }, 'A connection to Slack could not be opened; trying again.')
        askedMs = error instanceof AdapterError ? (error.retryAfterMs ?? 0) : 0
      }
      await sleep(Math.max(pauseMs(failures), askedMs), undefined, { signal: halt.signal }).catch(() => {})
    }
  }

  async function stop() {
    halt.abort()
    await Promise.all([...open].map(close))
    await Promise.race([Promise.all(loops), sleep(closeMs, undefined, { ref: false })])
  }

  return {
    stop,
    async start() {
      const ready = Promise.withResolvers<void>()
      for (let slot = 0; slot < (options.sockets ?? 2); slot += 1) loops.push(keep(ready))
      try {
        await ready.promise
      } catch (error) {
        await stop()
        if (fatal.has(slackCode(error) ?? '')) {
          throw new AdapterError(
            'unauthorized',
            `Slack refused SLACK_APP_TOKEN (${slackCode(error) ?? ''}). Copy the app-level token (xapp-…) with the scope connections:write from "Basic Information", and see that Socket Mode is on.`,
            { cause: error },
          )
        }
        throw error
      }
    },
  }
}
