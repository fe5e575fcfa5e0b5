import { receivedModelList, type ReceivedModel } from '../wire/model.ts'
import type { CallOptions, Context } from './context.ts'
import { given } from './given.ts'
import { readJson } from './reply.ts'

export interface Model {
  readonly id: string
  readonly name: string
  /** Modalities; empty where the platform does not say. */
  readonly input: readonly string[]
  readonly output: readonly string[]
  readonly ownedBy?: string
  readonly created?: number | string
  readonly demand?: number | string
  readonly status?: string
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
    ...given('ownedBy', model.owned_by),
    ...given('created', model.created),
    ...given('demand', model.demand),
    ...given('status', model.status),
  }
}
