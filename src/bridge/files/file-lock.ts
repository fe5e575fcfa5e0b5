import { createTurns, takeTurn } from '../../lib/keyed-mutex.ts'
import type { FileRecord } from '../port/records.ts'
import type { Store } from '../port/store.ts'

/** One worker at a time on a file name of a collection, and one on the same bytes. Lock order: name, then content. */
export interface FileLock {
  withName<Result>(
    file: Pick<FileRecord, 'collection' | 'fileName'>,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result>
  withContent<Result>(
    file: Pick<FileRecord, 'collection' | 'sha256'>,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result>
  /** Both. `work` gets the record as it is then; undefined: it is not on record any more. */
  withFile<Result>(
    file: FileRecord,
    signal: AbortSignal,
    work: (now: FileRecord) => Promise<Result>,
  ): Promise<Result | undefined>
  /** A hundred files at once are converted and sent a few at a time. */
  withUploadSlot<Result>(
    file: Pick<FileRecord, 'sha256'>,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result>
}

const UPLOAD_SLOTS = 8

export function createFileLock({ files }: Pick<Store, 'files'>): FileLock {
  const turns = createTurns()
  const lock: FileLock = {
    withName: ({ collection, fileName }, signal, work) =>
      takeTurn(turns, `${collection}/${fileName}`, signal, work),
    withContent: ({ collection, sha256 }, signal, work) =>
      sha256 === undefined ? work() : takeTurn(turns, `${collection}#${sha256}`, signal, work),
    withFile: (file, signal, work) =>
      lock.withName(file, signal, async () => {
        const now = await files.get(file.id)
        return now && lock.withContent(now, signal, () => work(now))
      }),
    withUploadSlot({ sha256 = '0' }, signal, work) {
      const slot = Number.parseInt(sha256.slice(-2), 16) % UPLOAD_SLOTS
      return takeTurn(turns, `slot ${slot}`, signal, work)
    },
  }
  return lock
}
