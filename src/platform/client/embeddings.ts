import { receivedEmbeddings } from '../wire/embeddings.ts'
import type { CallOptions, Context } from './context.ts'
import { readJson, unexpected } from './reply.ts'

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
      const { data } = await readJson(reply, receivedEmbeddings, longestEmbeddings)
      const vectors = new Map(data.map((one, index) => [one.index ?? index, one.embedding]))
      return input.map((_, index) => {
        const vector = vectors.get(index)
        if (vector === undefined) throw unexpected(reply.doing, reply.status, `vector ${index} is missing`)
        return vector
      })
    },
  }
}

const longestEmbeddings = 128 * 1024 * 1024
