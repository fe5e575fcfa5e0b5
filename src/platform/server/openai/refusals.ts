import type { Handler } from 'hono'
import { EngineError } from '#platform/engine/errors.ts'
import { ValidationError } from '../http/errors.ts'
import type { Environment } from '../routing.ts'

/** A body that does not fit is 400 here, as OpenAI has it, in the same sentence. */
export function asInvalid(error: unknown): never {
  if (error instanceof ValidationError) throw new EngineError('invalid', error.message, { reason: 'invalid_value' })
  throw error
}

/** Answers operations of OpenAI that are not supported. */
export const notDone =
  (sentence: string): Handler<Environment> =>
  () => {
    throw new EngineError('invalid', `${sentence}.`, { reason: 'unsupported_operation' })
  }
