import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { createEngine } from '#platform/engine/engine.ts'
import type { createPlatformApp } from '#platform/server/app.ts'
import type { listen } from '#platform/server/listen.ts'
import type { Order, ServeSettings } from './our-server.ts'

// A process of its own: the platform from the source tree that it is told, on a free port of loopback.

const { root, dataDir, passAnswerMs, ...settings } = JSON.parse(process.argv[2] ?? '') as ServeSettings
const load = async <Module>(path: string) =>
  (await import(pathToFileURL(join(root, 'src/platform', path)).href)) as Module

const quiet = () => undefined
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet }
let ahead = 0

const engine = await (
  await load<{ createEngine: typeof createEngine }>('engine/engine.ts')
).createEngine({ ...settings, dataDir, log, clock: () => Date.now() + ahead })
const app = (await load<{ createPlatformApp: typeof createPlatformApp }>('server/app.ts')).createPlatformApp({
  engine,
  log,
  ...(passAnswerMs === undefined ? {} : { passAnswerMs }),
})
const server = await (
  await load<{ listen: typeof listen }>('server/listen.ts')
).listen({ host: '127.0.0.1', port: 0, fetch: app.fetch })

process.on('message', (order: Order) => {
  ahead += order.ms
  process.send?.({ id: order.id })
})
process.on('disconnect', () => {
  void server
    .close()
    .then(() => engine.close())
    .finally(() => process.exit(0))
})
process.send?.({ id: 0, url: server.url, key: engine.firstKey.key })
