import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { createEngine } from '../../../src/platform/engine/engine.ts'
import type { createPlatformApp } from '../../../src/platform/server/app.ts'
import type { listen } from '../../../src/platform/server/listen.ts'
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

/** A further key: of another user, or one whose time is over. */
function addKey(user: string, expiresAt: number | null): string {
  const key = `fb-${randomBytes(32).toString('base64url')}`
  const database = new DatabaseSync(join(dataDir, 'platform/platform.sqlite'))
  try {
    database
      .prepare(
        'INSERT INTO user (name, email, first_name, surname, created_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      )
      .run(user, `${user}@localhost`, user, 'User', Date.now())
    database
      .prepare(
        "INSERT INTO api_key (user_id, hash, label, created_at, expires_at) SELECT id, ?, 'conformance', ?, ? FROM user WHERE name = ?",
      )
      .run(createHash('sha256').update(key).digest('hex'), Date.now(), expiresAt, user)
  } finally {
    database.close()
  }
  return key
}

process.on('message', (order: Order) => {
  if (order.kind === 'advance') ahead += order.ms
  const key = order.kind === 'key' ? addKey(order.user, order.expiresAt) : undefined
  process.send?.({ id: order.id, key })
})
process.on('disconnect', () => {
  void server
    .close()
    .then(() => engine.close())
    .finally(() => process.exit(0))
})
process.send?.({ id: 0, url: server.url, key: engine.firstKey.key })
