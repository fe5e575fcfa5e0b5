import type { Context } from 'hono'
import type { ChatAnswer } from '#platform/engine/answer/chat.ts'
import { EngineError } from '#platform/engine/errors.ts'
import { signalOf } from '../http/body.ts'
import { toFailure } from '../http/errors.ts'
import { type EventStreamOptions, respondWithEvents } from '../http/sse.ts'
import type { Environment, ServerParts } from '../routing.ts'

/** Aborts with this signal, or by itself: cheaper than a signal made of two. */
function leftBy(signal: AbortSignal): AbortController {
  const left = new AbortController()
  if (signal.aborted) left.abort(signal.reason)
  else signal.addEventListener('abort', () => left.abort(signal.reason), { once: true })
  return left
}

/**
 * Responds with one answer, whole or as a stream, within the slots of its key.
 *
 * @param ask reads the body, too, which may hold pictures: a key has few at once
 */
export async function respondWithAnswer(
  c: Context<Environment>,
  { slots, log }: Pick<ServerParts, 'slots' | 'log'>,
  ask: (signal: AbortSignal) => Promise<ChatAnswer>,
  options: Pick<EventStreamOptions, 'end'> = {},
): Promise<Response> {
  const leave = slots.enter(c.get('key'), 'answers')
  try {
    const left = leftBy(signalOf(c.req.raw))
    const answer = await ask(left.signal)
    if (answer.kind === 'whole') {
      leave()
      return c.json(answer.body)
    }
    const requestId = c.get('requestId')
    return respondWithEvents(c, answer.events, {
      ...options,
      onLeave: () => left.abort(),
      onEnd: leave,
      toError(error) {
        // The stream itself tells the caller why.
        const level = error instanceof EngineError ? 'info' : 'error'
        log[level]({ err: error, requestId }, 'Chat stream broke off before its end')
        return toFailure(error).body
      },
    })
  } catch (error) {
    leave()
    throw error
  }
}
