import { Readable } from 'node:stream'
import { type Dispatcher, errors } from 'undici'
import { type EventSteps, type HandedEvents, handedOver } from '../wire/stream-events.ts'

/** A platform in this process: the same HTTP, without a connection. */
export type LocalPlatform = (request: Request) => Promise<Response>

/** The answer to a request, as it came. */
export interface Answered extends Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> {
  readonly body: Readable & Partial<Pick<Dispatcher.ResponseData['body'], 'dump'>>
  /** Its events, where they are handed over: then the body is empty. */
  readonly steps?: EventSteps | undefined
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
  const closing = new AbortController()
  return {
    async ask({ url, method, headers, body, signal }: LocalRequest): Promise<Answered> {
      const ending = AbortSignal.any([signal, closing.signal])
      ending.throwIfAborted()
      const length = body === undefined ? undefined : String(Buffer.byteLength(body))
      const known = Object.entries({ ...headers, 'content-length': length }).filter(([, value]) => value !== undefined)
      const asked = new Request(url, { method, headers: known as [string, string][], body, signal: ending })
      const response = await orAborted(platform(asked), ending)
      const handed = handedOver(response.body)
      const stream = handed === undefined ? response.body : null
      return {
        statusCode: response.status,
        headers: Object.fromEntries(response.headers),
        body: stream === null ? Readable.from([]) : Readable.fromWeb(stream, { signal: ending }),
        steps: handed && untilAborted(handed, ending),
      }
    },
    close: () => closing.abort(new errors.ClientClosedError()),
  }
}

/** Rejects with the reason of the signal as soon as it aborts. */
async function orAborted<T>(wait: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([wait, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

async function* untilAborted({ steps, leave }: HandedEvents, signal: AbortSignal): EventSteps {
  try {
    for (let restMs: number | undefined; ;) {
      const step = await orAborted(steps.next(restMs), signal)
      if (step.done === true) return
      restMs = yield step.value
    }
  } finally {
    leave()
    void steps.return()
  }
}
