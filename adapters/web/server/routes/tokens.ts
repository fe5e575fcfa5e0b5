import type { Hono } from 'hono'
import { z } from 'zod'
import type { WebTokens } from '#adapters/web/protocol.ts'
import type { PersonRef } from '#bridge/port/person-access.ts'
import { ADAPTER, PERSON_ID, WORKSPACE } from '../inbound.ts'
import { RequestFailure } from '../responses.ts'
import { found, invalid, parseBody, plainLabel, type RouteServices } from './requests.ts'

export const PERSON: PersonRef = { adapter: ADAPTER, workspace: WORKSPACE, personId: PERSON_ID }
const named = z.object({ name: z.string().trim().max(60) })
const wished = z.object({
  name: plainLabel,
  channel: z.string().max(100).optional(),
  tools: z.array(z.string().max(100)).max(100).optional(),
})

/** Tokens for programs of the person at the page; each is shown once. `/connect` opens the settings, which list them. */
export function addTokenRoutes(app: Hono, { tokens, store }: RouteServices): void {
  if (tokens === undefined) return
  app.get('/connect', (context) => context.redirect('/#settings', 303))
  app.use('/api/web/tokens', async (context, next) => {
    await next()
    context.res.headers.set('cache-control', 'no-store')
  })
  const known = async (): Promise<WebTokens> => ({
    address: tokens.address,
    tools: tokens.tools,
    tokens: await tokens.list(PERSON),
  })
  app.get('/api/web/tokens', async (context) => context.json(await known()))
  app.post('/api/web/tokens', async (context) => {
    const { name, channel, tools } = await parseBody(context, wished)
    if (name === '') throw new RequestFailure(400, 'no-name', 'Give the program a name.')
    if (tools?.length === 0) throw new RequestFailure(400, 'no-tools', 'Choose at least one tool.')
    if (tools?.some((tool) => !tokens.tools.includes(tool))) throw invalid()
    if (channel !== undefined) found(await store.channels.get(channel), 'This channel does not exist.')
    const token = await tokens.make(PERSON, name, undefined, { channel, tools })
    if (token !== undefined) return context.json({ token }, 201)
    const sentence = 'There is a token of this name, or there are too many: choose another name, or end one.'
    throw new RequestFailure(409, 'name-taken', sentence)
  })
  app.delete('/api/web/tokens', async (context) => {
    const { name } = await parseBody(context, named)
    await tokens.revoke(PERSON, name)
    return context.json(await known())
  })
}
