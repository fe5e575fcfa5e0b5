import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Cursors } from '../bridge/port/platform.ts'
import type { Store } from '../bridge/port/store.ts'
import { lockFolder } from '../lib/folder-lock.ts'
import { schemaVersion } from '../lib/sqlite.ts'
import { createOriginals } from './originals.ts'
import { removeParts, createSpool } from './spool.ts'
import { createSourceCache } from './sources.ts'
import { openDatabase, openDisk } from './sqlite/database.ts'
import { createInbox } from './sqlite/inbox.ts'
import { createOutbox } from './sqlite/outbox.ts'
import { createAnswers, createButtonPayloads, createPreferences, createUsage } from './sqlite/answer-store.ts'
import { createChannels, createCursors } from './sqlite/channels.ts'
import { createFileRecords } from './sqlite/file-records.ts'
import { createHistory } from './sqlite/history.ts'
import type { AnswerRecords } from '../bridge/port/records.ts'
import { MIGRATIONS } from './sqlite/migrations.ts'

export interface OpenStore extends Store {
  cursors(adapter: string): Cursors
  close(): void
}

/**
 * The store of the bridge in `dataDir/bridge.sqlite`.
 *
 * @throws {Error} a sentence when another process uses the directory, or a newer version wrote it.
 */
export function openStore(dataDir: string): OpenStore {
  const unlock = lockFolder(dataDir, 'lock', (cause) => {
    const remedy = 'stop it first, or set DATA_DIR to another folder'
    return new Error(`Another Footbridge already uses ${dataDir}: ${remedy}.`, { cause })
  })
  const database = openOrUnlock(join(dataDir, 'bridge.sqlite'), unlock)
  for (const folder of ['spool', 'originals', 'sources']) removeParts(join(dataDir, folder))
  const disk = openDisk(database)
  const { durably } = disk
  return {
    inbox: createInbox(database, disk),
    outbox: createOutbox(database, durably),
    channels: createChannels(database, durably),
    files: createFileRecords(database, durably),
    history: createHistory(database, durably),
    answers: createAnswers(database, durably),
    buttonPayloads: createButtonPayloads(database, durably),
    preferences: createPreferences(database, durably),
    usage: createUsage(database, durably),
    spool: createSpool(join(dataDir, 'spool')),
    sources: createSourceCache(join(dataDir, 'sources')),
    originals: createOriginals(join(dataDir, 'originals')),
    cursors: (adapter) => createCursors(database, adapter),
    close() {
      disk.close()
      database.close()
      unlock()
    },
  }
}

function openOrUnlock(path: string, unlock: () => void) {
  try {
    return openDatabase(path)
  } catch (error) {
    unlock()
    throw error
  }
}

/** Opened read-only. */
const nothing = async <Result>(write: () => Result): Promise<Result> => write()

/**
 * The recorded answers, readable beside a running Footbridge.
 *
 * @throws {Error} a sentence when another version wrote the file.
 */
export function openAnswers(path: string): { readonly answers: Pick<AnswerRecords, 'get' | 'voted'>; close(): void } {
  const database = new DatabaseSync(path, { readOnly: true })
  const version = schemaVersion(database)
  if (version !== MIGRATIONS.length) {
    database.close()
    throw new Error(`${path} was written by another version of Footbridge: start this one on it once first.`)
  }
  return { answers: createAnswers(database, nothing), close: () => database.close() }
}
