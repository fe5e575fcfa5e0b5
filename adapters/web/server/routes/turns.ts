import type { MiddlewareHandler } from 'hono'
import { sessionToken } from './login.ts'

/** Requests of one session that are worked on at once. */
const AT_ONCE = 2

interface Turns {
  running: number
  readonly waiting: (() => void)[]
}

/**
 * Reads of one session take turns, so that a hundred of them at once do not hold up everybody else; the work of each
 * turn of the event loop stays small. A reader who has left loses the place.
 */
export function createTurns(): MiddlewareHandler {
  const bySession = new Map<string, Turns>()
  return async (context, next) => {
    // Pictures are drawn by another process, and have a bound of their own.
    if (context.req.method !== 'GET' || context.req.path.endsWith('/files/page')) return next()
    const session = sessionToken(context) ?? ''
    const turns = bySession.get(session) ?? { running: 0, waiting: [] }
    bySession.set(session, turns)
    turns.running += 1
    if (turns.running > AT_ONCE) await new Promise<void>((resolve) => turns.waiting.push(resolve))
    try {
      if (context.req.raw.signal.aborted) return new Response(null, { status: 499 })
      return await next()
    } finally {
      // Others have their turn of the event loop first.
      setImmediate(() => {
        turns.running -= 1
        turns.waiting.shift()?.()
        if (turns.running === 0) bySession.delete(session)
      })
    }
  }
}
