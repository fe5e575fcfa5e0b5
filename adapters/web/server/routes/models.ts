import type { Hono } from 'hono'
import { z } from 'zod'
import { storageTrouble } from '#lib/storage-trouble.ts'
import type { ModelChoice } from '#adapters/web/protocol.ts'
import { ADAPTER, conversationOf } from '../inbound.ts'
import { RequestFailure } from '../responses.ts'
import { found, parseBody, type RouteServices } from './requests.ts'

const choosing = z.object({ model: z.string().min(1).max(300).nullable() })
const NO_MODELS: Promise<ModelChoice> = Promise.resolve({ models: [], usual: '' })
const PATH = '/api/web/channels/:channel/model'

/** The language models, and the choice of a channel or of all chats. */
export function addModelRoutes(app: Hono, { store, models, log }: RouteServices): void {
  const placeOf = async (id: string) => {
    const channel = found(await store.channels.get(id), 'This channel does not exist.')
    return conversationOf(channel, { id: ADAPTER })
  }
  const unlessAway = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (storageTrouble(error) !== undefined) throw error
      // Nobody reads the answer any more.
      if (!signal.aborted)
        log.warn({ err: error }, 'The web page could not list the language models; the settings say so')
      throw new RequestFailure(503, 'no-models', 'The language models cannot be listed now. Try again in a minute.', 60)
    }
  }

  app.get(PATH, async (context) => {
    const place = await placeOf(context.req.param('channel'))
    context.header('cache-control', 'no-store')
    const { signal } = context.req.raw
    const choice = await unlessAway(models()?.choiceIn(place, signal) ?? NO_MODELS, signal)
    return context.json(choice)
  })
  app.put(PATH, async (context) => {
    const place = await placeOf(context.req.param('channel'))
    const { model } = await parseBody(context, choosing)
    const { signal } = context.req.raw
    const known = found(models(), 'Footbridge is just starting. Try again in a moment.')
    if (!(await unlessAway(known.chooseIn(place, model ?? undefined, signal), signal)))
      throw new RequestFailure(409, 'no-model', 'This model is not there any more. Choose another one.')
    return context.json(await unlessAway(known.choiceIn(place, signal), signal))
  })
}
