import { Hono } from 'hono'
import { EngineError } from '../engine/errors.ts'
import { profiles } from '../wire/profile.ts'
import type { Environment, ServerParts } from './environment.ts'
import { answerError } from './errors.ts'
import { createMetrics } from './metrics.ts'
import { logRequests } from './request-log.ts'
import { chatRoutes } from './routes/chat.ts'
import { collectionRoutes } from './routes/collections.ts'
import { documentRoutes } from './routes/documents.ts'
import { embeddingRoutes } from './routes/embeddings.ts'
import { fileRoutes } from './routes/files.ts'
import { indexPassRoutes } from './routes/index-passes.ts'
import { countRequests, metricsRoutes } from './routes/metrics.ts'
import { modelRoutes } from './routes/models.ts'
import { openApiRoutes } from './routes/openapi.ts'
import { healthRoutes, serviceRoutes } from './routes/service.ts'
import { userRoutes } from './routes/user.ts'
import { voiceRoutes } from './routes/voice.ts'

const { managementPrefix, resource } = profiles.collection
const base = '/v1'

/** The interface over the engine: a function from request to response; it listens nowhere by itself. */
export interface PlatformApp {
  readonly fetch: (request: Request) => Promise<Response>
}

const room = () => new Hono<Environment>({ strict: false })

function managementRoutes(parts: ServerParts): Hono<Environment> {
  const own = room()
    .route('/', fileRoutes(parts))
    .route('/', indexPassRoutes(parts))
    .route('/', collectionRoutes(parts))
  return (
    room()
      .route('/', serviceRoutes(parts))
      .route('/', userRoutes(parts, 'raw'))
      .route(`/${resource}`, own)
      // A full id whose slash was not encoded: the owner is stripped here too.
      .route(`/${resource}/:owner`, own)
  )
}

export function createPlatformApp(given: ServerParts): PlatformApp {
  const metrics = createMetrics()
  const options = { ...given, engine: metrics.watch(given.engine) }
  const management = managementRoutes(options)
  const app = room()
    .use(logRequests(options))
    .use(countRequests(metrics))
    .route('/', openApiRoutes(options))
    .route('/', metricsRoutes(options, metrics))
    .route('/', healthRoutes(options))
    // In the deployed service the prefix sits under the base URL; the interface reads as if it stood at the root.
    .route(managementPrefix, management)
    .route(`${base}${managementPrefix}`, management)
    .route('/', userRoutes(options, 'either'))
    .route(base, userRoutes(options, 'either'))
    .route(base, modelRoutes(options))
    .route(base, chatRoutes(options))
    .route(base, voiceRoutes(options))
    .route(base, documentRoutes(options))
    .route(base, embeddingRoutes(options))
  app.notFound((c) => {
    const sentence = `There is nothing at ${c.req.method} ${c.req.path}: the base URL ends in ${base}.`
    return answerError(c, new EngineError('not-found', sentence))
  })
  app.onError((error, c) => answerError(c, error))
  return { fetch: async (request) => app.fetch(request) }
}
