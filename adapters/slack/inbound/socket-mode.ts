import { setTimeout as sleep } from 'node:timers/promises'
import { AdapterError } from '#bridge/port/errors.ts'
import { createLinePace, pauseBefore } from '#bridge/port/outage.ts'
import { waitAtMost } from '#adapters/shared/session.ts'
import type { SdkLogger } from '../api.ts'
import { slackCode } from '../errors.ts'
import type { BoltEvents } from './bolt-events.ts'
import { createSharedToken, type SharedToken } from './shared-token.ts'
import { close, CLOSE_MS, createConnector, type Socket, type SocketOptions } from './socket.ts'

/**
 * Socket Mode connections of one app. The reconnect of socket-mode 3.1.0 is not used: it waits 5 s, more after each
 * failure, and a failure during it is an unhandled rejection. Here each connection is a client of its own, replaced
 * at once when Slack recycles it; two of them keep one always open.
 */
export interface Sockets {
  /** Resolves with the first open connection. @throws {AdapterError} when Slack refuses or cannot be reached. */
  start(): Promise<void>
  stop(): Promise<void>
  /** At least one connection is open. */
  isOpen(): boolean
  /** A sentence while others are connected with the app-level token. */
  warning(): string | undefined
}

/** Times without any open connection. Slack sends an event that was not acknowledged again, for some minutes. */
export interface Gaps {
  /** The last connection is lost. */
  begun(): void
  ended(awayMs: number): void
}

const SOCKETS = 2
/** A connection counts as stable after this many times the first pause: Slack may greet and close at once. */
const STABLE_PAUSES = 5
const RECONNECT_MS = 1_000
/** Failures after which a first connection ends the start. */
const MAX_FIRST_FAILURES = 3
/** Permanent refusals, which end the start. A running adapter keeps trying: somebody may repair the app. */
const FATAL_CODES = new Set([
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

const refusedToken = (error: unknown) =>
  new AdapterError(
    'unauthorized',
    `Slack refused SLACK_APP_TOKEN (${slackCode(error) ?? ''}). Copy the app-level token (xapp-…) with the scope connections:write from "Basic Information", and see that Socket Mode is on.`,
    { cause: error },
  )

const CLOSED = new AdapterError('network', 'Slack closes each connection right after it was opened.')

const watchToken = (options: SocketOptions, open: ReadonlySet<Socket>, lookAgain: () => Promise<void>): SharedToken =>
  createSharedToken({
    ...options,
    own: () => ({
      least: [...open].filter(({ isGreeted, isEnding }) => isGreeted() && !isEnding()).length,
      most: open.size,
    }),
    sockets: options.sockets ?? SOCKETS,
    processes: options.processes ?? (() => 1),
    lookAgain,
  })

const isFatal = (error: unknown) => FATAL_CODES.has(slackCode(error) ?? '')

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createSockets(
  options: SocketOptions,
  take: BoltEvents['take'],
  logger: SdkLogger,
  gaps?: Gaps,
): Sockets {
  const open = new Set<Socket>()
  const token = watchToken(options, open, async () => close(await connect()))
  const connect = createConnector(options, take, logger, open, token)
  const halt = new AbortController()
  const ready = Promise.withResolvers<void>()
  const loops: Promise<void>[] = []
  let hasBegun = false
  let established = 0
  const lines = createLinePace()
  let lostAt: number | undefined
  let isTold = false
  /** Since then there was no stable connection. */
  let goneAt: number | undefined
  let back: NodeJS.Timeout | undefined
  const stableMs = STABLE_PAUSES * (options.reconnectMs ?? RECONNECT_MS)

  function tellBack(): void {
    const awayMs = Math.round(performance.now() - (goneAt ?? performance.now()) - stableMs)
    goneAt = undefined
    if (isTold) options.log.info({ awayMs }, 'Slack is connected again')
    isTold = false
  }

  function opened(): void {
    established += 1
    if (lostAt === undefined) return
    const awayMs = Math.round(performance.now() - lostAt)
    lostAt = undefined
    back = setTimeout(tellBack, stableMs).unref()
    gaps?.ended(awayMs)
  }

  function lost(): void {
    established -= 1
    if (established > 0 || halt.signal.aborted) return
    lostAt = performance.now()
    goneAt ??= lostAt
    clearTimeout(back)
    gaps?.begun()
  }

  function tell(error: unknown, failures: number): void {
    // A start that fails is told by whoever began it.
    if (!hasBegun || established > 0 || !lines.isDue()) return
    isTold = true
    options.log.warn(
      { err: error, failures },
      'No connection to Slack can be opened, or none stays open; it is tried again. Check the network',
    )
  }

  /** Keeps one connection open until we stop. */
  async function keepOpen(): Promise<void> {
    let failures = 0
    while (!halt.signal.aborted) {
      const since = Date.now()
      let askedMs = 0
      try {
        const socket = await connect()
        if (halt.signal.aborted) return await close(socket)
        hasBegun = true
        ready.resolve()
        opened()
        await socket.ending.finally(lost)
        failures = Date.now() - since > stableMs ? 0 : failures + 1
        if (failures > 1) tell(CLOSED, failures)
      } catch (error) {
        failures += 1
        if (halt.signal.aborted) return
        if (isFatal(error) || failures > MAX_FIRST_FAILURES) ready.reject(error)
        // The start then fails with this error.
        if (!hasBegun && isFatal(error)) return
        tell(error, failures)
        askedMs = error instanceof AdapterError ? (error.retryAfterMs ?? 0) : 0
      }
      await sleep(Math.max(pauseBefore(failures - 1, options.reconnectMs), askedMs), undefined, {
        signal: halt.signal,
      }).catch(() => {})
    }
  }

  async function stop() {
    halt.abort()
    token.stop()
    clearTimeout(back)
    await Promise.all([...open].map(close))
    await waitAtMost(CLOSE_MS, Promise.all(loops))
  }

  return {
    stop,
    isOpen: () => established > 0,
    warning: () => token.warning(),
    async start() {
      for (let slot = 0; slot < (options.sockets ?? SOCKETS); slot += 1) loops.push(keepOpen())
      try {
        await ready.promise
      } catch (error) {
        await stop()
        throw isFatal(error) ? refusedToken(error) : error
      }
    },
  }
}
