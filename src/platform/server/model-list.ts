import { isChatModel } from '../engine/api/models.ts'
import { EngineError } from '../engine/errors.ts'
import type { UserRow } from '../engine/storage/catalog.ts'
import type { ChatRequest, RequestedRetrieval } from '../wire/chat.ts'
import type { CollectionRecord } from '../wire/collections.ts'
import type { Model } from '../wire/models.ts'
import { toCollectionId } from '../wire/names.ts'
import type { ServerParts } from './routing.ts'

/**
 * A collection as a model: `<model>:<owner>/<name>`, for clients that can name nothing but a model. The owner has no
 * colon and no slash, so `hf.co/some/model:Q4` and `llama3.3:latest` are no collections.
 */
const COLLECTION_MODEL = /^(?<model>.+?):(?<collection>[^/:]+\/[^/]+)$/su

const toModel = (by: Model, collection: string, created: number): Model => ({
  ...by,
  id: `${by.id}:${collection}`,
  name: `${collection.slice(collection.indexOf('/') + 1)} (${by.id})`,
  owned_by: collection.slice(0, collection.indexOf('/')),
  created,
})

const idOf = ({ owner_user_name: owner, name }: CollectionRecord) => toCollectionId(owner, name)

/** A chat, and the collections that it asks. */
interface Asked {
  readonly request: ChatRequest
  readonly retrieval: RequestedRetrieval | undefined
}

/** Models as a key sees them, collections among them. */
export function createModelList({ engine }: Pick<ServerParts, 'engine'>) {
  /** @returns model and collection; undefined for a plain model, also one that the model server lists by this form */
  async function collectionOf(id: string) {
    const { model, collection } = COLLECTION_MODEL.exec(id)?.groups ?? {}
    if (model === undefined || collection === undefined) return undefined
    return (await engine.models()).some((one) => one.id === id) ? undefined : { model, collection }
  }

  return {
    /** A chat whose model may name a collection, too. */
    async toAsked(request: ChatRequest): Promise<Asked> {
      const named = await collectionOf(request.model)
      if (named === undefined) return { request, retrieval: undefined }
      return { request: { ...request, model: named.model }, retrieval: { collections: [named.collection] } }
    },
    /** @param withCollections each collection follows, by the first model that answers */
    async list(user: UserRow, withCollections: boolean): Promise<readonly Model[]> {
      const models = await engine.models()
      const by = withCollections ? models.find(isChatModel) : undefined
      if (by === undefined) return models
      const records = await engine.collections.list(user)
      return [
        ...models,
        ...records.map((record) => toModel(by, idOf(record), Math.floor(Date.parse(record.created_at) / 1000))),
      ]
    },
    /** @throws {EngineError} `not-found` for a model, or a collection, that is not there or not shared */
    async get(user: UserRow, id: string): Promise<Model> {
      const models = await engine.models()
      const known = models.find((one) => one.id === id)
      if (known !== undefined) return known
      const named = await collectionOf(id)
      const by = models.find((one) => one.id === named?.model)
      if (named === undefined || by === undefined)
        throw new EngineError('not-found', `There is no model ${id}: GET /v1/models lists those that there are.`, {
          reason: 'model_not_found',
        })
      const row = await engine.collections.readable(user, named.collection)
      return toModel(by, named.collection, Math.floor(row.createdAt / 1000))
    },
  }
}
