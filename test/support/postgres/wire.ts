import { connect, createServer, type AddressInfo } from 'node:net'

/** Statements that a process sends to the server, read from its messages. */
export interface WatchedWire {
  /** The server's address, through here. */
  readonly url: string
  /** Texts of the statements that were carried out since the last call, each as often as it was. */
  statements(): readonly string[]
  /** How often it waited for the server since the last call: several statements may share a wait. */
  waits(): number
  /**
   * The next connection over which this text goes breaks off before the server's answer: the statement has been carried
   * out.
   */
  loseAnswerTo(text: string): void
  close(): Promise<void>
}

const STARTUP_HEAD = 8

/** A proxy between a process and the server that reads the traffic. */
export async function watchWire(url: string): Promise<WatchedWire> {
  const address = new URL(url)
  let statements: string[] = []
  let waits = 0
  let unanswered: string | undefined

  /** Messages have a letter and a length; the first one of a connection has no letter. */
  function createReader() {
    let rest = Buffer.alloc(0)
    let hasBegun = false
    const prepared = new Map<string, string>()
    let bound = ''
    const read = (type: string, body: Buffer) => {
      const [first = '', second = ''] = body.toString('utf8').split('\0')
      if (type === 'P') prepared.set(first, second)
      // The name of the portal comes first.
      if (type === 'B') bound = prepared.get(second) ?? ''
      if (type === 'E') statements.push(bound)
      if (type === 'Q') statements.push(first)
      if (type === 'Q' || type === 'S') waits += 1
    }
    return (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes])
      for (;;) {
        const head = hasBegun ? 1 : 0
        if (rest.length < Math.max(head + 4, hasBegun ? 5 : STARTUP_HEAD)) return
        const end = head + rest.readInt32BE(head)
        if (rest.length < end) return
        if (hasBegun) read(String.fromCodePoint(rest[0] ?? 0), rest.subarray(5, end))
        hasBegun = true
        rest = rest.subarray(end)
      }
    }
  }

  const server = createServer((client) => {
    const upstream = connect(Number(address.port), address.hostname)
    const take = createReader()
    let isCut = false
    client.on('data', take)
    client.on('data', (bytes: Buffer) => {
      if (unanswered === undefined || !bytes.includes(unanswered)) return
      unanswered = undefined
      isCut = true
    })
    upstream.on('data', () => isCut && client.destroy())
    client.pipe(upstream).pipe(client)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(url)
  through.port = String((server.address() as AddressInfo).port)
  return {
    url: through.href,
    statements: () => statements.splice(0),
    waits() {
      const seen = waits
      waits = 0
      return seen
    },
    loseAnswerTo: (text) => void (unanswered = text),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
