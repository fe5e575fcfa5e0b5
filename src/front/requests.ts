/** Bytes of a client to be passed on, or a health check to be answered. */
export type Piece =
  | { readonly kind: 'pass'; readonly bytes: Buffer; readonly isHead: boolean }
  | { readonly kind: 'health'; readonly bytes: Buffer; readonly keepAlive: boolean }

export interface RequestReader {
  /** Only requested bytes are read. Only a copy of the bytes is kept. */
  take(bytes: Buffer): Iterable<Piece>
  /** Bytes of a head that is not complete. */
  rest(): Buffer
  /** Bytes of a body that are still due; 0 also where it is unknown. */
  due(): number
}

/** Node refuses longer heads; a longer one is passed on to be refused. */
const MAX_HEAD_BYTES = 32_768
const HEAD_END = Buffer.from('\r\n\r\n')
const HEALTH = /^GET \/health(\?[^\s]*)? HTTP\/1\.([01])\r\n/
const BODY_HEADER = /\r\n(content-length|transfer-encoding|upgrade)[ \t]*:/i
const BODY_HEADERS = new RegExp(BODY_HEADER, 'gi')
const LENGTH = /\r\ncontent-length:[ \t]*(\d{1,15})[ \t]*(?=\r\n)/i
const CLOSE = /\r\nconnection:[^\r\n]*\bclose\b/i

/** Length of the body after this head; undefined: unknown (chunked, upgraded, or not plain). */
function bodyLength(head: string): number | undefined {
  if (head.startsWith('CONNECT ') || head.startsWith('\r\n')) return undefined
  const headers = head.match(BODY_HEADERS) ?? []
  if (headers.length === 0) return 0
  const digits = LENGTH.exec(head)?.[1]
  return headers.length > 1 || digits === undefined ? undefined : Number(digits)
}

/** Follows the requests of one connection, so that a health check after another request is seen, too. */
export function createRequestReader(): RequestReader {
  let held: Buffer = Buffer.alloc(0)
  /** Bytes until the next head; `Infinity` once that can't be said. */
  let bodyLeft = 0

  function takeHead(): Piece | undefined {
    const end = held.indexOf(HEAD_END)
    if (end === -1 && held.length <= MAX_HEAD_BYTES) return undefined
    const head = held.toString('latin1', 0, end === -1 ? 0 : end + 2)
    const bytes = end === -1 ? held : held.subarray(0, end + HEAD_END.length)
    held = held.subarray(bytes.length)
    const health = HEALTH.exec(head)
    if (health !== null && !BODY_HEADER.test(head)) {
      return { kind: 'health', bytes, keepAlive: health[2] === '1' && !CLOSE.test(head) }
    }
    bodyLeft = (end === -1 ? undefined : bodyLength(head)) ?? Infinity
    return { kind: 'pass', bytes, isHead: true }
  }

  return {
    *take(bytes) {
      held = held.length === 0 ? bytes : Buffer.concat([held, bytes])
      while (held.length > 0) {
        if (bodyLeft > 0) {
          const body = held.subarray(0, Math.min(held.length, bodyLeft))
          bodyLeft -= body.length
          held = held.subarray(body.length)
          yield { kind: 'pass', bytes: body, isHead: false }
          continue
        }
        const piece = takeHead()
        if (piece === undefined) break
        yield piece
      }
      // The memory of the read bytes is released.
      held = Buffer.from(held)
    },
    rest: () => held,
    due: () => (bodyLeft === Infinity ? 0 : bodyLeft),
  }
}

export interface AnswerReader {
  /** A request was passed on. */
  asked(): void
  readonly take: (bytes: Buffer) => void
  /** True while an answer is missing or incomplete, and if it is unknown. */
  isOwed(): boolean
}

const STATUS_LINE = 'HTTP/1.1 '
const CHUNKED = /\r\ntransfer-encoding:[ \t]*chunked[ \t]*(?=\r\n)/i
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

function answerLength(head: string): number | 'chunked' {
  if (CHUNKED.test(head)) return 'chunked'
  const digits = LENGTH.exec(head)?.[1]
  return digits === undefined || !head.startsWith(STATUS_LINE) ? Infinity : Number(digits)
}

/** Follows the answers on one connection: a health check is answered between them, never inside one. */
export function createAnswerReader(): AnswerReader {
  let owed = 0
  /** Bytes until the answer is complete; 0: the next bytes are a head. `Infinity`: unknown. */
  let left: number | 'chunked' = 0

  /** @returns the rest after the head */
  function takeHead(bytes: Buffer): Buffer {
    const end = bytes.indexOf(HEAD_END)
    left = end === -1 ? Infinity : answerLength(bytes.toString('latin1', 0, end + 2))
    if (left === 0) owed -= 1
    return bytes.subarray(end === -1 ? bytes.length : end + HEAD_END.length)
  }

  return {
    asked: () => void (owed += 1),
    take(bytes) {
      let rest = bytes
      while (rest.length > 0) {
        if (left === 0) {
          rest = takeHead(rest)
          continue
        }
        if (left === 'chunked') {
          // A last chunk that arrives in two pieces is not seen: the main thread then answers the following requests.
          if (!rest.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)) return
          left = rest.length
        }
        const taken = Math.min(rest.length, left)
        left -= taken
        rest = rest.subarray(taken)
        if (left === 0) owed -= 1
      }
    },
    isOwed: () => owed > 0,
  }
}
