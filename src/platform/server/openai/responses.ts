import { Hono } from 'hono'
import { lastQuestion } from '#platform/wire/chat.ts'
import type { ChatAnswer } from '#platform/engine/answer/chat.ts'
import { responseRequest } from '#platform/wire/responses.ts'
import { requireKey } from '../auth.ts'
import { readChat } from '../http/body.ts'
import { createModelList } from '../model-list.ts'
import { respondWithAnswer } from '../routes/answering.ts'
import { type Environment, onlyMethods, type ServerParts } from '../routing.ts'
import { asInvalid, notDone } from './refusals.ts'
import { toResponseEvents } from './response-events.ts'
import { toChat, toRetrieval } from './to-chat.ts'
import { type Asked, toResponse } from './to-response.ts'

const translate = (asked: Asked, answer: ChatAnswer): ChatAnswer =>
  answer.kind === 'whole'
    ? { ...answer, body: toResponse(asked, answer.body) }
    : { ...answer, events: toResponseEvents(asked, answer.events) }

export function responseRoutes(parts: ServerParts): Hono<Environment> {
  const { engine } = parts
  const models = createModelList(parts)
  const key = requireKey(parts, 'bearer')

  return new Hono<Environment>()
    .post('/responses', key, (c) =>
      respondWithAnswer(
        c,
        parts,
        async (signal) => {
          const request = await readChat(c, responseRequest).catch(asInvalid)
          const chat = toChat(request)
          const retrieval = toRetrieval(request)
          const call = retrieval === undefined ? await models.toAsked(chat) : { request: chat, retrieval }
          const answer = await engine.chat({ user: c.get('key').user, signal, withoutBlock: true, ...call })
          const question = call.retrieval === undefined ? undefined : lastQuestion(call.request)
          return translate({ request, question, passages: answer.passages ?? [] }, answer)
        },
        { end: null },
      ),
    )
    .all('/responses', onlyMethods('POST'))
    .all('/responses/*', key, notDone('Responses are not kept: take the answer of POST /v1/responses, and stream it'))
}
