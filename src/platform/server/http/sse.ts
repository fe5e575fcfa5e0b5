import { STREAM_END } from '../../wire/chat.ts'
import type { ErrorBody } from './errors.ts'

/** Longest pause without a heartbeat: shorter than the timeouts of clients and proxies. */
const ALIVE_MS = 15_000

const encoder = new TextEncoder()

/** JSON text here has no line breaks, so one `data` line is one event. */
const format = (data: string) => encoder.encode(`data: ${data}\n\n`)

export interface EventStreamOptions {
  /** Called when the reader leaves before the end. */
  readonly onLeave: () => void
  /** Makes the error event of a failure. */
  readonly toError: (error: unknown) => ErrorBody
}

/**
 * Body of an event stream. It pulls an event only when the client reads, sends a failure as an event, and ends with
 * `[DONE]` only on success.
 */
function toBody(events: AsyncIterable<string>, options: EventStreamOptions): ReadableStream<Uint8Array> {
  const iterator = events[Symbol.asyncIterator]()
  let pending: Promise<IteratorResult<string>> | undefined
  let left = false
  let stayAlive: (() => void) | undefined
  // One timer for the whole stream, reset at each event: a thousand streams send hundreds of events each.
  const timer = setTimeout(() => stayAlive?.(), ALIVE_MS)
  timer.unref()

  async function next(): Promise<IteratorResult<string> | 'alive'> {
    pending ??= iterator.next()
    timer.refresh()
    const alive = new Promise<'alive'>((resolve) => {
      stayAlive = () => resolve('alive')
    })
    const step = await Promise.race([pending, alive])
    if (step !== 'alive') pending = undefined
    return step
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const step = await next()
          if (left) return
          if (step === 'alive') controller.enqueue(encoder.encode(': alive\n\n'))
          else if (step.done !== true) controller.enqueue(format(step.value))
          else {
            clearTimeout(timer)
            controller.enqueue(format(STREAM_END))
            controller.close()
          }
        } catch (error) {
          clearTimeout(timer)
          if (left) return
          // `object` marks it for clients that check every event; `error` is where OpenAI's libraries look.
          const body = options.toError(error)
          controller.enqueue(format(JSON.stringify({ object: 'error', ...body.error, error: body.error })))
          controller.close()
        }
      },
      async cancel() {
        left = true
        clearTimeout(timer)
        options.onLeave()
        pending?.catch(() => undefined)
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/** `x-accel-buffering` stops a proxy in front from buffering the events. */
export function toEventStream(events: AsyncIterable<string>, options: EventStreamOptions): Response {
  return new Response(toBody(events, options), {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    },
  })
}
