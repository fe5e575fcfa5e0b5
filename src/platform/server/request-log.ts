import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { EngineError } from '../engine/errors.ts'
import type { Environment, ServerParts } from './environment.ts'

const header = 'x-request-id'
const wellFormed = /^[\w.-]{1,64}$/

/** Gives every request an id (the caller's own where it has one) and one line in the log: no body, no credential. */
export function logRequests({ log }: ServerParts): MiddlewareHandler<Environment> {
  return async (c, next) => {
    const given = c.req.header(header)
    const requestId = given !== undefined && wellFormed.test(given) ? given : randomUUID()
    c.set('requestId', requestId)
    c.header(header, requestId)
    const startedAt = performance.now()
    await next()
    const fields = {
      requestId,
      method: c.req.method,
      // The pattern, not the path: names are people's own.
      route: routePath(c),
      status: c.res.status,
      durationMs: Math.round(performance.now() - startedAt),
      // A refusal has a reason; only a fault of ours has a place in the code.
      ...(c.error instanceof EngineError
        ? { code: c.error.code, reason: c.error.message }
        : c.error === undefined
          ? {}
          : { err: c.error }),
    }
    // What the caller was told the reason of is the caller's to report: one failure, one alarm.
    const isOutage = c.error instanceof EngineError && c.error.code === 'unavailable'
    if (isOutage) log.warn(fields, 'the database is away')
    else if (c.res.status >= 500 && !(c.error instanceof EngineError)) log.error(fields, 'request failed')
    else if (c.res.status >= 400) log.info(fields, 'request refused')
    else log.debug(fields, 'request answered')
  }
}
