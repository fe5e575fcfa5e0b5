import type { Store } from '#bridge/port/store.ts'
import type { Cursors } from '#bridge/port/platform.ts'
import { createAnswers, createButtonPayloads, createPreferences, createUsage } from './answer-store.ts'
import { createChannels, createCursors } from './channels.ts'
import { createFileRecords } from './file-records.ts'
import { createForgetChannel, createForgetWorkspace } from './forget-workspace.ts'
import { createHistory } from './history.ts'
import { createOutbox } from './outbox.ts'
import type { Sql } from '#sql/sql.ts'

type TableStore = Omit<Store, 'sharing' | 'room' | 'inbox' | 'spool' | 'sources' | 'originals'>

/** The ports of the store that are plain tables. */
export function openTables(sql: Sql): TableStore & { cursors(adapter: string): Cursors } {
  return {
    outbox: createOutbox(sql),
    channels: createChannels(sql),
    files: createFileRecords(sql),
    history: createHistory(sql),
    answers: createAnswers(sql),
    buttonPayloads: createButtonPayloads(sql),
    preferences: createPreferences(sql),
    usage: createUsage(sql),
    forgetWorkspace: createForgetWorkspace(sql),
    forgetChannel: createForgetChannel(sql),
    cursors: (adapter) => createCursors(sql, adapter),
  }
}
