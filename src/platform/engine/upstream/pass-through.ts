import type { EmbeddingsRequest } from '../../wire/models.ts'
import { EngineError } from '../errors.ts'
import { readObject, type UpstreamHttp } from './http.ts'

/** Passes the request on as it is and gives the answer back as it came. */
export type Embed = (request: EmbeddingsRequest, signal?: AbortSignal) => Promise<object>

export function createEmbed(http: UpstreamHttp | undefined): Embed {
  return async (request, signal) => {
    if (http === undefined) {
      throw new EngineError(
        'not-configured',
        'Embeddings need a model server: set UPSTREAM_BASE_URL and UPSTREAM_EMBEDDING_MODEL.',
        { reason: 'no_embedding_model' },
      )
    }
    const options = signal === undefined ? {} : { signal }
    const response = await http.send({ method: 'POST', path: '/embeddings', json: request, ...options })
    return readObject(response, signal)
  }
}
