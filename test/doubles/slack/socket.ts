/**
 * Socket Mode: hello, envelopes, acks, disconnect frames. Or signed posts. Unacknowledged envelopes can be sent again.
 */
import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Away } from './away.ts'
import type { Faults } from './faults.ts'
import { isJson, str, type Envelope, type Json } from './types.ts'

export interface SocketSide {
  readonly envelopes: Envelope[]
  openConnection(base: string): string
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** To one open connection; kept until one opens when no connection is open. */
  send(type: Envelope['type'], payload: Json, options?: { readonly echo?: boolean }): Envelope
  /** From now on events are posted there, signed, also those that nobody has taken; each until it is answered with 200. */
  postTo(url: string, signingSecret: string): void
  /** As Slack does when it saw no acknowledgement. */
  resend(envelope: Envelope): void
  /** Nothing that waits for a connection is sent any more. */
  giveUp(): void
  /** Tells the newest connection (or every one) to go away politely. */
  disconnect(reason: string, which?: 'newest' | 'oldest' | 'all'): void
  /** Says so and then hears nothing more, not even the close frame that answers it. */
  deafen(reason?: string): void
  /** Cuts every connection without a close frame. */
  cut(): void
  count(): number
  /** Requests for a connection, whatever became of them. */
  attempts(): number
  /** Connections, whether they are used or not. */
  held(): number
  /** Connections that were one too many. */
  refused(): number
  /** Connections as a hello counts them. */
  counted(): number
  /** Cuts all connections (`silent`: keeps them) and is away until it is called with undefined. */
  away(how: Away | undefined): void
  /** Forgets what was acknowledged. */
  forget(): void
  close(): Promise<void>
}

const PING_MS = 10_000
/** https://docs.slack.dev/apis/events-api/using-socket-mode */
const MAX_CONNECTIONS = 10
/** No close frame came: https://www.rfc-editor.org/rfc/rfc6455#section-7.1.5 */
const ABNORMAL = 1006
/** https://docs.slack.dev/apis/events-api: an answer is due within three seconds. */
const ANSWER_MS = 3_000
/** Slack waits a minute; a new second is a new signature. */
const POST_AGAIN_MS = 1_100

/** Events are JSON, commands a form, interactions a form with JSON in it. */
function toBody({ type, payload }: Envelope): readonly [body: string, contentType: string] {
  if (type === 'events_api') return [JSON.stringify(payload), 'application/json']
  const fields = type === 'interactive' ? { payload: JSON.stringify(payload) } : payload
  const texts = Object.entries(fields).map(([name, value]) => [name, String(value)] as [string, string])
  return [new URLSearchParams(texts).toString(), 'application/x-www-form-urlencoded']
}

type Sent = Envelope & { settle: () => void; via?: WebSocket | undefined }

export interface SocketSideOptions {
  /**
   * Slack may use any open connection for any event. Off, the oldest takes them all, so that what was said one after the
   * other arrives one after the other.
   */
  readonly spread?: boolean
  /**
   * Ages at which an event that nobody has acknowledged is sent again over a connection that is open then, and never
   * otherwise: Slack's are 0, 1 and 5 minutes. Absent: it waits for the next connection.
   */
  readonly sendsAgainMs?: readonly number[]
  /** A connection that ends without a close frame stays counted this long: https://github.com/slackapi/python-slack-sdk/issues/1940 */
  readonly ghostsMs?: number
  /** Slack answers a close frame and leaves the closing of TCP to the client: slackapi/node-slack-sdk#2752. */
  readonly leavesOpen?: boolean
}

export function createSocketSide(
  faults: Faults,
  changed: () => void,
  { spread = false, sendsAgainMs, ghostsMs = 0, leavesOpen = false }: SocketSideOptions,
): SocketSide {
  const server = new WebSocketServer({ noServer: true })
  const tickets = new Set<string>()
  const open: WebSocket[] = []
  const envelopes: Sent[] = []
  const byId = new Map<string, Sent>()
  let turn = 0
  let attempts = 0
  let away: Away | undefined
  let ids = 0
  let ghosts = 0
  let refused = 0
  const later = new Set<NodeJS.Timeout>()

  const frame = (envelope: Sent) =>
    JSON.stringify({
      envelope_id: envelope.id,
      type: envelope.type,
      accepts_response_payload: envelope.type !== 'events_api',
      retry_attempt: envelope.attempts - 1,
      retry_reason: envelope.attempts > 1 ? 'timeout' : '',
      payload: envelope.payload,
    })

  let target: { readonly url: string; readonly signingSecret: string } | undefined
  let posting: Promise<void> = Promise.resolve()
  let isClosed = false

  async function postOnce(envelope: Sent, { url, signingSecret }: NonNullable<typeof target>): Promise<void> {
    const [body, type] = toBody(envelope)
    const stamp = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', signingSecret).update(`v0:${stamp}:${body}`).digest('hex')
    const headers = {
      'content-type': type,
      'x-slack-request-timestamp': stamp,
      'x-slack-signature': `v0=${signature}`,
      ...(envelope.attempts > 1 ? { 'x-slack-retry-num': String(envelope.attempts - 1) } : {}),
    }
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(ANSWER_MS) })
    const answer = await response.text()
    if (response.status === 200) acknowledge(envelope, answer === '' ? undefined : JSON.parse(answer))
  }

  /** One after the other, so that what was said in order arrives in order. */
  function post(envelope: Sent, to: NonNullable<typeof target>): void {
    envelope.delivered = true
    posting = postAfter(posting, envelope, to)
  }

  async function postAfter(before: Promise<void>, envelope: Sent, to: NonNullable<typeof target>): Promise<void> {
    await before
    if (to !== target || isClosed) return
    envelope.attempts += 1
    await postOnce(envelope, to).catch(() => {})
    if (envelope.ackedAt !== undefined) return
    setTimeout(() => void (target === to && post(envelope, to)), POST_AGAIN_MS).unref()
  }

  function deliver(envelope: Sent) {
    if (target !== undefined) return post(envelope, target)
    const socket = away === 'closing' ? undefined : open[spread ? (turn += 1) % Math.max(open.length, 1) : 0]
    envelope.delivered = socket !== undefined
    if (socket === undefined) return
    envelope.attempts += 1
    envelope.via = socket
    socket.send(frame(envelope))
  }

  function sendAgain(envelope: Sent) {
    for (const ms of sendsAgainMs ?? [])
      later.add(setTimeout(() => void (envelope.ackedAt === undefined && deliver(envelope)), ms).unref())
  }

  function onMessage(raw: string) {
    const message: unknown = JSON.parse(raw)
    if (!isJson(message)) return
    const envelope = byId.get(str(message['envelope_id']) ?? '')
    if (envelope !== undefined) acknowledge(envelope, message['payload'])
  }

  function acknowledge(envelope: Sent, payload: unknown) {
    envelope.ackedAt ??= Date.now()
    envelope.ackPayload = payload
    envelope.settle()
    changed()
  }

  function haunt() {
    ghosts += 1
    setTimeout(() => (ghosts -= 1), ghostsMs).unref()
  }

  function onClose(socket: WebSocket, code: number) {
    const at = open.indexOf(socket)
    if (code === ABNORMAL && ghostsMs > 0) haunt()
    if (at >= 0) open.splice(at, 1)
    for (const envelope of envelopes)
      if (envelope.via === socket && envelope.ackedAt === undefined) {
        envelope.via = undefined
        envelope.delivered = sendsAgainMs !== undefined
        if (spread && !envelope.delivered) deliver(envelope)
      }
    changed()
  }

  function accept(socket: WebSocket, tcp: Duplex) {
    socket.on('error', () => {})
    // It ends TCP once both sides have sent their close frame.
    if (leavesOpen) tcp.end = () => (onClose(socket, 1000), tcp)
    if (away === 'silent') return socket.pause()
    if (away === 'no-hello') return
    if (open.length + ghosts >= MAX_CONNECTIONS) {
      refused += 1
      socket.send(JSON.stringify({ type: 'disconnect', reason: 'too_many_websockets', debug_info: { host: 'double' } }))
      return socket.close(1000)
    }
    const ping = setInterval(() => socket.ping(), PING_MS).unref()
    socket.on('message', (raw) => onMessage((raw as Buffer).toString('utf8')))
    socket.on('close', (code) => {
      clearInterval(ping)
      onClose(socket, code)
    })
    socket.on('error', () => {})
    open.push(socket)
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: open.length + ghosts,
        debug_info: { host: 'double' },
        connection_info: { app_id: 'A0APP' },
      }),
    )
    if (away === 'closing') return socket.close(1011)
    if (sendsAgainMs === undefined)
      for (const envelope of envelopes) if (!envelope.delivered && envelope.ackedAt === undefined) deliver(envelope)
    changed()
  }

  return {
    envelopes,
    openConnection(base) {
      if (away === 'dns') return 'ws://socket.invalid/link'
      const ticket = crypto.randomUUID()
      tickets.add(ticket)
      return `${base}/link/?ticket=${ticket}`
    },
    upgrade(request, socket, head) {
      attempts += 1
      socket.on('error', () => {})
      if (away === 'unavailable') {
        socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n')
        return
      }
      const ticket = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams.get('ticket') ?? ''
      const fault = faults.next('socket')
      if (!tickets.delete(ticket) || fault !== undefined) {
        if (fault === undefined || !('hang' in fault)) socket.destroy()
        return
      }
      server.handleUpgrade(request, socket, head, (opened) => accept(opened, socket))
    },
    send(type, payload, options = {}) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const envelope: Sent = {
        id: `env-${(ids += 1)}`,
        type,
        payload,
        echo: options.echo ?? false,
        attempts: 0,
        delivered: false,
        acked: promise,
        settle: resolve,
      }
      envelopes.push(envelope)
      byId.set(envelope.id, envelope)
      deliver(envelope)
      sendAgain(envelope)
      return envelope
    },
    postTo(url, signingSecret) {
      target = { url, signingSecret }
      for (const envelope of envelopes) if (envelope.ackedAt === undefined) post(envelope, target)
    },
    giveUp() {
      later.forEach(clearTimeout)
      for (const envelope of envelopes) envelope.delivered = true
    },
    resend(envelope) {
      const known = byId.get(envelope.id)
      if (known !== undefined) deliver(known)
    },
    disconnect(reason, which = 'newest') {
      const targets = which === 'all' ? [...open] : which === 'oldest' ? open.slice(0, 1) : open.slice(-1)
      for (const socket of targets)
        socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'double' } }))
    },
    deafen(reason) {
      for (const socket of open.splice(0)) {
        if (reason !== undefined) socket.send(JSON.stringify({ type: 'disconnect', reason }))
        socket.pause()
      }
    },
    cut() {
      for (const socket of open) socket.terminate()
    },
    count: () => open.length,
    attempts: () => attempts,
    held: () => server.clients.size,
    refused: () => refused,
    counted: () => open.length + ghosts,
    away(how) {
      away = how
      if (how !== 'silent') return server.clients.forEach((socket) => socket.terminate())
      open.length = 0
      server.clients.forEach((socket) => socket.pause())
    },
    forget() {
      const waiting = envelopes.filter(({ ackedAt }) => ackedAt === undefined)
      byId.clear()
      envelopes.length = 0
      for (const envelope of waiting) {
        envelopes.push(envelope)
        byId.set(envelope.id, envelope)
      }
    },
    async close() {
      isClosed = true
      for (const socket of server.clients) socket.terminate()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
