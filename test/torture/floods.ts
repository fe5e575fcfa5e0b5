import { connect, type Socket } from 'node:net'

/** Where a flood goes to, and what its sender knows. */
export interface Target {
  readonly port: number
  /** Cookie of somebody who logged in. */
  readonly cookie: string
  /** Key of the platform, as `Bearer …`. */
  readonly bearer: string
  /** Channel whose messages have three megabytes, and id of a file of 20 MB. */
  readonly room: string
  readonly file: string
}

/** A way to use up memory, connections or time of the service. */
export interface Flood {
  readonly name: string
  /** Like another one of them: left out of the short form. */
  readonly isSimilar?: true
  /** Children read the documents: their memory counts, too, and a picture of somebody else is read meanwhile. */
  readonly isDocument?: true
  /** Opens its connections, sends, and leaves them open. */
  send(target: Target): readonly Socket[]
}

const head = (method: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
  `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

/** Connections of one kind. `reads`: answers are read, else they stay where they are. */
function open(
  { port }: Target,
  count: number,
  pieces: readonly (string | Buffer)[],
  { reads = false }: { readonly reads?: boolean } = {},
): Socket[] {
  return Array.from({ length: count }, () => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => undefined)
    if (reads) socket.resume()
    else socket.pause()
    for (const piece of pieces) socket.write(piece)
    return socket
  })
}

/** A body that says its length and comes without its last byte. */
const unfinished = (method: string, path: string, headers: Readonly<Record<string, string>>, bytes: number) => [
  head(method, path, { 'content-length': String(bytes), ...headers }),
  Buffer.alloc(bytes - 1, 'a'),
]

const JSON_TYPE = { 'content-type': 'application/json' }
const stamp = () => String(Math.floor(Date.now() / 1000))
const messages = ({ room }: Target) => `/api/web/channels/${room}/messages`
const bytesOf = ({ room, file }: Target) => `/api/web/channels/${room}/files/bytes?id=${file}`

/** Floods by people without a log-in, with one, and with a key of the platform. */
export const FLOODS: readonly Flood[] = [
  {
    name: 'requests one behind the other, unread',
    send: (target) => open(target, 10, [head('GET', '/assets/page.js').repeat(700)]),
  },
  {
    name: 'requests one behind the other, read',
    isSimilar: true,
    send: (target) => open(target, 10, [head('GET', '/assets/page.js').repeat(700)], { reads: true }),
  },
  { name: 'many connections, unread', send: (target) => open(target, 600, [head('GET', '/assets/page.js')]) },
  {
    name: 'a large room, one connection',
    send: (target) => open(target, 1, [head('GET', messages(target), { cookie: target.cookie }).repeat(600)]),
  },
  {
    name: 'a large room, many connections',
    send: (target) => open(target, 600, [head('GET', messages(target), { cookie: target.cookie })]),
  },
  {
    name: 'bodies without a signature, a byte a second',
    send: (target) => open(target, 1500, unfinished('POST', '/slack/events', JSON_TYPE, 950_000)),
  },
  {
    name: 'bodies with a wrong signature',
    send(target) {
      const signed = { 'x-slack-request-timestamp': stamp(), 'x-slack-signature': `v0=${'0'.repeat(64)}` }
      return open(target, 600, unfinished('POST', '/slack/events', { ...JSON_TYPE, ...signed }, 950_000))
    },
  },
  { name: 'bodies of log-ins', send: (target) => open(target, 1500, unfinished('POST', '/login', {}, 8_000)) },
  {
    name: 'bodies to the platform without a key',
    isSimilar: true,
    send: (target) => open(target, 600, unfinished('POST', '/v1/chat/completions', JSON_TYPE, 950_000)),
  },
  {
    name: 'bodies to the page without a log-in, in chunks',
    isSimilar: true,
    send: (target) =>
      open(target, 600, [
        head('PUT', '/api/web/uploads/flood-upload', { 'transfer-encoding': 'chunked' }),
        `${(900_000).toString(16)}\r\n`,
        Buffer.alloc(900_000, 'a'),
      ]),
  },
  {
    name: 'unfinished messages',
    send: (target) =>
      open(target, 300, unfinished('POST', messages(target), { ...JSON_TYPE, cookie: target.cookie }, 1_900_000)),
  },
  {
    name: 'unfinished messages in chunks',
    isSimilar: true,
    send: (target) =>
      open(target, 300, [
        head('POST', messages(target), { ...JSON_TYPE, cookie: target.cookie, 'transfer-encoding': 'chunked' }),
        `${(1_900_000).toString(16)}\r\n`,
        Buffer.alloc(1_800_000, 'a'),
      ]),
  },
  {
    name: 'unfinished chats with pictures',
    send: (target) =>
      open(
        target,
        30,
        unfinished('POST', '/v1/chat/completions', { ...JSON_TYPE, authorization: target.bearer }, 20_000_000),
      ),
  },
  {
    name: 'event streams that nobody reads',
    send: (target) => open(target, 900, [head('GET', '/api/web/events', { cookie: target.cookie })]),
  },
  {
    name: 'large files that nobody reads',
    isSimilar: true,
    send: (target) => open(target, 300, [head('GET', bytesOf(target), { cookie: target.cookie })]),
  },
  {
    name: 'health checks, unread',
    send: (target) => open(target, 400, ['GET /health HTTP/1.1\r\n\r\n'.repeat(60_000)]),
  },
  {
    name: 'heads that do not end',
    isSimilar: true,
    send: (target) => open(target, 1500, [head('GET', '/').slice(0, -2), `x: ${'a'.repeat(15_000)}`]),
  },
  {
    name: 'CONNECT, kept open',
    send: (target) => open(target, 600, ['CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n', Buffer.alloc(500_000, 'a')]),
  },
  {
    name: 'an upgrade, kept open',
    isSimilar: true,
    send: (target) =>
      open(target, 600, [
        head('GET', '/api/web/events', { connection: 'Upgrade', upgrade: 'websocket' }),
        Buffer.alloc(500_000, 'a'),
      ]),
  },
  {
    name: 'bodies that wait for 100',
    isSimilar: true,
    send: (target) =>
      open(target, 600, [
        head('POST', '/slack/events', { ...JSON_TYPE, expect: '100-continue', 'content-length': '900000' }),
        Buffer.alloc(800_000, 'a'),
      ]),
  },
  { name: 'idle connections', send: (target) => open(target, 1500, [head('GET', '/login')]) },
]
