import type { Clock } from '../../../../src/bridge/port/platform.ts'
import { transaction } from '../../../../src/lib/sqlite.ts'
import { openDatabase } from './database.ts'
import { createMessages, type Messages } from './messages.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createUploads, type Uploads } from './uploads.ts'
import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { WebChannel } from '../../protocol.ts'

/** Storage of the page's chat service: `web.sqlite` and the folder `web-files`. */
export interface WebStore {
  readonly channels: Channels
  readonly messages: Messages
  readonly uploads: Uploads
  readonly sessions: Sessions
  /** Runs `work` in a transaction. */
  transact<T>(work: () => T): T
  close(): void
}

export function openStore(dataDir: string, clock: Clock): WebStore {
  const database = openDatabase(dataDir)
  const uploads = createUploads(database, dataDir, clock)
  return {
    channels: createChannels(database, clock),
    messages: createMessages(database, uploads),
    uploads,
    sessions: createSessions(database, clock),
    transact: (work) => transaction(database, work),
    close: () => database.close(),
  }
}

export interface Channels {
  /** The direct conversation first, then by age. */
  list(): readonly WebChannel[]
  get(id: string): WebChannel | undefined
  /** Undefined when the name is taken. */
  create(name: string): WebChannel | undefined
}

function createChannels(database: DatabaseSync, clock: Clock): Channels {
  const all = database.prepare('SELECT id, name, direct FROM channels ORDER BY direct DESC, created_at, rowid')
  const one = database.prepare('SELECT id, name, direct FROM channels WHERE id = ?')
  const insert = database.prepare(
    'INSERT INTO channels (id, name, direct, created_at) VALUES (?, ?, 0, ?) ON CONFLICT (name) DO NOTHING',
  )
  return {
    list: () => all.all().map(toChannel),
    get(id) {
      const row = one.get(id)
      return row && toChannel(row)
    },
    create(name) {
      // The id is random and never changes: collections are named from it, not from the channel's name.
      const id = `c${randomBytes(6).toString('hex')}`
      return insert.run(id, name, clock()).changes === 0 ? undefined : { id, name, direct: false }
    },
  }
}

function toChannel(row: Record<string, unknown>): WebChannel {
  return { id: String(row['id']), name: String(row['name']), direct: row['direct'] === 1 }
}
