import type { Clock } from '../../../../src/bridge/port/platform.ts'
import { transaction } from '../../../../src/lib/sqlite.ts'
import { type Channels, createChannels } from './channels.ts'
import { openDatabase } from './database.ts'
import { createMessages, type Messages } from './messages.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createUploads, type Uploads } from './uploads.ts'

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
