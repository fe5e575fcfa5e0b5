import { createLru } from '#lib/lru.ts'
import { contextExcess } from '#platform/wire/context-excess.ts'
import { type Adjustment, sendAdjusted } from '#platform/wire/refused-parameters.ts'
import { EngineError } from '../errors.ts'
import type { EngineLog } from '../types.ts'
import type { UpstreamHttp, UpstreamResponse } from './http.ts'

/**
 * Asks for a chat completion, without the parameters that its model refuses.
 *
 * @throws {EngineError} `too-long` when the model reads fewer tokens at once; and for every other outcome than 2xx
 */
export type AskChat = (json: object, signal: AbortSignal | undefined) => Promise<UpstreamResponse>

const MAX_MODELS = 200

const refusalOf = (error: unknown) =>
  error instanceof EngineError && error.code === 'invalid' ? error.refusal : undefined

/** A prompt that is too long, by the words of its refusal, which may come under a good status. */
export function toTooLong(error: unknown): unknown {
  const refusal = error instanceof EngineError ? error.refusal : undefined
  const excess = refusal && contextExcess(refusal)
  if (excess === undefined) return error
  const sentence = 'The question, with what was said and found for it, is longer than the model reads at once.'
  const fields: Readonly<Record<string, number>> = excess.window === undefined ? {} : { window: excess.window }
  return new EngineError('too-long', sentence, { reason: 'context_length_exceeded', fields, cause: error })
}

export function createAskChat(http: UpstreamHttp, log: Pick<EngineLog, 'info'>): AskChat {
  const memory = createLru<readonly Adjustment[]>(MAX_MODELS)
  const onLearn = (model: string, { without, instead }: Adjustment) =>
    log.info({ model, without, instead }, 'A model refuses a parameter: it is asked without it from now on')
  return async (json, signal) => {
    const send = (body: object) =>
      http.send({ method: 'POST', path: '/chat/completions', json: body, signal }).catch((error: unknown) => {
        throw toTooLong(error)
      })
    return sendAdjusted({ ...json }, { memory, send, refusalOf, onLearn })
  }
}
