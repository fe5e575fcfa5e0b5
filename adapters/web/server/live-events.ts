import { randomBytes } from 'node:crypto'
import type { WebEvent, WebStatus } from '../protocol.ts'
import type { ConversationRef } from '#bridge/port/message.ts'
import { placeOnPage } from './inbound.ts'

/** Events kept for reconnecting browsers; a page that missed older ones reloads its messages. */
const MAX_KEPT_EVENTS = 2000
const MAX_KEPT_BYTES = 8 * 1024 * 1024
/** A browser that lags behind by more than this is disconnected; it reconnects and loads what it missed. */
const MAX_LAG_BYTES = 2 * 1024 * 1024
/** Streams of one session, one for each open tab; the oldest ends, and its tab comes back. */
const MAX_STREAMS = 50
/** Well below the idle limits of proxies. */
const HEARTBEAT_MS = 15_000

export interface EventHub {
  publish(event: WebEvent): void
  /**
   * A `text/event-stream` body.
   *
   * @param lastEventId as the browser sends it when it comes back.
   * @param session whose stream it is; undefined where the page has no login.
   */
  subscribe(lastEventId: string | undefined, session?: string): ReadableStream<Uint8Array>
  /** Ends the streams of one session. */
  disconnect(session: string): void
  /** Ends every stream for good. */
  close(): void
}

interface HubOptions {
  /** Asked at each heartbeat: a session also ends by its age, and on other processes. Default: every session is valid. */
  readonly isValid?: (session: string) => Promise<boolean>
  /** Default 15 s. */
  readonly heartbeatMs?: number
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createEventHub({ isValid = async () => true, heartbeatMs = HEARTBEAT_MS }: HubOptions = {}): EventHub {
  // Distinguishes our event ids from those of an earlier process: the counter restarts with the process.
  const boot = randomBytes(4).toString('hex')
  const encoder = new TextEncoder()
  const kept: { readonly n: number; readonly bytes: Uint8Array }[] = []
  const browsers = new Map<Browser, string | undefined>()
  let keptBytes = 0
  let last = 0

  const heartbeat = setInterval(() => {
    for (const browser of browsers.keys()) send(browser, encoder.encode(': still here\n\n'))
    for (const session of new Set(browsers.values())) void endIfOver(session)
  }, heartbeatMs)
  heartbeat.unref()

  const send = (browser: Browser, bytes: Uint8Array) => {
    if ((browser.desiredSize ?? 0) < 0) {
      browsers.delete(browser)
      browser.close()
      return
    }
    browser.enqueue(bytes)
  }

  const disconnect = (isMeant: (session: string | undefined) => boolean) => {
    for (const [browser, session] of browsers) {
      if (!isMeant(session)) continue
      browsers.delete(browser)
      browser.close()
    }
  }

  const endIfOver = async (session: string | undefined) => {
    // A store that does not answer ends nothing.
    if (session !== undefined && !(await isValid(session).catch(() => true))) disconnect((other) => other === session)
  }

  const missedSince = (lastEventId: string | undefined) => {
    const [sameBoot, n] = lastEventId?.split('.') ?? []
    if (sameBoot !== boot || n === undefined || !/^\d+$/.test(n)) return undefined
    const since = Number(n)
    const oldest = kept[0]?.n ?? last + 1
    return since > last || since < oldest - 1 ? undefined : kept.filter((event) => event.n > since)
  }

  return {
    publish(event) {
      last += 1
      const bytes = encoder.encode(frame(event, `${boot}.${last}`))
      kept.push({ n: last, bytes })
      keptBytes += bytes.byteLength
      while (kept.length > MAX_KEPT_EVENTS || keptBytes > MAX_KEPT_BYTES)
        keptBytes -= kept.shift()?.bytes.byteLength ?? 0
      for (const browser of browsers.keys()) send(browser, bytes)
    },
    subscribe(lastEventId, session) {
      let own: Browser | undefined
      const [oldest, ...others] = [...browsers].filter(([, other]) => other === session)
      if (oldest !== undefined && others.length + 1 >= MAX_STREAMS) {
        browsers.delete(oldest[0])
        oldest[0].close()
      }
      return new ReadableStream<Uint8Array>(
        {
          start(browser) {
            own = browser
            const missed = missedSince(lastEventId)
            // `hello` has an id too, so that a browser that received nothing else can resume from here.
            const from = missed ? lastEventId : `${boot}.${last}`
            browser.enqueue(
              encoder.encode(`retry: 1000\n${frame({ type: 'hello', resumed: missed !== undefined }, from)}`),
            )
            for (const event of missed ?? []) browser.enqueue(event.bytes)
            browsers.set(browser, session)
          },
          cancel() {
            if (own) browsers.delete(own)
          },
        },
        new ByteLengthQueuingStrategy({ highWaterMark: MAX_LAG_BYTES }),
      )
    },
    disconnect: (session) => disconnect((other) => other === session),
    close() {
      clearInterval(heartbeat)
      disconnect(() => true)
    },
  }
}

type Browser = ReadableStreamDefaultController<Uint8Array>

/** JSON has no line break, so one `data` line is always enough. */
function frame(event: WebEvent, id: string | undefined): string {
  return `id: ${id ?? ''}\ndata: ${JSON.stringify(event)}\n\n`
}

/** Status lines, one per conversation; the newest one counts. */
export interface Statuses {
  show(conversation: ConversationRef, text: string, signal: AbortSignal): void
  clear(conversation: ConversationRef): void
  list(): readonly WebStatus[]
  /** Another process shows it. */
  note(status: WebStatus): void
}

export function createStatuses(publish: (status: WebStatus) => void): Statuses {
  const shown = new Map<string, WebStatus>()
  const clear = (conversation: ConversationRef) => {
    const place = placeOnPage(conversation)
    if (shown.delete(keyOf(place))) publish({ ...place, text: null })
  }
  return {
    show(conversation, text, signal) {
      if (signal.aborted) return
      const place = placeOnPage(conversation)
      const status = { ...place, text }
      shown.set(keyOf(place), status)
      publish(status)
      // A later status of the same conversation must outlive the end of this one.
      const end = () => shown.get(keyOf(place)) === status && clear(conversation)
      signal.addEventListener('abort', end, { once: true })
    },
    clear,
    list: () => [...shown.values()],
    note(status) {
      if (status.text === null) shown.delete(keyOf(status))
      else shown.set(keyOf(status), status)
    },
  }
}

function keyOf({ channel, thread }: Pick<WebStatus, 'channel' | 'thread'>): string {
  return `${channel}/${thread ?? ''}`
}
