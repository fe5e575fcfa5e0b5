import type { Log, Platform } from '../port/platform.ts'
import { createIndexPass, type IndexPassOptions } from './collection/index-pass.ts'
import { createCollectionWatch, createLostCollections } from './collection/missing-collection.ts'
import { rebuildCollection, reindexCollection } from './collection/renew-collection.ts'
import { createFileLock } from './file-lock.ts'
import { abandon } from './ingest/abandon.ts'
import { onDrop } from './ingest/on-drop.ts'
import { claim, resume, resumeAll } from './ingest/resume.ts'
import { createReceipts } from './receipt/receipts.ts'
import { onFilesDeleted } from './removal/on-files-deleted.ts'
import { removeAllVersions, removeFile } from './removal/remove-file.ts'
import { keepBoth, undoVersion } from './removal/undo-version.ts'
import { saveMessage, saveThread } from './saved-messages/save-message.ts'
import { replaceNote, saveNote } from './saved-messages/save-note.ts'
import type { FileServices } from './services.ts'

export interface FilesOptions
  extends
    Omit<FileServices, 'indexPass' | 'watch' | 'receipts' | 'lock'>,
    Pick<IndexPassOptions, 'deadlineMs' | 'idleMs' | 'pollMs'> {
  /** The platform for questions; `platform` leaves the last of the quota to it. */
  readonly questionPlatform: Platform
  readonly log: Log
  /** Aborts when the process stops. */
  readonly signal: AbortSignal
}

export type Files = ReturnType<typeof createFiles>

/** All work on files, made once. Its methods take the context of the job that asks for the work. */
export function createFiles(options: FilesOptions) {
  const { questionPlatform, store, clock } = options
  const watch = createCollectionWatch({ ...options, platform: questionPlatform })
  const services: FileServices = {
    ...options,
    indexPass: createIndexPass(options),
    watch,
    receipts: createReceipts(options),
    lock: createFileLock(store),
  }
  const bind =
    <Args extends unknown[], Result>(work: (services: FileServices, ...args: Args) => Result) =>
    (...args: Args): Result =>
      work(services, ...args)
  return {
    lostCollections: createLostCollections({ watch, store, clock }),
    receipts: services.receipts,
    abandon: bind(abandon),
    onDrop: bind(onDrop),
    onFilesDeleted: bind(onFilesDeleted),
    claim: bind(claim),
    resume: bind(resume),
    resumeAll: bind(resumeAll),
    remove: bind(removeFile),
    removeAllVersions: bind(removeAllVersions),
    undoVersion: bind(undoVersion),
    keepBoth: bind(keepBoth),
    reindex: bind(reindexCollection),
    rebuild: bind(rebuildCollection),
    saveMessage: bind(saveMessage),
    saveThread: bind(saveThread),
    saveNote: bind(saveNote),
    replaceNote: bind(replaceNote),
  }
}
