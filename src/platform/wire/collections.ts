import { z } from 'zod'
import { receivedList } from './limits.ts'
import { collectionName, guess } from './names.ts'

/** Guess (C): terminal `INDEXED`, `NOT_INDEXED`, `ERROR`; transient `PENDING`, `PROCESSING`. */
export const collectionIndexStatus = z
  .enum(['INDEXED', 'NOT_INDEXED', 'ERROR', 'PENDING', 'PROCESSING'])
  .meta(guess('C'))

/** JSON body of create. The field is shown, its encoding a guess (C). */
export const createCollectionRequest = z.object({ name: collectionName })

/** As the interface shows it. The deployed service answers a JSON message of unknown shape (C): GET the record after. */
export const createCollectionResponse = z.object({ name: z.string(), id: z.string(), message: z.string() })

/** Guess (B): the interface names an index status, a tool version, a vector-store version and an error message. */
export const collectionIndexInfo = z
  .object({
    index_status: collectionIndexStatus,
    embeddings_model: z.string().nullable(),
    total_files_indexed: z.int().min(0),
    total_chunks_indexed: z.int().min(0),
    error_msg: z.string().nullable(),
    cli_version: z.string(),
    vector_db_version: z.string(),
  })
  .meta(guess('B'))

/** Guess (U): the interface says that there are sharing and permission settings, reset when a collection is made anew. */
export const collectionSharing = z
  .object({ visibility: z.enum(['private', 'public']), users: z.array(z.string()) })
  .meta(guess('U'))

/**
 * JSON body of PUT `…/collection/{name}/sharing`. Guess (U): the interface names sharing settings and shows no call. A
 * field that is left out is reset: `private`, no named users.
 */
export const sharingRequest = z
  .strictObject({
    visibility: z.enum(['private', 'public']).default('private'),
    /** User names. Named users read a private collection; they see it in their own list. */
    users: z.array(z.string().min(1).max(64)).max(1000).default([]),
  })
  .meta(guess('U'))

/** The record, as our server writes it. `name` and `id` are shown; the rest is a guess (B), `sharing` (U). */
export const collectionRecord = z
  .object({
    name: z.string(),
    id: z.string(),
    owner_user_name: z.string(),
    file_count: z.int().min(0),
    size: z.int().min(0),
    created_at: z.iso.datetime({ offset: true }),
    updated_at: z.iso.datetime({ offset: true }),
    index_info: collectionIndexInfo.nullable(),
    sharing: collectionSharing,
  })
  .meta(guess('B'))

export const collectionList = z.array(collectionRecord).meta(guess('B', 'a bare list, no envelope'))

/** The record, as a client must be able to read it: only the name is sure to be there. */
export const receivedCollection = z.looseObject({
  name: z.string(),
  id: z.string().nullish(),
  owner_user_name: z.string().nullish(),
  file_count: z.number().nullish(),
  size: z.number().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  index_info: z
    .looseObject({
      index_status: z.string().nullish(),
      embeddings_model: z.string().nullish(),
      total_files_indexed: z.number().nullish(),
      total_chunks_indexed: z.number().nullish(),
      error_msg: z.string().nullish(),
      cli_version: z.string().nullish(),
      vector_db_version: z.string().nullish(),
    })
    .nullish(),
  sharing: z.looseObject({ visibility: z.string().nullish(), users: z.array(z.string()).nullish() }).nullish(),
})

export type CollectionIndexStatus = z.infer<typeof collectionIndexStatus>
export type CreateCollectionRequest = z.infer<typeof createCollectionRequest>
export type CreateCollectionResponse = z.infer<typeof createCollectionResponse>
export type CollectionIndexInfo = z.infer<typeof collectionIndexInfo>
export type CollectionSharing = z.infer<typeof collectionSharing>
export type SharingRequest = z.infer<typeof sharingRequest>
export type CollectionRecord = z.infer<typeof collectionRecord>
export type ReceivedCollection = z.infer<typeof receivedCollection>

/** Multipart part that holds an uploaded file, for POST and PUT. Guess (B). */
export const UPLOAD_PART = 'file'

/**
 * Text field in addition to the file, POST only: name of the stored file that this one was derived from. It is then
 * listed under that one's `related_files`, found as well, and goes with it. Guess (U): the interface shows the
 * grouping, not how it comes about.
 */
export const SOURCE_FIELD = 'derived_from'

/** Formats that a collection takes. Shown: PDF, text, markdown. The extensions and types are a guess (U). */
export const ACCEPTED_FORMATS = [
  { format: 'pdf', extensions: ['.pdf'], mimeType: 'application/pdf' },
  { format: 'text', extensions: ['.txt', '.text'], mimeType: 'text/plain' },
  { format: 'markdown', extensions: ['.md', '.markdown'], mimeType: 'text/markdown' },
] as const

/** Shown: `INDEXED`, `NOT_INDEXED`, `ERROR`. While a pass runs the deployed service may show the transient ones (C). */
export const fileIndexStatus = z.enum(['INDEXED', 'NOT_INDEXED', 'ERROR'])

export const fileIndexInfo = z.object({
  index_status: fileIndexStatus,
  chunks_indexed: z.int().min(0),
  /** Why `ERROR`; with `INDEXED`, which parts were not read. Guess (U): on the model of the collection's `error_msg`. */
  error_msg: z.string().nullable().optional().meta(guess('U')),
  /** The page whose text is being recognized. Guess (U). */
  progress: z
    .object({ page: z.int().min(1), pages: z.int().min(1) })
    .optional()
    .meta(guess('U')),
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
      progress: z.looseObject({ page: z.number(), pages: z.number() }).nullish().catch(undefined),
    })
    .nullish(),
  get related_files() {
    return receivedList(receivedFile).nullish()
  },
})

export type FileIndexStatus = z.infer<typeof fileIndexStatus>
export type FileIndexInfo = z.infer<typeof fileIndexInfo>
export type FileRecord = z.infer<typeof fileRecord>
export type ReceivedFile = z.infer<typeof receivedFile>
