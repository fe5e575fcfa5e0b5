import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import {
  limitHeader,
  RATE_LIMIT_WINDOWS,
  remainingHeader,
  RESET_HEADER,
  RETRY_AFTER_HEADER,
} from '#platform/wire/rate-limit.ts'
import type { Environment } from '../routing.ts'

/** Our headers that a page of another origin may read; a browser hides all others. */
const EXPOSED = [
  'x-request-id',
  'warning',
  RETRY_AFTER_HEADER,
  RESET_HEADER,
  ...RATE_LIMIT_WINDOWS.flatMap((window) => [limitHeader(window), remainingHeader(window)]),
]
const ANY = '*'
const PREFLIGHT_SECONDS = 7200

/**
 * Lets pages of these origins ask from a browser. A preflight is answered without a key, as browsers send none with it;
 * it allows whatever headers it asks for, since OpenAI's library sends many of its own (`x-stainless-…`). No cookie
 * counts here, so none is allowed.
 *
 * @param origins `https://app.example.org`, or `*` for all
 */
export function allowOrigins(origins: readonly string[]): MiddlewareHandler<Environment> {
  const allow = cors({
    origin: origins.includes(ANY) ? ANY : (origin) => (origins.includes(origin) ? origin : null),
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    exposeHeaders: EXPOSED,
    maxAge: PREFLIGHT_SECONDS,
  })
  // Without an origin it is no request of a page: OPTIONS then tells the methods of a path.
  return (c, next) => (c.req.header('origin') === undefined ? next() : allow(c, next))
}
