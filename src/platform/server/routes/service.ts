import { Hono, type Context } from 'hono'
import { readFile } from 'node:fs/promises'
import { EngineError } from '#platform/engine/errors.ts'
import { FIRST_USER } from '#platform/engine/storage/catalog.ts'
import { onlyMethods, type Environment, type ServerParts, type CredentialForm } from '../routing.ts'
import { type ProfileName, PROFILES } from '#platform/wire/profile.ts'
import { requireKey } from '../auth.ts'
import type { Metrics } from '../metrics.ts'

/** Version and heartbeat, without a key. */
export function serviceRoutes({ engine }: ServerParts): Hono<Environment> {
  return new Hono<Environment>()
    .get('/version', (c) => c.json({ version: engine.version }))
    .all('/version', onlyMethods('GET'))
    .get('/heartbeat', (c) => c.body(null, 204))
    .all('/heartbeat', onlyMethods('GET'))
}

/** Health check for supervisors and load balancers: the process answers. It does not test the database. */
export function healthRoutes({ engine }: ServerParts): Hono<Environment> {
  return new Hono<Environment>()
    .get('/health', (c) => c.json({ status: 'ok', version: engine.version }))
    .all('/health', onlyMethods('GET'))
}

/**
 * Profile of the key's owner. The interface does not give its prefix, so it is mounted at all of its places.
 *
 * @param names those by which it was asked; both, where the path holds neither
 */
export function userRoutes(
  parts: ServerParts,
  wanted: CredentialForm | 'either',
  names: readonly ProfileName[],
): Hono<Environment> {
  return new Hono<Environment>()
    .get('/user/me', requireKey(parts, wanted), async (c) => {
      const { collections, ...rest } = await parts.engine.profile(c.get('key'))
      const counts = names.map((name) => [PROFILES[name].counts.collections, collections] as const)
      return c.json({ ...rest, ...Object.fromEntries(counts) })
    })
    .all('/user/me', onlyMethods('GET'))
}

/** Metrics for the operator, who has a key of the first user; not counted against the quota. */
export function metricsRoutes(parts: ServerParts, metrics: Metrics): Hono<Environment> {
  return new Hono<Environment>()
    .get('/metrics', requireKey(parts, 'either', { free: true }), async (c) => {
      if (c.get('key').user.name !== FIRST_USER.name) {
        throw new EngineError('forbidden', `Figures are for the operator: use a key of the user ${FIRST_USER.name}.`)
      }
      const figures = await Promise.all([metrics.print(), parts.moreFigures?.() ?? ''])
      return c.body(figures.join(''), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
    })
    .all('/metrics', onlyMethods('GET'))
}

/** The page may neither load from nor send to another origin. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE_FILES = [
  ['/docs', 'html', 'text/html'],
  ['/docs/page.css', 'css', 'text/css'],
  ['/docs/page.js', 'js', 'text/javascript'],
] as const

/** The OpenAPI document and its page, without a key: neither holds private data. */
export function openApiRoutes({ engine }: ServerParts): Hono<Environment> {
  let document: object | undefined
  const app = new Hono<Environment>()
    .get('/openapi.json', async (c) => {
      document ??= (await import('../openapi/document.ts')).createOpenApi(engine.version)
      return c.json(document)
    })
    .all('/openapi.json', onlyMethods('GET'))
  for (const [path, extension, type] of PAGE_FILES) {
    app.get(path, async (c: Context<Environment>) => {
      const text = await readFile(new URL(`../openapi/page.${extension}`, import.meta.url), 'utf8')
      return c.body(text, 200, {
        'content-type': `${type}; charset=utf-8`,
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-cache',
      })
    })
    app.all(path, onlyMethods('GET'))
  }
  return app
}
