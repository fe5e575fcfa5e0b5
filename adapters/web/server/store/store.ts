import type { Clock } from '#bridge/port/platform.ts'
import { closeWhole } from '#sql/sqlite/file.ts'
import { type Channels, createChannels } from './channels.ts'
import { openDatabase } from './database.ts'
import { createMessages, type Messages } from './messages.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createSqliteTables, type PageTables } from './tables.ts'
import { createFolderBytes, createRowBytes, type UploadBytes } from './upload-bytes.ts'
import { createUploads, type Uploads } from './uploads.ts'

/** Storage of the page's chat service. */
export interface WebStore {
  readonly channels: Channels
  readonly messages: Messages
  readonly uploads: Uploads
  readonly sessions: Sessions
  close(): void
}

/** `web.sqlite` and the folder `web-files`. */
export function openStore(dataDir: string, clock: Clock): WebStore {
  const database = openDatabase(dataDir)
  return createStore(createSqliteTables(database), createFolderBytes(dataDir), clock, () => closeWhole(database))
}

/** Tables that several processes share; whoever opened them closes them. */
export const createSharedStore = (tables: PageTables, clock: Clock): WebStore =>
  createStore(tables, createRowBytes(tables), clock, () => undefined)

function createStore(tables: PageTables, bytes: UploadBytes, clock: Clock, close: () => void): WebStore {
  const uploads = createUploads(tables, bytes, clock)
  return {
    channels: createChannels(tables, clock),
    messages: createMessages(tables, uploads),
    uploads,
    sessions: createSessions(tables, clock),
    close,
  }
}
