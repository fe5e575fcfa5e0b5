import { Hono, type MiddlewareHandler } from 'hono'
import { randomUUID } from 'node:crypto'
import { routePath } from 'hono/route'
import { EngineError, toRoomError } from '../engine/errors.ts'
import { inSpan, type TraceSpan } from '../engine/trace.ts'
import { PROFILE_NAMES, type ProfileName, PROFILES } from '../wire/profile.ts'
import type { Environment, ServerParts } from './routing.ts'
import { answerError } from './http/errors.ts'
import { allowOrigins } from './http/cors.ts'
import { createKeySlots } from './key-slots.ts'
import { createMetrics } from './metrics.ts'
import { responseRoutes } from './openai/responses.ts'
import { uploadRoutes } from './openai/uploads.ts'
import { vectorStoreRoutes } from './openai/vector-stores.ts'
import { chatRoutes, embeddingRoutes, modelRoutes } from './routes/models.ts'
import { collectionRoutes, indexPassRoutes } from './routes/collections.ts'
import { fileRoutes } from './routes/files.ts'
import { healthRoutes, metricsRoutes, openApiRoutes, serviceRoutes, userRoutes } from './routes/service.ts'
import { documentRoutes, voiceRoutes } from './routes/media.ts'

const BASE_PATH = '/v1'

const newRouter = () => new Hono<Environment>({ strict: false })

function managementRoutes(parts: ServerParts, name: ProfileName): Hono<Environment> {
  const { resource } = PROFILES[name]
  const own = newRouter()
    .route('/', fileRoutes(parts))
    .route('/', indexPassRoutes(parts))
    .route('/', collectionRoutes(parts))
  return (
    newRouter()
      .route('/', serviceRoutes(parts))
      .route('/', userRoutes(parts, 'raw', [name]))
      .route(`/${resource}`, own)
      // A full id may come with its slash not encoded: the owner is stripped here too.
      .route(`/${resource}/:owner`, own)
  )
}

/** The interface over the engine: a function from request to response; it listens nowhere by itself. */
export function createPlatformApp(parts: Omit<ServerParts, 'slots'>) {
  const metrics = createMetrics(parts.tellsProcess ?? parts.moreFigures === undefined)
  const options = { ...parts, slots: createKeySlots(), engine: metrics.watch(parts.engine) }
  const app = newRouter()
    .use(traceRequests(options))
    .use(logRequests(options))
    .use(metrics.count)
    .use(allowOrigins(options.corsOrigins ?? []))
    .route('/', openApiRoutes(options))
    .route('/', metricsRoutes(options, metrics))
    .route('/', healthRoutes(options))
    .route('/', userRoutes(options, 'either', PROFILE_NAMES))
    .route(BASE_PATH, userRoutes(options, 'either', PROFILE_NAMES))
    .route(BASE_PATH, modelRoutes(options))
    .route(BASE_PATH, chatRoutes(options))
    .route(BASE_PATH, voiceRoutes(options))
    .route(BASE_PATH, documentRoutes(options))
    .route(BASE_PATH, embeddingRoutes(options))
    .route(BASE_PATH, responseRoutes(options))
    .route(BASE_PATH, vectorStoreRoutes(options))
    .route(BASE_PATH, uploadRoutes(options))
  for (const name of PROFILE_NAMES) {
    const { managementPrefix } = PROFILES[name]
    const management = managementRoutes(options, name)
    // The deployed service has the prefix below the base URL; the documented paths begin at the root.
    app.route(managementPrefix, management).route(`${BASE_PATH}${managementPrefix}`, management)
  }
  app.notFound((c) => {
    const sentence = `There is nothing at ${c.req.method} ${c.req.path}: the base URL ends in ${BASE_PATH}.`
    return answerError(c, new EngineError('not-found', sentence))
  })
  app.onError((error, c) => answerError(c, error))
  return { fetch: async (request: Request) => app.fetch(request) }
}

const REQUEST_ID_HEADER = 'x-request-id'
const REQUEST_ID = /^[\w.-]{1,64}$/

/** Gives every request an id (the caller's own where it has one) and one line in the log: no body, no credential. */
function logRequests({ log }: ServerParts): MiddlewareHandler<Environment> {
  return async (c, next) => {
    const callerId = c.req.header(REQUEST_ID_HEADER)
    const requestId = callerId !== undefined && REQUEST_ID.test(callerId) ? callerId : randomUUID()
    c.set('requestId', requestId)
    c.header(REQUEST_ID_HEADER, requestId)
    const startedAt = performance.now()
    await next()
    const error = toRoomError(c.error)
    const fields = {
      requestId,
      method: c.req.method,
      // The log gets the pattern of the path: the path itself holds names that people chose.
      route: c.get('route'),
      status: c.res.status,
      durationMs: Math.round(performance.now() - startedAt),
      // A refusal is logged with its reason; only an internal error is logged with its stack.
      ...(error instanceof EngineError ? { code: error.code, reason: error.message } : { err: error }),
    }
    // A refusal is no alarm here: the caller reports it.
    const isOutage = error instanceof EngineError && error.code === 'unavailable'
    if (isOutage) log.warn(fields, 'Database unreachable: requests are refused until it answers (DATABASE_URL)')
    else if (c.res.status >= 500 && !(error instanceof EngineError)) log.error(fields, 'Request failed: internal error')
    else if (c.res.status >= 400) log.info(fields, 'Request refused')
    else log.debug(fields, 'Request answered')
  }
}

/** A request as a step of the trace. Without a `traceparent`, reads are no step: they are polled. */
function traceRequests({ trace }: ServerParts): MiddlewareHandler<Environment> {
  return async (c, next) => {
    const traceparent = c.req.header('traceparent')
    if (trace === undefined || (traceparent === undefined && c.req.method === 'GET')) return next()
    const { method } = c.req
    const attributes = { 'http.request.method': method }
    const serve = async (span: TraceSpan | undefined) => {
      await next()
      span?.rename(`${method} ${routePath(c)}`)
      span?.set({ 'http.route': routePath(c), 'http.response.status_code': c.res.status })
    }
    await inSpan(trace, method, attributes, serve, { kind: 'server', traceparent })
  }
}
