import type { ListedModel } from '#bridge/port/platform.ts'
import { receivedModelList, type ReceivedModel, receivedEmbeddings } from '../wire/models.ts'
import { JSON_LIST_BOUNDS } from '../wire/limits.ts'
import type { CallOptions, Context } from './context.ts'
import { readJson, unexpected } from './reply.ts'

export interface Model extends ListedModel {
  readonly name: string
  /** Modalities; empty where the platform does not say. */
  readonly input: readonly string[]
  readonly output: readonly string[]
  readonly ownedBy?: string
  readonly created?: number | string
  readonly demand?: number | string
  readonly status?: string
  /** `YYYY-MM-DD`, where its server says that it will be shut down. */
  readonly shutdownDate?: string
}

export function createModels({ transport, paths, credentials }: Context) {
  return {
    async list(options: CallOptions = {}): Promise<readonly Model[]> {
      const reply = await transport.send({
        doing: 'listing the models',
        method: 'GET',
        path: paths.models,
        credential: credentials.api,
        retry: 'safe',
        signal: options.signal,
      })
      return (await readJson(reply, receivedModelList)).data.map(toModel)
    },
  }
}

function toModel(model: ReceivedModel): Model {
  return {
    id: model.id,
    name: model.name ?? model.id,
    input: model.input ?? [],
    output: model.output ?? [],
    ownedBy: model.owned_by ?? undefined,
    created: model.created ?? undefined,
    demand: model.demand ?? undefined,
    status: model.status ?? undefined,
    shutdownDate: model.shutdown_date ?? undefined,
  }
}

export interface EmbeddingsRequest {
  readonly model: string
  readonly input: readonly string[]
}

export function createEmbeddings({ transport, paths, credentials, limits }: Context) {
  return {
    /** One vector for each input, in their order. */
    async create(
      { model, input }: EmbeddingsRequest,
      options: CallOptions = {},
    ): Promise<readonly (readonly number[])[]> {
      const reply = await transport.send({
        doing: 'embedding text',
        method: 'POST',
        path: paths.embeddings,
        credential: credentials.api,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model, input, encoding_format: 'float' }),
        firstByteMs: limits.answerMs,
        retry: 'refused',
        signal: options.signal,
      })
      const { data } = await readJson(reply, receivedEmbeddings, {
        maxBytes: MAX_EMBEDDINGS_BYTES,
        bounds: JSON_LIST_BOUNDS,
      })
      const vectors = new Map(data.map((one, index) => [one.index ?? index, one.embedding]))
      return input.map((_, index) => {
        const vector = vectors.get(index)
        if (vector === undefined) throw unexpected(reply.doing, reply.status, `vector ${index} is missing`)
        return vector
      })
    },
  }
}

const MAX_EMBEDDINGS_BYTES = 128 * 1024 * 1024
