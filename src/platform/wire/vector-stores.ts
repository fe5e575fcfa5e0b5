import { z } from 'zod'
import { RETRIEVAL_LIMITS } from './chat.ts'
import { collectionName, guess } from './names.ts'
import { inert, knownFields, notDone } from './responses.ts'

/** Collection of the files that came by POST `/files`. It is no vector store. Our own choice (U). */
export const UPLOADS = 'uploaded-files'

/** An object without a field, as clients send it by default. */
const emptyObject = (remedy: string) =>
  z
    .unknown()
    .refine((value) => (value ?? null) === null || (typeof value === 'object' && JSON.stringify(value) === '{}'), {
      error: remedy,
    })
    .optional()

const chunking = z
  .looseObject({
    type: z.literal('auto', { error: 'Sizes of passages are not set from outside: leave `chunking_strategy` out' }),
  })
  .nullish()

const attributes = emptyObject('Files have no attributes: keep them in vector stores of their own')

/** Request of POST `/vector_stores`. */
export const createStoreRequest = knownFields({
  /** Name of the collection; absent: one is made up. */
  name: collectionName.nullish(),
  file_ids: z
    .array(z.string())
    .max(100, { error: 'At most 100 files at once: attach the others one by one' })
    .nullish(),
  chunking_strategy: chunking,
  description: notDone('A store has no description: say it in its name'),
  expires_after: notDone('Stores do not expire: delete them'),
  metadata: emptyObject('Stores have no metadata: leave it out'),
}).meta(guess('B'))

/** Request of POST `/vector_stores/{id}/files`. */
export const attachRequest = knownFields({
  file_id: z.string({ error: 'Name the file by the id that POST /v1/files gave' }).min(1),
  attributes,
  chunking_strategy: chunking,
}).meta(guess('B'))

/** Request of POST `/vector_stores/{id}/search`. */
export const searchRequest = knownFields({
  query: z.union([z.string().min(1), z.array(z.string().min(1)).length(1)], {
    error: '`query` is one text: search for several one by one',
  }),
  max_num_results: z.int().min(1).max(RETRIEVAL_LIMITS.chunks).nullish(),
  filters: notDone('Files have no attributes to filter by: keep them in vector stores of their own'),
  rewrite_query: notDone('A query is searched for as it is: set `rewrite_query` to false'),
  ranking_options: knownFields({
    ranker: inert,
    /** Least score, 0…1. */
    score_threshold: z.number().min(0).max(1).nullish(),
    hybrid_search: notDone('Weights are not supported: leave them out'),
  }).nullish(),
}).meta(guess('B'))

const pageLength = (most: number) => z.coerce.number().int().min(1).max(most).default(20)

/** Query of a list. */
export const listQuery = z.object({
  limit: pageLength(100),
  order: z.enum(['asc', 'desc']).default('desc'),
  /** Id of the element before the first one that is wanted. */
  after: z.string().optional(),
  before: z.string().optional(),
})

/** Query of GET `/vector_stores/{id}/files`. */
export const storeFileListQuery = listQuery.extend({
  filter: z
    .enum(['in_progress', 'completed', 'failed', 'cancelled'], {
      error: '`filter` is `in_progress`, `completed`, `failed` or `cancelled`',
    })
    .optional(),
})

/** Query of GET `/files`. */
export const uploadListQuery = listQuery.extend({
  limit: pageLength(10_000),
  /** `assistants` and `user_data` are one; there are no files of another purpose. */
  purpose: z.string().optional(),
})

const listOf = <Element extends z.ZodType>(element: Element) =>
  z.object({
    object: z.literal('list'),
    data: z.array(element),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  })

const deletedAs = <Name extends string>(object: Name) =>
  z.object({ id: z.string(), object: z.literal(object), deleted: z.literal(true) })

/** A collection as a vector store. Guess (B), as all below: as OpenAI has it. */
export const vectorStore = z.object({
  id: z.string(),
  object: z.literal('vector_store'),
  /** Unix time, seconds. */
  created_at: z.int(),
  last_active_at: z.int(),
  name: z.string(),
  usage_bytes: z.int(),
  status: z.enum(['in_progress', 'completed']),
  file_counts: z.object({
    in_progress: z.int(),
    completed: z.int(),
    failed: z.int(),
    cancelled: z.literal(0),
    total: z.int(),
  }),
  expires_at: z.null(),
  metadata: z.object({}),
})

export const vectorStoreFile = z.object({
  id: z.string(),
  object: z.literal('vector_store.file'),
  created_at: z.int(),
  vector_store_id: z.string(),
  usage_bytes: z.int(),
  status: z.enum(['in_progress', 'completed', 'failed']),
  last_error: z.object({ code: z.literal('invalid_file'), message: z.string() }).nullable(),
  attributes: z.object({}),
  chunking_strategy: z.object({ type: z.literal('other') }),
})

export const uploadedFile = z.object({
  id: z.string(),
  object: z.literal('file'),
  created_at: z.int(),
  bytes: z.int(),
  filename: z.string(),
  purpose: z.literal('assistants'),
  status: z.literal('processed'),
})

const textPart = z.object({ type: z.literal('text'), text: z.string() })

const page = <Element extends z.ZodType, Name extends string>(object: Name, element: Element) =>
  z.object({ object: z.literal(object), data: z.array(element), has_more: z.literal(false), next_page: z.null() })

export const storeSearchPage = page(
  'vector_store.search_results.page',
  z.object({
    file_id: z.string(),
    filename: z.string(),
    /** 1 is best. */
    score: z.number(),
    attributes: z.object({}),
    content: z.array(textPart),
    /** `p.3`, `L10-24`, `0:42`. Added (U). */
    place: z.string(),
  }),
).extend({ search_query: z.array(z.string()) })

/** The passages of a file, in order. */
export const storeFileContent = page('vector_store.file_content.page', textPart)

export const vectorStoreList = listOf(vectorStore)
export const vectorStoreFileList = listOf(vectorStoreFile)
export const uploadedFileList = listOf(uploadedFile)
export const storeDeleted = deletedAs('vector_store.deleted')
export const storeFileDeleted = deletedAs('vector_store.file.deleted')
export const fileDeleted = deletedAs('file')

export type ListQuery = z.infer<typeof listQuery>
export type VectorStore = z.infer<typeof vectorStore>
export type VectorStoreFile = z.infer<typeof vectorStoreFile>
export type UploadedFile = z.infer<typeof uploadedFile>
export type StoreSearchPage = z.infer<typeof storeSearchPage>
