import { createKeyedMutex, withLock } from '#lib/keyed-mutex.ts'
import type { FileRecord } from '../port/records.ts'
import type { Store } from '../port/store.ts'

const UPLOAD_SLOTS = 8

export type FileLock = ReturnType<typeof createFileLock>

/** Locks a file name of a collection, and file content by its hash. Lock order: name, then content. */
export function createFileLock({ files, sharing }: Pick<Store, 'files' | 'sharing'>) {
  const turns = sharing.mutex('file')
  const slots = createKeyedMutex()
  type Work<Result> = () => Promise<Result>

  const withName = <Result>(file: FileRecord, signal: AbortSignal, work: Work<Result>) =>
    withLock(turns, `${file.collection}/${file.fileName}`, signal, work)

  const withContent = <Result>(file: FileRecord, signal: AbortSignal, work: Work<Result>) =>
    file.sha256 === undefined ? work() : withLock(turns, `${file.collection}#${file.sha256}`, signal, work)

  return {
    /** Finds free names for a drop and records them: two drops at once must not find the same one. */
    withNaming: <Result>(collection: string, signal: AbortSignal, work: Work<Result>) =>
      withLock(turns, `${collection}?`, signal, work),
    withName,
    withContent,
    /** Takes both locks; `work` gets the current record. Resolves with undefined if the record is gone. */
    withFile: <Result>(file: FileRecord, signal: AbortSignal, work: (now: FileRecord) => Promise<Result>) =>
      withName(file, signal, async () => {
        const now = await files.get(file.id)
        return now && withContent(now, signal, () => work(now))
      }),
    /** Limits how many files are converted and uploaded at once. */
    withUploadSlot<Result>({ sha256 = '0' }: FileRecord, signal: AbortSignal, work: Work<Result>) {
      const slot = Number.parseInt(sha256.slice(-2), 16) % UPLOAD_SLOTS
      return withLock(slots, `slot ${slot}`, signal, work)
    },
  }
}
