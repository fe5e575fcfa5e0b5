import type { EmbeddingsRequest } from '#platform/wire/models.ts'
import type { SpeechRequest } from '#platform/wire/voice.ts'
import { EngineError } from '../errors.ts'
import { readObject, toCallError, type UpstreamHttp } from './http.ts'

/** Passes the request and its answer on unchanged. */
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
    const response = await http.send({ method: 'POST', path: '/embeddings', json: request, signal })
    return readObject(response, signal)
  }
}

export interface Spoken {
  readonly mimeType: string
  /** Streamed from the model server. */
  readonly bytes: ReadableStream<Uint8Array>
}

/** Text to speech by the model server. */
export type Speak = (request: SpeechRequest, signal?: AbortSignal) => Promise<Spoken>

export function createSpeak(http: UpstreamHttp | undefined): Speak {
  return async (request, signal) => {
    if (http === undefined) {
      throw new EngineError('not-configured', 'Text to speech needs a model server: set UPSTREAM_BASE_URL.', {
        reason: 'no_speech_model',
      })
    }
    const response = await http.send({ method: 'POST', path: '/audio/speech', json: request, signal })
    const type = response.headers['content-type']
    const pieces: AsyncIterator<Uint8Array> = response.body[Symbol.asyncIterator]()
    return {
      mimeType: (Array.isArray(type) ? type[0] : type) ?? 'application/octet-stream',
      bytes: new ReadableStream<Uint8Array>({
        async pull(controller) {
          try {
            const { done, value } = await pieces.next()
            if (done === true) controller.close()
            else controller.enqueue(value)
          } catch (error) {
            controller.error(toCallError(error, signal))
          }
        },
        cancel: () => void response.body.destroy(),
      }),
    }
  }
}
