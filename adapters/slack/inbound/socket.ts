import type { ReceiverEvent } from '@slack/bolt'
import { SocketModeClient } from '@slack/socket-mode'
import { AdapterError } from '#bridge/port/errors.ts'
import { parseFields } from '#adapters/shared/json.ts'
import { waitAtMost } from '#adapters/shared/session.ts'
import { type SdkLogger, toClientOptions } from '../api.ts'
import type { SlackOptions } from '../config.ts'
import { toAdapterError } from '../errors.ts'
import { type BoltEvents, logUnstored } from './bolt-events.ts'
import { connectionsIn, FULL, isOneTooMany, type SharedToken } from './shared-token.ts'

export type SocketOptions = Omit<SlackOptions, 'botToken'> & { readonly appToken: string }

const HELLO_MS = 10_000
/** Until a connection is given up that the other side does not close. */
export const CLOSE_MS = 3_000

/** One Socket Mode connection. */
export interface Socket {
  readonly client: SocketModeClient
  /** Resolves when Slack ends the connection or it breaks. */
  readonly ending: Promise<void>
  readonly isEnding: () => boolean
  readonly isGreeted: () => boolean
  /** Rejects when Slack has too many connections of the app. */
  readonly refusal: Promise<never>
  end(): void
  readonly closed: Promise<void>
}

/** Whether Slack announces that it recycles this connection. Tested as text first: most frames are events. */
function isGoodbye(frame: unknown): boolean {
  if (typeof frame !== 'string' || !frame.includes('"disconnect"')) return false
  return parseFields(frame)['type'] === 'disconnect'
}

function watch(client: SocketModeClient, token: SharedToken): Socket {
  const ending = Promise.withResolvers<void>()
  let isEnding = false
  let isGreeted = false
  const end = () => {
    isEnding = true
    ending.resolve()
  }
  const closed = Promise.withResolvers<void>()
  const refusal = Promise.withResolvers<never>()
  refusal.promise.catch(() => {})
  client.on('ws_message', (data: unknown) => {
    isGreeted ||= connectionsIn(data) !== undefined
    token.heard(data)
    if (isOneTooMany(data)) refusal.reject(new AdapterError('network', FULL))
    if (isGoodbye(data)) end()
  })
  client.on('disconnected', () => {
    if (!isEnding) token.broke()
    end()
    closed.resolve()
  })
  return {
    client,
    ending: ending.promise,
    isEnding: () => isEnding,
    isGreeted: () => isGreeted,
    refusal: refusal.promise,
    end,
    closed: closed.promise,
  }
}

/** Calls close twice: the second time the SDK does not wait for the other side. */
export async function close(socket: Socket): Promise<void> {
  socket.end()
  const quietly = () => void socket.client.disconnect().catch(() => {})
  quietly()
  const isClosed = await waitAtMost(
    CLOSE_MS,
    socket.closed.then(() => true),
  )
  if (isClosed !== true) quietly()
}

/** Thrown where the SDK learns an address: it would open a connection that was given up while it waited for that. */
function giveUp(): never {
  throw new AdapterError('network', 'The address of this Socket Mode connection came too late.')
}

/** Opens one connection. */
export function createConnector(
  options: SocketOptions,
  take: BoltEvents['take'],
  logger: SdkLogger,
  open: Set<Socket>,
  token: SharedToken,
) {
  // We log the reason of a failed connection ourselves, once a minute: the SDK has some lines for each try.
  const atDebug = (...parts: unknown[]) => logger.info(...parts)
  const quiet: SdkLogger = { ...logger, error: atDebug, warn: atDebug }

  return async (): Promise<Socket> => {
    const client = new SocketModeClient({
      appToken: options.appToken,
      autoReconnectEnabled: false,
      logger: quiet,
      clientOptions: toClientOptions(options, quiet),
    })
    client.on('slack_event', (event: ReceiverEvent) => {
      void take(event).catch((error: unknown) => logUnstored(options.log, error))
    })
    const socket = watch(client, token)
    open.add(socket)
    void socket.closed.then(() => open.delete(socket))
    const hello = client.start().then(
      () => true,
      (error: unknown) => {
        const cause = error ?? new Error('closed before it was ready')
        throw toAdapterError(cause, 'apps.connections.open', false)
      },
    )
    try {
      if (await waitAtMost(options.helloMs ?? HELLO_MS, Promise.race([hello, socket.refusal]))) return socket
      throw new AdapterError(
        'network',
        'Slack opened no Socket Mode connection in time. Check the connection to Slack and SLACK_API_URL.',
      )
    } catch (error) {
      open.delete(socket)
      client.on('authenticated', giveUp)
      // Slack may count it.
      if (!socket.isEnding()) token.broke()
      await close(socket)
      throw error
    }
  }
}
