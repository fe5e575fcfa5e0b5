import type { Clock } from '#bridge/port/platform.ts'
import type { WebEvent } from '#adapters/web/protocol.ts'
import { closeWhole } from '#sql/sqlite/file.ts'
import { createSqliteSql, createSyncSql } from '#sql/sqlite/sql.ts'
import type { Sql } from '#sql/sql.ts'
import { type Channels, createChannels } from './channels.ts'
import { openDatabase } from './database.ts'
import { createMessages, type Messages } from './messages.ts'
import { createSessions, type Sessions } from './sessions.ts'
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

/** Tables that several processes share, and events between these. */
export interface SharedPage {
  readonly sql: Sql
  readonly relay: {
    /** Tells the other processes, in order. */
    publish(event: WebEvent): void
    /** Called with each event of the others. */
    listen(hear: (event: WebEvent) => void): void
  }
}

/** `web.sqlite` and the folder `web-files`. */
export function openStore(dataDir: string, clock: Clock): WebStore {
  const database = openDatabase(dataDir)
  return createStore(createSqliteSql(createSyncSql(database)), createFolderBytes(dataDir), clock, () =>
    closeWhole(database),
  )
}

/** Tables that several processes share; whoever opened them closes them. */
export const createSharedStore = (sql: Sql, clock: Clock): WebStore =>
  createStore(sql, createRowBytes(sql), clock, () => undefined)

function createStore(sql: Sql, bytes: UploadBytes, clock: Clock, close: () => void): WebStore {
  const uploads = createUploads(sql, bytes, clock)
  return {
    channels: createChannels(sql, clock),
    messages: createMessages(sql, uploads),
    uploads,
    sessions: createSessions(sql, clock),
    close,
  }
}
