import type { Hono } from 'hono'
import { z } from 'zod'
import type { KeyChoices, KeyScope } from '#bridge/port/api-keys.ts'
import { RequestFailure } from '../responses.ts'
import { invalid, parseBody, plainLabel, type RouteServices } from './requests.ts'

const names = z.array(z.string().max(300)).max(200).optional()
const wished = z.object({ name: plainLabel, scope: z.object({ collections: names, tools: names }).optional() })
const numbered = z.object({ id: z.number().int().positive() })

/** Keys for the API of the platform: made, named, shown once, revoked. */
export function addKeyRoutes(app: Hono, { keys }: RouteServices): void {
  if (keys === undefined) return
  const path = '/api/web/keys'
  app.use(`${path}/*`, async (context, next) => {
    await next()
    context.res.headers.set('cache-control', 'no-store')
  })
  app.get(path, async (context) => context.json(await keys.list()))
  app.get(`${path}/choices`, async (context) => context.json(await keys.choices()))
  app.post(path, async (context) => {
    const { name, scope } = await parseBody(context, wished)
    if (name === '') throw new RequestFailure(400, 'no-name', 'Give the key a name.')
    if (scope !== undefined) checkScope(scope, await keys.choices())
    const key = await keys.make(name, scope)
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

const areIn = (all: readonly string[], some: readonly string[] = []) => some.every((one) => all.includes(one))

/** @throws {RequestFailure} when nothing was chosen, or a name that is no choice */
function checkScope({ collections, tools }: KeyScope, choices: KeyChoices): void {
  if (collections?.length === 0) throw new RequestFailure(400, 'no-collections', 'Choose at least one collection.')
  if (tools?.length === 0) throw new RequestFailure(400, 'no-tools', 'Choose at least one tool.')
  if (!areIn(choices.collections, collections) || !areIn(choices.tools, tools)) throw invalid()
}
