import type { SpeechRequest } from '../../wire/voice.ts'
import { EngineError } from '../errors.ts'
import { toCallError, type UpstreamHttp } from './http.ts'

export interface Spoken {
  readonly mimeType: string
  /** As it comes from the model server. */
  readonly bytes: ReadableStream<Uint8Array>
}

/** Has the model server read a text out. */
export type Speak = (request: SpeechRequest, signal?: AbortSignal) => Promise<Spoken>

export function createSpeak(http: UpstreamHttp | undefined): Speak {
  return async (request, signal) => {
    if (http === undefined) {
      throw new EngineError('not-configured', 'Reading out needs a model server: set UPSTREAM_BASE_URL.', {
        reason: 'no_speech_model',
      })
    }
    const options = signal === undefined ? {} : { signal }
    const response = await http.send({ method: 'POST', path: '/audio/speech', json: request, ...options })
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
