import type { Log } from '#bridge/port/platform.ts'
import { number, parseFields } from '#adapters/shared/json.ts'

interface TokenParts {
  readonly log: Log
  /** Connections that one process keeps open. */
  readonly sockets: number
  /** Processes on our database, each with connections of its own. */
  readonly processes: () => number
  /** Opens one more connection for a moment, whose hello is heard. */
  readonly lookAgain: () => Promise<void>
  /** Wait before it looks again, milliseconds. Default a minute: Slack may still count connections that are gone. */
  readonly lookAgainMs?: number
}

/** Slack gives each event to any one of an app's connections: a process with other data that has our token takes some of them. */
export interface SharedToken {
  /** Reads a frame; a hello names the connections of the app, its own among them. */
  heard(frame: unknown): void
  stop(): void
}

const LOOK_AGAIN_MS = 60_000
/** Timers may fire this much early. */
const CLOCK_MS = 5

const SHARED =
  'Another process holds connections with this SLACK_APP_TOKEN, and Slack splits the events between it and this one: some questions are answered there or not at all. End the other Footbridge, or give it a Slack app of its own; several processes belong on one PostgreSQL (DATABASE_URL)'

export function createSharedToken({
  log,
  sockets,
  processes,
  lookAgain,
  lookAgainMs = LOOK_AGAIN_MS,
}: TokenParts): SharedToken {
  /** Since then each hello has named too many connections. */
  let since: number | undefined
  let isTold = false
  let timer: NodeJS.Timeout | undefined

  function judge(connections: number): void {
    // While one is replaced, or looked through, a process has one more.
    if (connections <= processes() * (sockets + 1)) {
      if (isTold) log.info({ connections }, 'No other process holds connections with this SLACK_APP_TOKEN any more')
      clearTimeout(timer)
      since = undefined
      isTold = false
    } else if (since === undefined) {
      since = performance.now()
      timer = setTimeout(() => void lookAgain().catch(() => (since = undefined)), lookAgainMs).unref()
    } else if (!isTold && performance.now() - since >= lookAgainMs - CLOCK_MS) {
      isTold = true
      log.warn({ connections }, SHARED)
    }
  }

  return {
    heard(frame) {
      if (typeof frame !== 'string' || !frame.includes('"hello"')) return
      const fields = parseFields(frame)
      const connections = fields['type'] === 'hello' ? number(fields, 'num_connections') : undefined
      if (connections !== undefined) judge(connections)
    },
    stop: () => clearTimeout(timer),
  }
}
