import { z } from 'zod'
import { JSON_LIST_BOUNDS, receivedList } from '../wire/limits.ts'
import { receivedCollection, sharingRequest, type ReceivedCollection } from '../wire/collections.ts'
import { collectionName, toCollectionId, toPlainName } from '../wire/names.ts'
import type { CallOptions, Context, Management, ManagementCall } from './context.ts'
import { PlatformError } from './errors.ts'
import { drain, parseJson, readJson, unexpected, type Reply } from './reply.ts'

/** Readers of a collection other than its owner: all, or named users. */
export interface Sharing {
  readonly visibility: 'private' | 'public'
  readonly users: readonly string[]
}

export interface Collection {
  /** `<owner>/<name>`. */
  readonly id: string
  readonly name: string
  readonly owner?: string
  readonly fileCount?: number
  readonly sizeBytes?: number
  readonly createdAt?: string
  readonly updatedAt?: string
  /** Absent where the platform does not say. */
  readonly sharing?: Sharing
  readonly index?: {
    readonly status: IndexStatus
    readonly files?: number
    readonly chunks?: number
    readonly error?: string
    readonly embeddingsModel?: string
    readonly toolVersion?: string
    readonly vectorStoreVersion?: string
  }
}

/** The plain name; an owner before it is stripped. @throws {PlatformError} `invalid` for a name that the contract refuses. */
export function checkedCollection(nameOrId: string): string {
  const result = collectionName.safeParse(toPlainName(nameOrId))
  if (result.success) return result.data
  const why = result.error.issues[0]?.message ?? ''
  throw new PlatformError('invalid', `"${nameOrId}" cannot name a collection. ${why} 1 to 100 characters.`)
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createCollections({ paths, limits }: Context, management: Management) {
  const get = async (nameOrId: string, options: CallOptions = {}): Promise<Collection> => {
    const name = checkedCollection(nameOrId)
    const reply = await management.sendToCollection({
      doing: `reading the collection "${name}"`,
      method: 'GET',
      path: paths.collection(name),
      collection: name,
      retry: 'safe',
      signal: options.signal,
    })
    return readRecord(reply)
  }

  return {
    get,
    async list(options: CallOptions = {}): Promise<readonly Collection[]> {
      const reply = await management.send({
        doing: 'listing the collections',
        method: 'GET',
        path: paths.collections,
        retry: 'safe',
        signal: options.signal,
      })
      const records = await readJson(reply, receivedList(receivedCollection), { bounds: JSON_LIST_BOUNDS })
      return records.flatMap((record) => toCollection(record) ?? [])
    },
    /** @throws {PlatformError} `conflict` when the name exists. */
    async create(nameOrId: string, options: CallOptions = {}): Promise<Collection & { message?: string }> {
      const name = checkedCollection(nameOrId)
      const reply = await management.send({
        doing: `creating the collection "${name}"`,
        method: 'POST',
        path: paths.collections,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
        retry: 'refused',
        signal: options.signal,
      })
      const said = createdAnswer.safeParse(parseJson(await reply.text(MAX_ANSWER_BYTES))?.json)
      const { id, message } = said.success ? said.data : {}
      if (id) return { id, name: toPlainName(id), message: message || undefined }
      // The deployed service answers in a shape that is not known (C): the record tells the id.
      return get(name, options)
    },
    /**
     * Sets who may read the collection. A field that is left out is reset: private, no named users. Not every platform
     * has the call.
     *
     * @throws {PlatformError} `not-found` also where the platform cannot share
     */
    async share(nameOrId: string, sharing: Partial<Sharing>, options: CallOptions = {}): Promise<Collection> {
      const name = checkedCollection(nameOrId)
      const wanted = sharingRequest.safeParse(sharing)
      if (!wanted.success) {
        const why = wanted.error.issues[0]?.message ?? ''
        throw new PlatformError('invalid', `The collection "${name}" cannot be shared like this. ${why}`)
      }
      const reply = await management.sendToCollection({
        doing: `sharing the collection "${name}"`,
        method: 'PUT',
        path: paths.sharing(name),
        collection: name,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(wanted.data),
        retry: 'refused',
        signal: options.signal,
      })
      return readRecord(reply)
    },
    async delete(nameOrId: string, options: CallOptions = {}): Promise<void> {
      const name = checkedCollection(nameOrId)
      const reply = await management.sendToCollection({
        doing: `deleting the collection "${name}"`,
        method: 'DELETE',
        path: paths.collection(name),
        collection: name,
        retry: 'refused',
        signal: options.signal,
      })
      await drain(reply)
    },
    /**
     * Starts an index pass. `done`: it is over. `accepted`: it may be running (504, dropped or silent): look at the
     * file list, never trigger again at once. `running`: another pass was under way.
     */
    async generateIndex(nameOrId: string, options: CallOptions = {}): Promise<IndexTrigger> {
      const name = checkedCollection(nameOrId)
      return triggerIndex(management, {
        doing: `indexing the collection "${name}"`,
        method: 'POST',
        path: paths.generateIndex(name),
        unguarded: true,
        firstByteMs: limits.indexMs,
        retry: 'unsent',
        signal: options.signal,
      })
    },
    async deleteIndex(nameOrId: string, options: CallOptions = {}): Promise<void> {
      const name = checkedCollection(nameOrId)
      const reply = await management.sendToCollection({
        doing: `deleting the index of the collection "${name}"`,
        method: 'DELETE',
        path: paths.deleteIndex(name),
        collection: name,
        retry: 'refused',
        signal: options.signal,
      })
      await drain(reply)
    },
  }
}

const MAX_ANSWER_BYTES = 1024 * 1024
const createdAnswer = z.looseObject({ id: z.string().nullish(), message: z.string().nullish() })

async function readRecord(reply: Reply): Promise<Collection> {
  const collection = toCollection(await readJson(reply, receivedCollection))
  if (collection !== undefined) return collection
  throw unexpected(reply.doing, reply.status, 'neither an id nor an owner is in the record')
}

/** Undefined when the record has no id. */
function toCollection(record: ReceivedCollection): Collection | undefined {
  const owner = record.owner_user_name ?? undefined
  const id = record.id || (owner ? toCollectionId(owner, record.name) : undefined)
  if (id === undefined) return undefined
  return {
    id,
    name: record.name,
    owner,
    fileCount: record.file_count ?? undefined,
    sizeBytes: record.size ?? undefined,
    createdAt: record.created_at ?? undefined,
    updatedAt: record.updated_at ?? undefined,
    sharing: toSharing(record.sharing),
    index: toIndex(record.index_info),
  }
}

function toSharing(said: ReceivedCollection['sharing']): Sharing | undefined {
  if (said === null || said === undefined) return undefined
  // An unknown visibility counts as private.
  return { visibility: said.visibility === 'public' ? 'public' : 'private', users: said.users ?? [] }
}

function toIndex(info: ReceivedCollection['index_info']): Collection['index'] {
  if (info === null || info === undefined) return undefined
  return {
    status: toIndexStatus(info.index_status),
    files: info.total_files_indexed ?? undefined,
    chunks: info.total_chunks_indexed ?? undefined,
    error: info.error_msg || undefined,
    embeddingsModel: info.embeddings_model ?? undefined,
    toolVersion: info.cli_version ?? undefined,
    vectorStoreVersion: info.vector_db_version ?? undefined,
  }
}

const INDEX_STATUSES = ['INDEXED', 'NOT_INDEXED', 'ERROR', 'PENDING', 'PROCESSING'] as const

export type IndexStatus = (typeof INDEX_STATUSES)[number]

/**
 * An unknown status counts as transient: the caller polls until its own deadline, and reports neither success nor
 * failure.
 */
export function toIndexStatus(status: string | null | undefined): IndexStatus {
  if (status === null || status === undefined) return 'NOT_INDEXED'
  return INDEX_STATUSES.find((one) => one === status.toUpperCase()) ?? 'PENDING'
}

/** `done`: over. `accepted`: it may be running. `running`: another pass was under way. */
export type IndexTrigger = 'done' | 'accepted' | 'running'

/** A gateway timed out or lost its connection to the server, while the job may go on (interface, "Errors"). */
const GATEWAY_STATUSES = new Set([502, 504])

function judge(error: unknown): IndexTrigger {
  if (!(error instanceof PlatformError) || error.code === 'aborted') throw error
  if (error.code === 'conflict' || error.code === 'locked') return 'running'
  if (error.status !== undefined) {
    if (GATEWAY_STATUSES.has(error.status)) return 'accepted'
    throw error
  }
  if (error.code === 'timeout' || (error.code === 'unreachable' && error.maybeDone)) return 'accepted'
  throw error
}

/** Sends the trigger once: a second pass on one collection collides with the first. */
async function triggerIndex(management: Management, call: ManagementCall): Promise<IndexTrigger> {
  try {
    const reply = await management.send(call)
    // The status is the answer, even when the body breaks off.
    reply.relax()
    reply.discard()
    return reply.status === 202 ? 'accepted' : 'done'
  } catch (error) {
    return judge(error)
  }
}
