import { join } from 'node:path'
import type { Cursors } from '../bridge/ports.ts'
import type { Store } from '../bridge/store-port.ts'
import { lockDirectory } from './lock.ts'
import { createSpool } from './spool.ts'
import { createBatch } from './sqlite/batch.ts'
import { openDatabase } from './sqlite/database.ts'
import { createInbox } from './sqlite/inbox.ts'
import { createOutbox } from './sqlite/outbox.ts'
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
  const durably = createBatch(database)
  return {
    inbox: createInbox(database, durably),
    outbox: createOutbox(database, durably),
    channels: createChannels(database),
    ledger: createLedger(database),
    transcripts: createTranscripts(database),
    spool: createSpool(join(dataDir, 'spool')),
    cursors: (adapter) => createCursors(database, adapter),
    close() {
      durably.flush()
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
