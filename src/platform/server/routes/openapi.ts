import { readFile } from 'node:fs/promises'
import { Hono, type Context } from 'hono'
import type { Environment, ServerParts } from '../environment.ts'
import { onlyMethods } from '../methods.ts'
import { createOpenApi } from '../openapi.ts'

/** The page loads nothing from elsewhere and sends nothing elsewhere. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const pieces = [
  ['/docs', 'html', 'text/html'],
  ['/docs/page.css', 'css', 'text/css'],
  ['/docs/page.js', 'js', 'text/javascript'],
] as const

/** The document, and a page to try it: for anyone, since neither holds anything of anybody's. */
export function openApiRoutes({ engine }: ServerParts): Hono<Environment> {
  let document: object | undefined
  const app = new Hono<Environment>()
    .get('/openapi.json', (c) => c.json((document ??= createOpenApi(engine.version))))
    .all('/openapi.json', onlyMethods('GET'))
  for (const [path, extension, type] of pieces) {
    app.get(path, async (c: Context<Environment>) => {
      const text = await readFile(new URL(`../openapi-page.${extension}`, import.meta.url), 'utf8')
      return c.body(text, 200, {
        'content-type': `${type}; charset=utf-8`,
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-cache',
      })
    })
    app.all(path, onlyMethods('GET'))
  }
  return app
}
