import type { Store } from '#bridge/port/store.ts'
import type { Cursors } from '#bridge/port/platform.ts'
import { createAnswers, createButtonPayloads, createPreferences, createUsage } from './answer-store.ts'
import { createChannels, createCursors } from './channels.ts'
import { createFileRecords } from './file-records.ts'
import { createForgetChannel, createForgetWorkspace } from './forget-workspace.ts'
import { createHistory } from './history.ts'
import { createOutbox } from './outbox.ts'
import type { Tables } from './tables.ts'

type TableStore = Omit<Store, 'sharing' | 'room' | 'inbox' | 'spool' | 'sources' | 'originals'>

/** The ports of the store that are plain tables. */
export function openTables(tables: Tables): TableStore & { cursors(adapter: string): Cursors } {
  return {
    outbox: createOutbox(tables),
    channels: createChannels(tables),
    files: createFileRecords(tables),
    history: createHistory(tables),
    answers: createAnswers(tables),
    buttonPayloads: createButtonPayloads(tables),
    preferences: createPreferences(tables),
    usage: createUsage(tables),
    forgetWorkspace: createForgetWorkspace(tables),
    forgetChannel: createForgetChannel(tables),
    cursors: (adapter) => createCursors(tables, adapter),
  }
}
