import { Hono } from 'hono'
import { storageTrouble } from '#lib/storage-trouble.ts'
import { checkRequest } from '../access.ts'
import { RequestFailure, secure, toFailureResponse } from '../responses.ts'
import { addAuthorizeRoutes } from './authorize.ts'
import { addChannelRoutes } from './channels.ts'
import { addKeyRoutes } from './keys.ts'
import { addFileRoutes } from './files.ts'
import { createLogin } from './login.ts'
import { addMeaningRoute } from './meaning.ts'
import { addMessageRoutes } from './messages.ts'
import { addModelRoutes } from './models.ts'
import { addPageRoutes } from './page.ts'
import { addSearchRoute } from './search.ts'
import { addTokenRoutes } from './tokens.ts'
import { createTurns } from './turns.ts'
import { addUploadRoutes } from './uploads.ts'
import type { RouteServices } from './requests.ts'

const NO_ROOM = {
  space: 'The disk of Footbridge is full: this was not stored. Nothing is lost: try again when it has room.',
  descriptors: 'Footbridge has too many files open: this was not stored. Nothing is lost: try again in a moment.',
} as const
const NO_ROOM_S = 10

/** All routes of the page. Every request passes the host and origin check and, where a password is set, the login. */
export function createApp(parts: RouteServices): Hono {
  const app = new Hono()
  app.onError((error) => {
    if (error instanceof RequestFailure) return secure(toFailureResponse(error))
    const trouble = storageTrouble(error)
    if (trouble !== undefined) {
      parts.log.warn({ err: error }, 'A request of the web page could not be stored; the page says so')
      return secure(toFailureResponse(new RequestFailure(503, 'no-room', NO_ROOM[trouble], NO_ROOM_S)))
    }
    parts.log.error(
      { err: error },
      'A request of the web page failed: internal error. If this stays, restart Footbridge',
    )
    return secure(
      Response.json(
        { error: { code: 'internal', message: 'Something went wrong here. The log of Footbridge says what.' } },
        { status: 500 },
      ),
    )
  })
  app.notFound(() => secure(toFailureResponse(new RequestFailure(404, 'not-found', 'There is nothing here.'))))
  app.use(async (context, next) => {
    checkRequest(context.req.raw, parts.allowedHosts, parts.publicHost)
    await next()
    context.res = secure(context.res)
  })
  const login = createLogin(parts)
  login.addRoutes(app)
  app.use('/', login.guard)
  app.use('/connect', login.guard)
  app.use('/api/web/*', login.guard, createTurns())
  addPageRoutes(app, parts)
  addChannelRoutes(app, parts)
  addMessageRoutes(app, parts)
  addUploadRoutes(app, parts)
  addFileRoutes(app, parts)
  addSearchRoute(app, parts)
  addModelRoutes(app, parts)
  addMeaningRoute(app, parts)
  addTokenRoutes(app, parts)
  addKeyRoutes(app, parts)
  addAuthorizeRoutes(app, parts, login)
  return app
}
