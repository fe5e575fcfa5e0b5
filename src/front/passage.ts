import type { Socket } from 'node:net'
import { release } from '#lib/read-limited.ts'
import { MAX_REST_BYTES } from '#platform/server/connections.ts'
import { createAnswerReader, type Piece } from './requests.ts'

/** Bytes of answers that wait for a client, and that are read of one at once. */
export const BUFFER_BYTES = 16 * 1024
/** Health checks in one packet. */
const MAX_CHECKS = 32

interface PassageOptions {
  readonly client: Socket
  /** Bytes of a body that are still to come. */
  readonly due: () => number
  /** The main thread has taken all bytes passed on, or takes no more. */
  readonly onTaken: () => void
  /** Opens the connection to the main thread. `take`: bytes of answers. */
  readonly open: (take: (bytes: Buffer) => void) => Socket
  readonly answerHealth: (keepAlive: boolean) => void
}

/** Passes the requests of a client on to the main thread; health checks between them are answered by the front. */
export function createPassage({ client, due, onTaken, open, answerHealth }: PassageOptions) {
  let inner: Socket | undefined
  // A health check after a request that the main thread still answers waits for that answer.
  const answers = createAnswerReader()
  // A request that is answered before its body is there gets no more of it: the main thread ends the connection.
  const isRefused = () => due() > MAX_REST_BYTES && !answers.isOwed()
  /** Bytes on their way to the main thread. */
  const passed: Buffer[] = []
  const releaseTaken = () => {
    if ((inner?.writableLength ?? 0) === 0) for (const bytes of passed.splice(0)) release(bytes)
  }
  const pass = (bytes: Buffer) => {
    inner ??= open((answer) => {
      answers.take(answer)
      if (isRefused()) onTaken()
    })
    // Written only when the address of the client is known: the connection is open then.
    inner.write(bytes, () => {
      releaseTaken()
      onTaken()
    })
  }
  return {
    pass,
    isOpen: () => inner !== undefined,
    /** Nothing more of the client is read meanwhile: its memory is bounded by one read. */
    isHeld: () => (inner?.writableLength ?? 0) > 0 || client.writableLength > BUFFER_BYTES || isRefused(),
    isRefused,
    isDone: () => inner === undefined || inner.destroyed,
    /** @returns how many there were */
    take(pieces: Iterable<Piece>): number {
      let [count, checks] = [0, 0]
      for (const piece of pieces) {
        count += 1
        if (piece.kind === 'health' && !answers.isOwed()) {
          checks += 1
          if (checks > MAX_CHECKS) {
            client.destroy()
            return count
          }
          answerHealth(piece.keepAlive)
          continue
        }
        if (piece.kind === 'health' || piece.isHead) answers.asked()
        pass(piece.bytes)
      }
      return count
    },
    /** Its pieces were taken: its memory goes back as soon as the main thread has them. */
    release(bytes: Buffer): void {
      passed.push(bytes)
      releaseTaken()
    },
    end: () => (inner ?? client).end(),
    destroy: () => inner?.destroy(),
  }
}
