import { Hono } from 'hono'
import {
  chatRequest,
  requestedRetrieval,
  type ChatRequest,
  type RequestedRetrieval,
} from '../../wire/chat.ts'
import { probeAnswer } from '../../wire/errors.ts'
import { inferenceHeader, profiles, toolField } from '../../wire/profile.ts'
import { requireForm, requireKey } from '../auth.ts'
import { limitJson, readJson } from '../body.ts'
import { EngineError } from '../../engine/errors.ts'
import type { Environment, ServerParts } from '../environment.ts'
import { toFailure } from '../errors.ts'
import { onlyMethods } from '../methods.ts'
import { toEventStream } from '../sse.ts'

const path = '/chat/completions'

/** What to retrieve: all three additions must be there, else it is a plain chat. */
function toRetrieve(request: ChatRequest, header: string | undefined): RequestedRetrieval | undefined {
  if (request[toolField] !== true || header !== inferenceHeader.value) return undefined
  return requestedRetrieval(request, profiles.collection)
}

export function chatRoutes(parts: ServerParts): Hono<Environment> {
  const { engine, log } = parts
  return new Hono<Environment>()
    .get(path, requireKey(parts, 'either', { free: true }), (c) =>
      c.json(
        {
          error: { message: probeAnswer.detail, type: 'invalid_request_error', code: null, param: null },
          ...probeAnswer,
        },
        400,
      ),
    )
    .post(path, requireKey(parts, 'either'), limitJson, async (c) => {
      const request = await readJson(c, chatRequest)
      if (requestedRetrieval(request, profiles.collection) === undefined) {
        requireForm(c.get('credential'), 'bearer')
      }
      const retrieval = toRetrieve(request, c.req.header(inferenceHeader.name))
      const left = new AbortController()
      const answer = await engine.chat({
        user: c.get('key').user,
        request,
        signal: AbortSignal.any([c.req.raw.signal, left.signal]),
        ...(retrieval === undefined ? {} : { retrieval }),
      })
      if (answer.kind === 'whole') return c.json(answer.body)
      const requestId = c.get('requestId')
      const response = toEventStream(answer.events, {
        onLeave: () => left.abort(),
        toError(error) {
          // The caller is told why in the stream, and reports it.
          const level = error instanceof EngineError ? 'info' : 'error'
          log[level]({ err: error, requestId }, 'answer broke off')
          return toFailure(error).body
        },
      })
      return c.newResponse(response.body, response)
    })
    .all(path, onlyMethods('GET', 'POST'))
}
