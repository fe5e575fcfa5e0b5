import { Readable } from 'node:stream'
import { type Dispatcher, errors } from 'undici'
import { sendLocally } from '../wire/local-request.ts'
import type { HandedEvents } from '../wire/stream-events.ts'

/** A platform in this process: the same HTTP, without a connection. */
export type LocalPlatform = (request: Request) => Promise<Response>

/** The answer to a request, as it came. */
export interface Answered extends Pick<Dispatcher.ResponseData, 'statusCode'> {
  readonly header: (name: string) => string | undefined
  /** Absent where its events are handed over. */
  readonly body?: Readable & Partial<Pick<Dispatcher.ResponseData['body'], 'dump'>>
  readonly handed?: LocalEvents
}

/** Events of a platform in this process. */
export interface LocalEvents extends HandedEvents {
  /** Ends them, with its reason. */
  readonly signal: AbortSignal
}

/** A request whose body is a text. */
interface LocalRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string | undefined
  readonly signal: AbortSignal
}

export function createLocal(platform: LocalPlatform) {
  const running = new Set<Ending>()
  let isClosed = false
  return {
    async ask({ url, method, headers, body: text, signal }: LocalRequest): Promise<Answered> {
      signal.throwIfAborted()
      if (isClosed) throw new errors.ClientClosedError()
      const ending = createEnding()
      const onAbort = () => ending.end(signal.reason)
      const release = () => {
        signal.removeEventListener('abort', onAbort)
        running.delete(ending)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      running.add(ending)
      try {
        const length = text === undefined ? undefined : String(Buffer.byteLength(text))
        const known = Object.entries({ ...headers, 'content-length': length }).filter(
          ([, value]) => value !== undefined,
        )
        const asked = new Request(url, { method, headers: known as [string, string][] })
        let handed: HandedEvents | undefined
        sendLocally(asked, { text, signal: ending.signal, handOver: (events) => (handed = events) })
        const answered = platform(asked)
        const response = await Promise.race([answered, ending.ended]).catch((error: unknown) => {
          leave(answered, () => handed)
          throw error
        })
        return toAnswered(response, { handed, ending, release })
      } catch (error) {
        release()
        throw error
      }
    },
    close() {
      isClosed = true
      for (const ending of running) ending.end(new errors.ClientClosedError())
    },
  }
}

/** Ends a request early. It costs less than a listener on the signal for each that must know of the end. */
interface Ending {
  readonly signal: AbortSignal
  /** Rejects with the reason. */
  readonly ended: Promise<never>
  end(reason: unknown): void
  /** Called after the signal has aborted. */
  onEnd?: () => void
}

function createEnding(): Ending {
  const controller = new AbortController()
  const { promise: ended, reject } = Promise.withResolvers<never>()
  ended.catch(() => undefined)
  const ending: Ending = {
    signal: controller.signal,
    ended,
    end(reason) {
      controller.abort(reason)
      reject(reason)
      ending.onEnd?.()
    },
  }
  return ending
}

/** An answer that comes after its caller left: its open stream is closed. */
const leave = (answered: Promise<Response>, handed: () => HandedEvents | undefined) =>
  void answered
    .then(({ body }) => {
      handed()?.leave()
      return body?.cancel()
    })
    .catch(() => undefined)

interface Taken {
  readonly handed: HandedEvents | undefined
  readonly ending: Ending
  readonly release: () => void
}

function toAnswered(response: Response, { handed, ending, release }: Taken): Answered {
  const { signal } = ending
  const head = { statusCode: response.status, header: (name: string) => response.headers.get(name) ?? undefined }
  if (handed !== undefined && response.ok) {
    const leaveEvents = () => {
      ending.onEnd = undefined
      release()
      handed.leave()
    }
    ending.onEnd = leaveEvents
    if (signal.aborted) leaveEvents()
    return { ...head, handed: { steps: handed.steps, leave: leaveEvents, signal } }
  }
  // A failure after the hand-over: its body says why.
  handed?.leave()
  const body = response.body === null ? empty() : Readable.fromWeb(response.body, { signal })
  body.once('close', release)
  return { ...head, body }
}

const empty = () =>
  new Readable({
    read() {
      this.push(null)
    },
  })
