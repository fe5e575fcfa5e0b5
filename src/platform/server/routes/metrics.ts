import { Hono, type MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { requireKey } from '../auth.ts'
import type { Environment, ServerParts } from '../environment.ts'
import { onlyMethods } from '../methods.ts'
import type { Metrics } from '../metrics.ts'

/** Counts every request by its route's pattern: names of people's own never become labels. */
export function countRequests(metrics: Metrics): MiddlewareHandler<Environment> {
  return async (c, next) => {
    const startedAt = performance.now()
    await next()
    const { method } = c.req
    metrics.answered({ method, route: routePath(c), status: c.res.status }, performance.now() - startedAt)
  }
}

/** Figures for whoever holds a key; reading them uses up no quota. */
export function metricsRoutes(parts: ServerParts, metrics: Metrics): Hono<Environment> {
  return new Hono<Environment>()
    .get('/metrics', requireKey(parts, 'either', { free: true }), (c) =>
      c.body(metrics.print(), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }),
    )
    .all('/metrics', onlyMethods('GET'))
}
