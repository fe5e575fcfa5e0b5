import { estimateTokens } from '#lib/tokens.ts'
import type { ChatRequest } from '#platform/wire/chat.ts'
import { EXTRACTIVE_MODEL } from './models.ts'
import { EngineError } from '../errors.ts'

/** Whether the answer has to be JSON: then no text may follow it. */
export function wantsJson({ response_format: format }: ChatRequest): boolean {
  const type = typeof format === 'object' && format !== null && 'type' in format ? format.type : undefined
  return type === 'json_object' || type === 'json_schema'
}

function refuse(what: string, remedy: string): never {
  const sentence = `The model ${EXTRACTIVE_MODEL} quotes from files and ${what}: ${remedy}, or ask another model.`
  throw new EngineError('invalid', sentence, { reason: 'unsupported_parameter' })
}

const isAbove = (value: unknown, most: number) => typeof value === 'number' && value > most

/**
 * Refuses requests that quoting from files cannot meet: an answer that ignores a field would look as if it had met it.
 *
 * @throws {EngineError} `invalid`
 */
export function refuseForQuotes(request: ChatRequest): void {
  if (isAbove(request['n'], 1)) refuse('gives one answer', 'send n: 1')
  if (request['logprobs'] === true || isAbove(request['top_logprobs'], 0) || isAbove(request['logprobs'], 0))
    refuse('has no probabilities of tokens', 'leave logprobs out')
  if (wantsJson(request)) refuse('writes no JSON', 'leave response_format out')
}

/** Most tokens of an answer, where the request limits it; `max_completion_tokens` is OpenAI's newer name. */
function mostTokens(request: ChatRequest): number | undefined {
  const newer = request['max_completion_tokens']
  return typeof newer === 'number' ? newer : (request.max_tokens ?? undefined)
}

/** The text up to the limit of the request in estimated tokens, at least its first character. */
export function withinLimit(request: ChatRequest, text: string): { readonly text: string; readonly isCut: boolean } {
  const most = mostTokens(request)
  if (most === undefined || estimateTokens(text) <= most) return { text, isCut: false }
  const characters = Array.from(text)
  let [fits, tooMany] = [1, characters.length]
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1
    if (estimateTokens(characters.slice(0, middle).join('')) <= most) fits = middle
    else tooMany = middle
  }
  return { text: characters.slice(0, fits).join('').trimEnd(), isCut: true }
}
