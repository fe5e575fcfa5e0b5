import { z } from 'zod'
import { guess } from './sureness.ts'

/** Multipart part that holds an uploaded file, for POST and PUT. Guess (B). */
export const uploadPart = 'file'

/**
 * Text field beside the file, POST only: name of the stored file that this one was derived from. It is then listed under
 * that one's `related_files`, found as well, and goes with it. Guess (U): the interface shows the grouping, not how it
 * comes about.
 */
export const sourceField = 'derived_from'

/** Formats that a collection takes. Shown: PDF, text, markdown. The extensions and types are a guess (U). */
export const acceptedFormats = [
  { format: 'pdf', extensions: ['.pdf'], mimeType: 'application/pdf' },
  { format: 'text', extensions: ['.txt', '.text'], mimeType: 'text/plain' },
  { format: 'markdown', extensions: ['.md', '.markdown'], mimeType: 'text/markdown' },
] as const

/** Shown: `INDEXED`, `NOT_INDEXED`, `ERROR`. While a pass runs the deployed service may show the transient ones (C). */
export const fileIndexStatus = z.enum(['INDEXED', 'NOT_INDEXED', 'ERROR'])

export const fileIndexInfo = z.object({
  index_status: fileIndexStatus,
  chunks_indexed: z.int().min(0),
  /** Why `ERROR`. Guess (U): on the model of the collection's `error_msg`. */
  error_msg: z.string().nullable().optional().meta(guess('U')),
})

/** FileOutSchema. `index_info` is null until the first pass; `related_files` nests where derived files are grouped. */
export const fileRecord = z.object({
  name: z.string(),
  size: z.int().min(0),
  owner_user_name: z.string(),
  created_at: z.iso.datetime({ offset: true }),
  updated_at: z.iso.datetime({ offset: true }),
  index_info: fileIndexInfo.nullable(),
  get related_files() {
    return z.array(fileRecord).nullable()
  },
})

export const fileList = z.array(fileRecord).meta(guess('B', 'a bare list, no envelope'))

/** A file, as a client must be able to read it. */
export const receivedFile = z.looseObject({
  name: z.string(),
  size: z.number().nullish(),
  owner_user_name: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  index_info: z
    .looseObject({
      index_status: z.string().nullish(),
      chunks_indexed: z.number().nullish(),
      error_msg: z.string().nullish(),
    })
    .nullish(),
  get related_files() {
    return z.array(receivedFile).nullish()
  },
})

export type FileIndexStatus = z.infer<typeof fileIndexStatus>
export type FileIndexInfo = z.infer<typeof fileIndexInfo>
export type FileRecord = z.infer<typeof fileRecord>
export type ReceivedFile = z.infer<typeof receivedFile>
