/** Socket Mode: hello, envelopes, acks, disconnect frames. What was not acknowledged can be sent again. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Faults } from './faults.ts'
import { isJson, str, type Envelope, type Json } from './types.ts'

export interface SocketSide {
  readonly envelopes: Envelope[]
  openConnection(base: string): string
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** To one open connection; kept until one opens when there is none. */
  send(type: Envelope['type'], payload: Json, options?: { readonly echo?: boolean }): Envelope
  /** As Slack does when it saw no acknowledgement. */
  resend(envelope: Envelope): void
  /** Nothing that waits for a connection is sent any more. */
  giveUp(): void
  /** Tells the newest connection (or every one) to go away politely. */
  disconnect(reason: string, which?: 'newest' | 'all'): void
  /** Says so and then hears nothing more, not even the close frame that answers it. */
  deafen(reason: string): void
  /** Cuts every connection without a close frame. */
  cut(): void
  count(): number
  close(): Promise<void>
}

const PING_MS = 10_000

type Sent = Envelope & { settle: () => void; via?: WebSocket }

/**
 * @param spread Slack may use any open connection for any event. Off, the oldest takes them all, so that what was said one
 *   after the other arrives one after the other.
 */
export function createSocketSide(faults: Faults, changed: () => void, spread: boolean): SocketSide {
  const server = new WebSocketServer({ noServer: true })
  const tickets = new Set<string>()
  const open: WebSocket[] = []
  const envelopes: Sent[] = []
  let turn = 0
  let ids = 0

  const frame = (envelope: Sent) =>
    JSON.stringify({
      envelope_id: envelope.id,
      type: envelope.type,
      accepts_response_payload: envelope.type !== 'events_api',
      retry_attempt: envelope.attempts - 1,
      retry_reason: envelope.attempts > 1 ? 'timeout' : '',
      payload: envelope.payload,
    })

  function deliver(envelope: Sent) {
    const socket = open[spread ? (turn += 1) % Math.max(open.length, 1) : 0]
    envelope.delivered = socket !== undefined
    if (socket === undefined) return
    envelope.attempts += 1
    envelope.via = socket
    socket.send(frame(envelope))
  }

  function onMessage(raw: string) {
    const message: unknown = JSON.parse(raw)
    if (!isJson(message)) return
    const envelope = envelopes.find((one) => one.id === str(message['envelope_id']))
    if (envelope === undefined) return
    envelope.ackedAt ??= Date.now()
    envelope.ackPayload = message['payload']
    envelope.settle()
    changed()
  }

  function onClose(socket: WebSocket) {
    const at = open.indexOf(socket)
    if (at >= 0) open.splice(at, 1)
    for (const envelope of envelopes)
      if (envelope.via === socket && envelope.ackedAt === undefined) envelope.delivered = false
    changed()
  }

  function accept(socket: WebSocket) {
    const ping = setInterval(() => socket.ping(), PING_MS).unref()
    socket.on('message', (raw) => onMessage((raw as Buffer).toString('utf8')))
    socket.on('close', () => {
      clearInterval(ping)
      onClose(socket)
    })
    socket.on('error', () => {})
    open.push(socket)
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: open.length,
        debug_info: { host: 'double' },
        connection_info: { app_id: 'A0APP' },
      }),
    )
    for (const envelope of envelopes) if (!envelope.delivered && envelope.ackedAt === undefined) deliver(envelope)
    changed()
  }

  return {
    envelopes,
    openConnection(base) {
      const ticket = crypto.randomUUID()
      tickets.add(ticket)
      return `${base}/link/?ticket=${ticket}`
    },
    upgrade(request, socket, head) {
      const ticket = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams.get('ticket') ?? ''
      const fault = faults.next('socket')
      if (!tickets.delete(ticket) || fault !== undefined) {
        if (fault === undefined || !('hang' in fault)) socket.destroy()
        return
      }
      server.handleUpgrade(request, socket, head, accept)
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
      deliver(envelope)
      return envelope
    },
    giveUp() {
      for (const envelope of envelopes) envelope.delivered = true
    },
    resend(envelope) {
      const known = envelopes.find((one) => one.id === envelope.id)
      if (known !== undefined) deliver(known)
    },
    disconnect(reason, which = 'newest') {
      const targets = which === 'all' ? [...open] : open.slice(-1)
      for (const socket of targets)
        socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'double' } }))
    },
    deafen(reason) {
      for (const socket of open.splice(0)) {
        socket.send(JSON.stringify({ type: 'disconnect', reason }))
        socket.pause()
      }
    },
    cut() {
      for (const socket of open) socket.terminate()
    },
    count: () => open.length,
    async close() {
      for (const socket of server.clients) socket.terminate()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
