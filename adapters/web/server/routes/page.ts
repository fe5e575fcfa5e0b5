import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Hono } from 'hono'
import type { AssetName } from '../bundle.ts'
import { ICON, PAGE, plainDocument } from '../page-assets.ts'
import type { WebChannel, WebState } from '#adapters/web/protocol.ts'
import { sessionToken } from './login.ts'
import { FILE_POLICY } from '../responses.ts'
import { found, type RouteServices } from './requests.ts'
import type { WebStore } from '../store/store.ts'

/** A response made of the bytes themselves would copy them, for each of many at once. */
const shared = (bytes: Uint8Array) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })

/** The sample file, from a checkout or from the published package; undefined where it was left out. */
const SAMPLE = ['../../../../', '../../../../../']
  .map((up) => fileURLToPath(new URL(`${up}docs/sample/handbook.pdf`, import.meta.url)))
  .find((path) => existsSync(path))

/** Somebody who has removed all chats begins a new one. */
async function chatsOf({ channels }: WebStore): Promise<readonly WebChannel[]> {
  const chats = await channels.chats()
  return chats.length > 0 ? chats : [await channels.newChat()]
}

/** The page itself, its assets, its first state and its event stream. */
export function addPageRoutes(app: Hono, { assets, store, statuses, hub, ...parts }: RouteServices): void {
  app.get('/', async (context) => {
    context.header('cache-control', 'no-store')
    const missing = await assets.whyMissing()
    return missing === undefined ? context.html(PAGE) : context.html(plainDocument('No page', `<p>${missing}</p>`), 503)
  })
  app.get('/assets/icon.svg', () => {
    const headers = { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' }
    return new Response(ICON, { headers })
  })
  const serve = (name: AssetName) =>
    app.get(`/assets/${name}`, async (context) => {
      const { body, type, etag } = await assets.get(name)
      const headers = { 'content-type': type, etag, 'cache-control': 'no-cache' }
      if (context.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers })
      return new Response(shared(body), { headers: { ...headers, 'content-length': String(body.byteLength) } })
    })
  serve('page.js')
  serve('formulas.js')
  serve('page.css')
  app.get('/api/web/state', async (context) => {
    const state: WebState = {
      channels: [...(await chatsOf(store)), ...(await store.channels.list())],
      statuses: statuses.list(),
      login: parts.password !== undefined,
      maxFileBytes: parts.maxFileBytes,
      search: parts.search(),
      about: parts.about(),
      connect: parts.tokens !== undefined || undefined,
      apiKeys: parts.keys !== undefined || undefined,
      pictures: parts.pictures !== undefined || undefined,
      sample: SAMPLE !== undefined || undefined,
    }
    context.header('cache-control', 'no-store')
    return context.json(state)
  })
  app.get('/api/web/sample', async () => {
    const bytes = await readFile(found(SAMPLE, 'The sample file is not here.'))
    return new Response(bytes, {
      headers: { 'content-type': 'application/pdf', 'content-security-policy': FILE_POLICY },
    })
  })
  app.get('/api/web/events', (context) => {
    const headers = {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Tells nginx and similar proxies not to buffer the stream.
      'x-accel-buffering': 'no',
    }
    return new Response(hub.subscribe(context.req.header('last-event-id'), sessionToken(context)), { headers })
  })
}
