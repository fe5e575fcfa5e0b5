import type { Hono } from 'hono'
import { z } from 'zod'
import { RequestFailure } from '../responses.ts'
import { parseBody, plainLabel, type RouteServices } from './requests.ts'

const named = z.object({ name: plainLabel })
const numbered = z.object({ id: z.number().int().positive() })

/** Keys for the API of the platform: made, named, shown once, revoked. */
export function addKeyRoutes(app: Hono, { keys }: RouteServices): void {
  if (keys === undefined) return
  const path = '/api/web/keys'
  app.use(path, async (context, next) => {
    await next()
    context.res.headers.set('cache-control', 'no-store')
  })
  app.get(path, async (context) => context.json(await keys.list()))
  app.post(path, async (context) => {
    const { name } = await parseBody(context, named)
    if (name === '') throw new RequestFailure(400, 'no-name', 'Give the key a name.')
    const key = await keys.make(name)
    if (key !== undefined) return context.json({ key }, 201)
    const sentence = 'There is a key of this name, or there are too many: choose another name, or revoke one.'
    throw new RequestFailure(409, 'name-taken', sentence)
  })
  app.delete(path, async (context) => {
    const { id } = await parseBody(context, numbered)
    await keys.revoke(id)
    return context.json(await keys.list())
  })
}
