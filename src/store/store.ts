import { join } from 'node:path'
import type { Cursors } from '../bridge/port/platform.ts'
import type { Store } from '../bridge/port/store.ts'
import { lockDirectory } from '../lib/folder-lock.ts'
import { createOriginals } from './originals.ts'
import { removeParts } from './parts.ts'
import { createSourceRoom } from './sources.ts'
import { createSpool } from './spool.ts'
import { openDatabase } from './sqlite/database.ts'
import { openDisk } from './sqlite/durably.ts'
import { createInbox } from './sqlite/inbox.ts'
import { createOutbox } from './sqlite/outbox.ts'
import { createAnswers } from './sqlite/answers.ts'
import { createChoices, createOffers, createSpending } from './sqlite/keepsakes.ts'
import { createChannels, createLedger } from './sqlite/records.ts'
import { createCursors, createTranscripts } from './sqlite/transcripts.ts'

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
  const unlock = lockDirectory(dataDir)
  const database = openOrUnlock(join(dataDir, 'bridge.sqlite'), unlock)
  for (const folder of ['spool', 'originals', 'sources']) removeParts(join(dataDir, folder))
  const disk = openDisk(database)
  const { durably } = disk
  return {
    inbox: createInbox(database, disk),
    outbox: createOutbox(database, durably),
    channels: createChannels(database, durably),
    ledger: createLedger(database, durably),
    transcripts: createTranscripts(database, durably),
    answers: createAnswers(database, durably),
    offers: createOffers(database, durably),
    choices: createChoices(database, durably),
    spending: createSpending(database, durably),
    spool: createSpool(join(dataDir, 'spool')),
    sources: createSourceRoom(join(dataDir, 'sources')),
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
