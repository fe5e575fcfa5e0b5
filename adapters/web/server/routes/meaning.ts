import type { Hono } from 'hono'
import { z } from 'zod'
import { RequestFailure } from '../responses.ts'
import { parseBody, type RouteServices } from './requests.ts'

const choice = z.object({ on: z.boolean() })

/** Search by meaning, switched on and off on the page. */
export function addMeaningRoute(app: Hono, { chooseMeaning, search }: RouteServices): void {
  if (chooseMeaning === undefined) return
  app.put('/api/web/meaning', async (context) => {
    const { on } = await parseBody(context, choice)
    const now = search()
    const isFree = now?.by === 'words' ? now.offeredMegabytes !== undefined : now?.isChosen === true
    const sentence = 'A setting says how files are searched: the operator changes EMBEDDING_MODEL.'
    if (!isFree) throw new RequestFailure(409, 'set-elsewhere', sentence)
    await chooseMeaning(on)
    return context.json(search())
  })
}
