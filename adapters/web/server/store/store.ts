import type { Clock } from '../../../../src/bridge/port/platform.ts'
import { createChannels, type Channels } from './channels.ts'
import { openDatabase, transact } from './database.ts'
import { createMessages, type Messages } from './messages.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createUploads, type Uploads } from './uploads.ts'

/** All that the page's chat service keeps: `web.sqlite` and the folder `web-files`. */
export interface WebStore {
  readonly channels: Channels
  readonly messages: Messages
  readonly uploads: Uploads
  readonly sessions: Sessions
  /** All of `work` or nothing. */
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
    transact: (work) => transact(database, work),
    close: () => database.close(),
  }
}
