import type { Context } from 'hono'
import { STREAM_END } from '#platform/wire/chat.ts'
import { localContent } from '#platform/wire/local-request.ts'
import type { EventSteps, HandedEvents, StreamEvent } from '#platform/wire/stream-events.ts'
import type { Environment } from '../routing.ts'
import type { ErrorBody } from './errors.ts'

/** Longest pause without a heartbeat: shorter than the timeouts of clients and proxies. */
const ALIVE_MS = 15_000

const END: StreamEvent = { raw: STREAM_END, body: {} }

const encoder = new TextEncoder()

/** One `data` line is one event: JSON that came over several lines is written anew. */
const format = ({ name, raw, body }: StreamEvent) =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${raw === undefined || raw.includes('\n') ? JSON.stringify(body) : raw}\n\n`

export interface EventStreamOptions {
  /** Called when the reader leaves before the end. */
  readonly onLeave: () => void
  /** Called once it is over, however it ended. */
  readonly onEnd: () => void
  /** Makes the error event of a failure. */
  readonly toError: (error: unknown) => ErrorBody
  /** Last event after success; default `[DONE]`. Null: none. */
  readonly end?: StreamEvent | null
}

/** The events with signs of life; a failure is the last event, and `[DONE]` only after success. */
export function followEvents(
  events: EventSteps,
  { onLeave, onEnd, toError, end: last = END }: EventStreamOptions,
): HandedEvents {
  let wake: (() => void) | undefined
  let hasLeft = false
  let isOver = false
  // One timer for the whole stream, reset at each step: a thousand streams send hundreds of events each.
  const timer = setTimeout(() => wake?.(), ALIVE_MS)
  timer.unref()

  function leave(): void {
    if (hasLeft || isOver) return
    hasLeft = true
    clearTimeout(timer)
    onLeave()
    onEnd()
    wake?.()
  }

  function end(): void {
    if (hasLeft || isOver) return
    isOver = true
    clearTimeout(timer)
    onEnd()
  }

  async function* run(): EventSteps {
    let pending: ReturnType<EventSteps['next']> | undefined
    try {
      for (let restMs: number | undefined; ;) {
        pending ??= events.next(restMs)
        timer.refresh()
        const woken = new Promise<undefined>((resolve) => (wake = () => resolve(undefined)))
        const step = await Promise.race([pending, woken])
        if (step !== undefined) pending = undefined
        if (hasLeft || step?.done === true) break
        restMs = yield step?.value ?? []
      }
      end()
      if (!hasLeft && last !== null) yield [last]
    } catch (error) {
      end()
      // `object` marks it for clients that check every event; `error` is where OpenAI's libraries look.
      if (hasLeft) return
      const body = toError(error)
      yield [{ body: { object: 'error', ...body.error, error: body.error } }]
    } finally {
      leave()
      pending?.catch(() => undefined)
      // A step under way ends by itself: `onLeave` stopped its source.
      events.return().catch(() => undefined)
    }
  }
  return { steps: run(), leave }
}

/** `x-accel-buffering` stops a proxy in front from buffering the events. */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const

/** A response that streams the events; a reader in the same process gets them as they are. */
export function respondWithEvents(c: Context<Environment>, events: EventSteps, options: EventStreamOptions): Response {
  const followed = followEvents(events, options)
  const handOver = localContent(c.req.raw)?.handOver
  if (handOver === undefined) return c.body(toBody(followed), 200, HEADERS)
  handOver(followed)
  return c.body(null, 200, HEADERS)
}

/** It pulls events only when the client reads. */
export function toBody({ steps, leave }: HandedEvents): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await steps.next()
        if (done === true) controller.close()
        else controller.enqueue(encoder.encode(value.length === 0 ? ': alive\n\n' : value.map(format).join('')))
      },
      async cancel() {
        leave()
        await steps.return()
      },
    },
    { highWaterMark: 0 },
  )
}
