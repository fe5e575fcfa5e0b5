import { AdapterError } from '../../port/errors.ts'
import { isPassingFailure, isPlatformFailure, wordsOf } from '../../texts/failure-sentence.ts'
import type { PlatformFile } from '../../port/platform.ts'
import type { FileRecord } from '../../port/records.ts'
import type { Texts } from '../../texts/texts.ts'
import { NoText } from './upload-file.ts'

/** What became of a file, from what the platform says of it at its end. */
export function conclude(file: PlatformFile | undefined, texts: Texts): Partial<FileRecord> {
  const index = file?.index
  if (index?.status === 'INDEXED' && index.chunks > 0) return { state: 'ready', chunks: index.chunks }
  if (index?.status === 'INDEXED') return { state: 'failed', note: texts.noChunks }
  if (index?.status === 'ERROR') return { state: 'failed', note: index.error ?? texts.noChunks }
  return { state: 'failed', note: file === undefined ? texts.files.vanished : texts.indexSlow }
}

/** Why a file could not be taken in, and whether another try is of no use. */
export function reason(
  error: unknown,
  maxFileBytes: number,
  texts: Texts,
): { readonly note: string; readonly permanent?: true } {
  if (error instanceof RangeError)
    return { note: texts.fileTooLarge(Math.round(maxFileBytes / 1_000_000)), permanent: true }
  if (error instanceof NoText) return { note: texts.files.noText }
  if (error instanceof AdapterError) return { note: texts.fileGone(error.message) }
  if (!isPlatformFailure(error)) return { note: texts.failures.internal }
  if (error.code === 'unauthorized') return { note: texts.filePlatformKey }
  // The bytes stay the same; what was too large took too long, perhaps, and may not the next time.
  const isHopeless = error.code === 'unsupported'
  const note = isPassingFailure(error) ? texts.filePlatformAway : wordsOf(error)
  return { note, ...(isHopeless ? { permanent: true } : {}) }
}
