import { Hono, type Context } from 'hono'
import { requireKey, requireForm } from '../auth.ts'
import { type Environment, type ServerParts, onlyMethods } from '../routing.ts'
import {
  chatRequest,
  namesOf,
  requestedRetrieval,
  type ChatRequest,
  type RequestedRetrieval,
} from '#platform/wire/chat.ts'
import { PROBE_ANSWER } from '#platform/wire/errors.ts'
import { INFERENCE_HEADER, TOOL_FIELD } from '#platform/wire/profile.ts'
import { MAX_BATCH_BYTES, readChat, readJson, signalOf } from '../http/body.ts'
import { EngineError } from '#platform/engine/errors.ts'
import { ValidationError } from '../http/errors.ts'
import { createModelList } from '../model-list.ts'
import { respondWithAnswer } from './answering.ts'
import { embeddingsRequest } from '#platform/wire/models.ts'

export function modelRoutes(parts: ServerParts): Hono<Environment> {
  const models = createModelList(parts)
  const list = async (c: Context<Environment>) =>
    c.json({ object: 'list', data: await models.list(c.get('key').user, parts.collectionsAsModels === true) })
  const key = requireKey(parts, 'bearer')
  // POST works too on the deployed service.
  return (
    new Hono<Environment>()
      .get('/models', key, list)
      .post('/models', key, list)
      .all('/models', onlyMethods('GET', 'POST'))
      // Ids hold slashes (`meta/llama`), encoded or not.
      .get('/models/:id{.+}', key, async (c) => c.json(await models.get(c.get('key').user, c.req.param('id'))))
      .all('/models/:id{.+}', onlyMethods('GET'))
  )
}

const CHAT_PATH = '/chat/completions'

/** The request without ignored fields. */
const servedRequest = chatRequest
  .refine(({ arcana, collection }) => (arcana ?? null) === null || (collection ?? null) === null, {
    path: ['arcana'],
    error: '`arcana` and `collection` are two names of one field: send one of them',
  })
  .refine((request) => typeof request.collection !== 'string' || request[TOOL_FIELD] !== false, {
    path: [TOOL_FIELD],
    error: '`enable-tools: false` and a named collection contradict each other.',
  })

/** Retrieval needs a named collection or all three additions; without one of them it is a plain chat. */
function toRetrieve(request: ChatRequest, header: string | undefined): RequestedRetrieval | undefined {
  const names = namesOf(request)
  const wanted = names && requestedRetrieval(request, names)
  if (typeof request.collection === 'string') return wanted
  if (request[TOOL_FIELD] !== true || header !== INFERENCE_HEADER.value) return undefined
  return wanted
}

/** The deployed service tells the usage at the end of every stream from a collection. */
const withUsage = (request: ChatRequest): ChatRequest =>
  request.stream === true ? { ...request, stream_options: { include_usage: true, ...request.stream_options } } : request

/** A warning where the request names a collection, but the interface asks for a plain chat. RFC 9111, section 5.5. */
const IGNORED_COLLECTION =
  `299 - "Nothing was retrieved: send ${TOOL_FIELD}: true and the header ${INFERENCE_HEADER.name}: ` +
  `${INFERENCE_HEADER.value}, or the name of the collection in place of the object"`

/** OpenAI's status and code for it, which its clients know; any other misfit is 422. */
function refuseEmptyMessages(error: unknown): never {
  const isEmpty =
    error instanceof ValidationError &&
    error.issues.some(({ code, path }) => code === 'too_small' && path.length === 1 && path[0] === 'messages')
  if (!isEmpty) throw error
  throw new EngineError('invalid', '`messages` is empty: send at least one message.', { reason: 'empty_array' })
}

export function chatRoutes(parts: ServerParts): Hono<Environment> {
  const { engine } = parts
  const models = createModelList(parts)

  return new Hono<Environment>()
    .get(CHAT_PATH, requireKey(parts, 'either', { free: true }), (c) =>
      c.json(
        {
          error: { message: PROBE_ANSWER.detail, type: 'invalid_request_error', code: null, param: null },
          ...PROBE_ANSWER,
        },
        400,
      ),
    )
    .post(CHAT_PATH, requireKey(parts, 'either'), (c) =>
      respondWithAnswer(c, parts, async (signal) => {
        const sent = await readChat(c, servedRequest).catch(refuseEmptyMessages)
        const names = namesOf(sent)
        const { request, retrieval } =
          names === undefined
            ? await models.toAsked(sent)
            : { request: sent, retrieval: toRetrieve(sent, c.req.header(INFERENCE_HEADER.name)) }
        if (names === undefined && retrieval === undefined) requireForm(c.get('credential'), 'bearer')
        if (names !== undefined && retrieval === undefined) c.header('warning', IGNORED_COLLECTION)
        const { user } = c.get('key')
        const tells = retrieval !== undefined && names?.tellsProgress === true
        const asked = tells ? { request: withUsage(request), progress: names } : { request }
        return engine.chat({ user, signal, retrieval, ...asked })
      }),
    )
    .all(CHAT_PATH, onlyMethods('GET', 'POST'))
}

export function embeddingRoutes(parts: ServerParts): Hono<Environment> {
  return new Hono<Environment>()
    .post('/embeddings', requireKey(parts, 'bearer'), async (c) => {
      const answer = await parts.engine.embed(
        await readJson(c, embeddingsRequest, MAX_BATCH_BYTES),
        signalOf(c.req.raw),
      )
      return c.json(answer)
    })
    .all('/embeddings', onlyMethods('POST'))
}
