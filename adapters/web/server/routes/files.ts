import type { Context, Hono } from 'hono'
import { z } from 'zod'
import type { ChannelFile, OpenedFile } from '#bridge/port/channel-files.ts'
import { isPdf, PictureFailure, quoteOf, versionOf } from '#adapters/shared/page-pictures.ts'
import type { WebChannel } from '#adapters/web/protocol.ts'
import { ADAPTER, conversationOf } from '../inbound.ts'
import { FILE_POLICY, RequestFailure } from '../responses.ts'
import type { WebStore } from '../store/store.ts'
import { authorOf, clientId, displayName, found, invalid, parseBody, type RouteServices } from './requests.ts'
import { encodeFileName } from './uploads.ts'

const DO = { forget: 'file.forget-id', retry: 'file.retry-id' } as const
/** The page of a PDF, and the reference whose words are marked on it: an address is logged, a quote in it would be, too. */
const picture = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000),
  message: z.string().max(80).default(''),
  reference: z.coerce.number().int().min(1).max(1000).optional(),
})
const doing = z.object({ id: clientId, file: z.string().max(300), do: z.enum(['forget', 'retry']), name: displayName })

const GONE = {
  bytes: 'The bytes of this file are not here any more. Drop it again.',
  picture: 'This page cannot be shown as a picture.',
} as const

/** The files of a channel: list, bytes, pages as pictures, outline, delete, retry. */
export function addFileRoutes(app: Hono, { store, files, delivery, pictures }: RouteServices): void {
  const channelOf = async (context: Context) =>
    found(await store.channels.get(context.req.param('channel') ?? ''), 'This channel does not exist.')
  const base = '/api/web/channels/:channel/files'

  app.get(base, async (context) => {
    context.header('cache-control', 'no-store')
    const channel = await channelOf(context)
    return context.json(await placed(store, await files().list(placeOf(channel)), channel.id))
  })

  app.get(`${base}/bytes`, async (context) => {
    const place = placeOf(await channelOf(context))
    const id = context.req.query('id') ?? idByName(await files().list(place), context)
    const file = await files().open(place, id, context.req.raw.signal)
    return send(found(file, GONE.bytes))
  })

  app.get(`${base}/page`, async (context) => {
    const place = placeOf(await channelOf(context))
    const asked = picture.safeParse(context.req.query())
    if (!asked.success) throw invalid()
    const { page, message, reference } = asked.data
    const drawn = found(pictures, GONE.picture).of({
      page,
      quote: await wordsOf(store, message, reference),
      find: async () => idByName(await files().list(place), context),
      async open(id) {
        const file = found(await files().open(place, id, AbortSignal.timeout(60_000)), GONE.bytes)
        return found((await isPdf(file.bytes)) ? file.bytes : undefined, GONE.picture)
      },
      signal: context.req.raw.signal,
    })
    const bytes = await drawn.catch(toPictureFailure)
    return new Response(bytes, {
      headers: {
        'content-type': 'image/png',
        'content-length': String(bytes.byteLength),
        'content-security-policy': FILE_POLICY,
        'cache-control': 'private, no-store',
      },
    })
  })

  app.get(`${base}/outline`, async (context) => {
    const outline = await files().outline(placeOf(await channelOf(context)), context.req.query('id') ?? '')
    context.header('cache-control', 'no-store')
    return context.json(outline ?? { pages: 0, headings: [] })
  })

  app.post(base, async (context) => {
    const channel = await channelOf(context)
    const asked = await parseBody(context, doing)
    await delivery.deliver({
      kind: 'action',
      key: `web:file:${asked.id}`,
      // The open chat is told how it ends.
      conversation: channel.direct ? conversationOf(channel, { id: ADAPTER }) : placeOf(channel),
      author: authorOf(context, asked.name),
      messageId: '',
      action: { id: DO[asked.do], value: asked.file },
    })
    return context.body(null, 204)
  })
}

/** Names the channel or chat in which each file was dropped: those of the direct conversation come from several. */
export async function placed<T extends ChannelFile>(store: WebStore, all: readonly T[], channel: string) {
  const places = await store.messages.placesOf(all.map(({ messageId }) => messageId))
  return all.map((file) => ({ ...file, channel: places.get(file.messageId) ?? channel }))
}

/** The channel itself: messages about its files belong to no thread. */
export const placeOf = (channel: WebChannel) => {
  const { thread: _, ...place } = conversationOf(channel, { id: ADAPTER })
  return place
}

/** Words that a reference of a message rests on; empty where it is not known. */
async function wordsOf(store: WebStore, message: string, number: number | undefined): Promise<string> {
  const references = number === undefined ? [] : ((await store.messages.get(message))?.references ?? [])
  return quoteOf(references.find((one) => one.number === number))
}

function idByName(all: readonly ChannelFile[], context: Context): string {
  const file = versionOf(all, context.req.query('name') ?? '', Number(context.req.query('version') ?? 0))
  if (file !== undefined) return file.id
  throw new RequestFailure(404, 'not-found', 'This version of the file is not here any more.')
}

const busy = () =>
  new RequestFailure(503, 'busy', 'Too many pages are drawn at the moment. Try again in a few seconds.', 5)

function toPictureFailure(error: unknown): never {
  if (!(error instanceof PictureFailure)) throw error
  throw error.why === 'busy' ? busy() : new RequestFailure(404, 'no-picture', GONE.picture)
}

/** Types that a browser shows itself, known by the first bytes, never by the word of whoever dropped the file. */
const SHOWN: readonly (readonly [type: string, begin: RegExp])[] = [
  ['application/pdf', /^%PDF-/],
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xFF\xD8\xFF/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF....WEBP/s],
]
const TEXT_NAME = /\.(?:txt|text|md|markdown|csv|tsv|log|json|ya?ml|toml|ini|rst|org|tex|srt|vtt)$/i

/** A PDF viewer does not start in a sandbox; the policy leaves a document nothing to load or to run. */
const PDF_POLICY = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'none'"

async function send({ name, bytes }: OpenedFile): Promise<Response> {
  const begin = Buffer.from(await bytes.slice(0, 16).arrayBuffer()).toString('latin1')
  const shown = SHOWN.find(([, pattern]) => pattern.test(begin))?.[0]
  const type = shown ?? (TEXT_NAME.test(name) ? 'text/plain; charset=utf-8' : undefined)
  return new Response(bytes.stream(), {
    headers: {
      'content-type': type ?? 'application/octet-stream',
      'content-length': String(bytes.size),
      'content-disposition': `${type === undefined ? 'attachment' : 'inline'}; filename*=UTF-8''${encodeFileName(name)}`,
      'content-security-policy': shown === 'application/pdf' ? PDF_POLICY : FILE_POLICY,
      'cache-control': 'private, no-store',
    },
  })
}
