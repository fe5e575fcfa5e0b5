import type { Log } from '#bridge/port/platform.ts'
import { number, parseFields } from '#adapters/shared/json.ts'

interface TokenParts {
  readonly log: Log
  /** Connections of this process: `least` are open, `most` counts those that begin or end now. */
  readonly own: () => { readonly least: number; readonly most: number }
  /** Connections that each other process on our database keeps. */
  readonly sockets: number
  /** Processes on our database, with this one. */
  readonly processes: () => number
  /** Opens one more connection for a moment, whose hello is heard. */
  readonly lookAgain: () => Promise<void>
  /** Wait before it looks again, milliseconds. Default 10 s. */
  readonly lookAgainMs?: number
  /** Time since the start or the last break after which it tells what it can't tell from broken ones. Default 20 min. */
  readonly quietMs?: number
}

/** Slack gives each event to any one of an app's connections: a process with other data that has our token takes some of them. */
export interface SharedToken {
  /** Reads a frame: a hello names the connections of the app, its own among them; a refusal says that they are too many. */
  heard(frame: unknown): void
  /** One of our connections ended without a goodbye: Slack may count it for a long time. */
  broke(): void
  /** A sentence while others are connected with the token, with what to do. */
  warning(): string | undefined
  stop(): void
}

const LOOK_AGAIN_MS = 10_000
/** Longer than a server waits for a network that is gone, which is a quarter of an hour with TCP. */
const QUIET_MS = 20 * 60_000
/** A hello may count connections that end just now. */
export const LOOKS = 3
/** Once it is told, a look is this many times rarer. */
const RARER = 30
/** Timers may fire this much early. */
const CLOCK_MS = 5
/** https://docs.slack.dev/apis/events-api/using-socket-mode */
const MAX_CONNECTIONS = 10
/** From here on no look takes the last place of a connection that is needed. */
export const MAX_LOOKED_AT = MAX_CONNECTIONS - 1

const WHAT_TO_DO =
  'End the other process, or give it a Slack app of its own; processes that work together, five at most, belong on one PostgreSQL (DATABASE_URL)'
/** A new token alone frees no place: the limit is that of the app. */
const WHERE_NONE =
  'Where you find none, wait: Slack gives broken connections up within hours. Or make a new app-level token and revoke the old one, which shuts out whoever has it'

/** More connections were opened than broke: certain. */
const SHARED = `SLACK_APP_TOKEN is used by another process, too: Slack splits the events among both, and some questions are answered there or not at all. ${WHAT_TO_DO}`

/** A count says no more: Slack counts what broke as long as it has not noticed it. */
export const UNSURE = `SLACK_APP_TOKEN is used by another process, too, or Slack still counts connections that broke: it counts more than Footbridge has, and what it sends to those is answered late or not at all. ${WHAT_TO_DO}. ${WHERE_NONE}`

export const FULL = `Slack has ten connections of this app and takes no more: SLACK_APP_TOKEN is used by other processes, too, or Slack still counts connections that broke. ${WHAT_TO_DO}. ${WHERE_NONE}`

/** The connections of the app; undefined: this frame is no hello. Tested as text first: most frames are events. */
export function connectionsIn(frame: unknown): number | undefined {
  if (typeof frame !== 'string' || !frame.includes('"hello"')) return undefined
  const fields = parseFields(frame)
  return fields['type'] === 'hello' ? number(fields, 'num_connections') : undefined
}

/** Whether Slack ends a connection because the app has too many. */
export function isOneTooMany(frame: unknown): boolean {
  if (typeof frame !== 'string' || !frame.includes('"too_many_websockets"')) return false
  const fields = parseFields(frame)
  return fields['type'] === 'disconnect' && fields['reason'] === 'too_many_websockets'
}

/** A suspicion becomes a warning after several looks. */
function createLooks({ log, lookAgain, lookAgainMs = LOOK_AGAIN_MS, quietMs = QUIET_MS }: TokenParts) {
  let quietSince = performance.now()
  let suspected: string | undefined
  /** Hellos in a row that named too many connections. */
  let looks = 0
  /** Connections in a row that were refused. */
  let refusals = 0
  /** No earlier hello counts as another look. */
  let nextAt = 0
  let told: string | undefined
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  const dueAt = () => (told === undefined && suspected === UNSURE ? Math.max(nextAt, quietSince + quietMs) : nextAt)

  async function look(connections: number): Promise<void> {
    // A connection may have broken meanwhile.
    if (performance.now() < dueAt() - CLOCK_MS) return waitForNext(connections)
    await lookAgain().catch(() => {
      nextAt = performance.now() + RARER * lookAgainMs
      waitForNext(connections)
    })
  }

  function waitForNext(connections: number): void {
    clearTimeout(timer)
    if (isStopped || connections >= MAX_LOOKED_AT) return
    const waitMs = Math.max(dueAt() - performance.now(), 0)
    timer = setTimeout(() => void look(connections), waitMs).unref()
  }

  return {
    told: () => told,
    broke: () => void (quietSince = performance.now()),
    refused() {
      refusals += 1
      if (refusals === LOOKS && told !== FULL) log.warn({ connections: MAX_CONNECTIONS }, (told = FULL))
    },
    greeted(connections: number) {
      refusals = 0
      if (told === FULL && connections < MAX_CONNECTIONS) told = undefined
    },
    suspect(sentence: string, connections: number) {
      if (sentence !== suspected) [suspected, looks, nextAt] = [sentence, 0, 0]
      const now = performance.now()
      if (now >= dueAt() - CLOCK_MS) {
        looks += 1
        if (looks === LOOKS) log.warn({ connections }, (told = sentence))
        nextAt = now + (told === undefined ? 1 : RARER) * lookAgainMs
      }
      waitForNext(connections)
    },
    /** Some of our own begin or end now. */
    wait(connections: number) {
      nextAt = Math.max(nextAt, performance.now() + lookAgainMs)
      waitForNext(connections)
    },
    calm(connections: number) {
      if (told !== undefined) log.info({ connections }, 'Slack counts no other connections of SLACK_APP_TOKEN any more')
      clearTimeout(timer)
      suspected = told = undefined
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

export function createSharedToken(parts: TokenParts): SharedToken {
  const { own, sockets, processes } = parts
  const looks = createLooks(parts)
  /** Connections of others that may be broken ones: those at the start, and each that broke since. */
  let explained = Infinity
  /** Connections of other processes break, too, and nobody tells us. */
  let hadOthers = false

  function judge(connections: number): void {
    const { least, most } = own()
    looks.greeted(connections)
    const others = (processes() - 1) * sockets
    hadOthers ||= others > 0
    const isCertain = looks.told() === SHARED || (!hadOthers && connections - most > explained)
    explained = Math.min(explained, connections - least)
    if (connections <= least + others) looks.calm(connections)
    else if (connections <= most + others) looks.wait(connections)
    else looks.suspect(isCertain ? SHARED : UNSURE, connections)
  }

  return {
    heard(frame) {
      if (isOneTooMany(frame)) looks.refused()
      const connections = connectionsIn(frame)
      if (connections !== undefined) judge(connections)
    },
    broke() {
      explained += 1
      looks.broke()
    },
    warning: looks.told,
    stop: () => looks.stop(),
  }
}
