import type { Log } from '#bridge/port/platform.ts'
import { number, parseFields } from '#adapters/shared/json.ts'

interface TokenParts {
  readonly log: Log
  /** Connections of this process, with those that open now. */
  readonly own: () => number
  /** Connections that each other process on our database keeps. */
  readonly sockets: number
  /** Processes on our database, with this one. */
  readonly processes: () => number
  /** Opens one more connection for a moment, whose hello is heard. */
  readonly lookAgain: () => Promise<void>
  /** Wait before it looks again, milliseconds. Default 1 min. */
  readonly lookAgainMs?: number
}

/** Slack gives each event to any one of an app's connections: a process with other data that has our token takes some of them. */
export interface SharedToken {
  /** Reads a frame; a hello names the connections of the app, its own among them. */
  heard(frame: unknown): void
  /** A sentence while another process has the token, with what to do. */
  warning(): string | undefined
  stop(): void
}

const LOOK_AGAIN_MS = 60_000
/** A hello may count connections that are gone, or that our other processes replace just now. */
export const LOOKS = 3
/** Once it is told, a look is this many times rarer. */
const RARER = 5
/** Timers may fire this much early. */
const CLOCK_MS = 5

export const SHARED =
  'SLACK_APP_TOKEN is used by another process, too: Slack splits the events among both, and some questions are answered there or not at all. End the other process, or give it a Slack app of its own; processes that work together belong on one PostgreSQL (DATABASE_URL)'

/** The connections of the app; undefined: this frame is no hello. Tested as text first: most frames are events. */
export function connectionsIn(frame: unknown): number | undefined {
  if (typeof frame !== 'string' || !frame.includes('"hello"')) return undefined
  const fields = parseFields(frame)
  return fields['type'] === 'hello' ? number(fields, 'num_connections') : undefined
}

export function createSharedToken(parts: TokenParts): SharedToken {
  const { log, own, sockets, processes, lookAgain, lookAgainMs = LOOK_AGAIN_MS } = parts
  /** Hellos in a row that named too many connections. */
  let looks = 0
  /** No earlier hello counts as another look. */
  let nextAt = 0
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const isTold = () => looks >= LOOKS

  function waitForNext(): void {
    const waitMs = isTold() ? RARER * lookAgainMs : lookAgainMs
    nextAt = performance.now() + waitMs - CLOCK_MS
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(() => void lookAgain().catch(waitForNext), waitMs).unref()
  }

  function judge(connections: number): void {
    if (connections <= own() + (processes() - 1) * sockets) {
      if (isTold()) log.info({ connections }, 'SLACK_APP_TOKEN is used by no other process any more')
      clearTimeout(timer)
      looks = 0
      nextAt = 0
    } else if (performance.now() >= nextAt) {
      looks += 1
      if (looks === LOOKS) log.warn({ connections }, SHARED)
      waitForNext()
    }
  }

  return {
    heard(frame) {
      const connections = connectionsIn(frame)
      if (connections !== undefined) judge(connections)
    },
    warning: () => (isTold() ? SHARED : undefined),
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
