import type { Context, Hono } from 'hono'
import { z } from 'zod'
import type { ChannelFile, OpenedFile } from '#bridge/port/channel-files.ts'
import { folded } from '#lib/unicode.ts'
import type { WebChannel, WebFindings } from '#adapters/web/protocol.ts'
import { ADAPTER, conversationOf } from '../inbound.ts'
import { FILE_POLICY, RequestFailure } from '../responses.ts'
import type { StoredMessage } from '../store/messages.ts'
import { authorOf, clientId, displayName, found, parseBody, type RouteServices } from './requests.ts'
import { encodeFileName } from './uploads.ts'

const DO = { forget: 'file.forget-id', retry: 'file.retry-id' } as const
const doing = z.object({ id: clientId, file: z.string().max(300), do: z.enum(['forget', 'retry']), name: displayName })

const MAX_FOUND = 30
const MAX_QUERY_CHARS = 200
const MAX_WORDS = 10
/** Longest search in the texts of files, milliseconds. */
const TEXTS_MS = 1_500

type WebFile = WebFindings['files'][number]

/** Texts are not read for one or two letters: nearly all have them. */
const isTelling = (word: string) => word.length >= 3 || (word.length === 2 && /[^\0-\u024F]/.test(word))

/** The files of a channel: list, bytes, outline, delete, retry; and the search over messages and files. */
export function addFileRoutes(app: Hono, { store, files, delivery }: RouteServices): void {
  const channelOf = async (context: Context) =>
    found(await store.channels.get(context.req.param('channel') ?? ''), 'This channel does not exist.')
  const base = '/api/web/channels/:channel/files'

  app.get(base, async (context) => {
    context.header('cache-control', 'no-store')
    return context.json(await files().list(placeOf(await channelOf(context))))
  })

  app.get(`${base}/bytes`, async (context) => {
    const place = placeOf(await channelOf(context))
    const id = context.req.query('id') ?? idByName(await files().list(place), context)
    const file = await files().open(place, id, context.req.raw.signal)
    return send(found(file, 'The bytes of this file are not here any more. Drop it again.'))
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
      conversation: placeOf(channel),
      author: authorOf(context, asked.name),
      messageId: '',
      action: { id: DO[asked.do], value: asked.file },
    })
    return context.body(null, 204)
  })

  /** Files by their names first, then by their texts. */
  async function findFiles(words: readonly string[], signal: AbortSignal): Promise<WebFindings['files']> {
    const named: WebFile[] = []
    const read: WebFile[] = []
    for (const channel of await store.channels.list()) {
      const isNamed = ({ name }: ChannelFile) => words.every((word) => folded(name).includes(word))
      for (const file of await files().list(placeOf(channel)))
        if (isNamed(file)) named.push({ ...file, channel: channel.id })
      if (!words.some(isTelling)) continue
      for (const { file, line } of await files().search(placeOf(channel), words, signal))
        if (!isNamed(file)) read.push({ ...file, channel: channel.id, excerpt: toExcerpt(line, words) })
    }
    return [...named, ...read].slice(0, MAX_FOUND)
  }

  app.get('/api/web/search', async (context) => {
    const query = (context.req.query('q') ?? '').slice(0, MAX_QUERY_CHARS).trim()
    const words = query
      .split(/\s+/)
      .filter((word) => word !== '')
      .slice(0, MAX_WORDS)
    const findings: WebFindings = { messages: [], files: [] }
    context.header('cache-control', 'no-store')
    if (words.length === 0) return context.json(findings)
    const messages = (await store.messages.search(words, MAX_FOUND)).map((message) => toFinding(message, words))
    const signal = AbortSignal.any([context.req.raw.signal, AbortSignal.timeout(TEXTS_MS)])
    return context.json({ messages, files: await findFiles(words.map(folded), signal) } satisfies WebFindings)
  })
}

/** The channel itself: messages about its files belong to no thread. */
const placeOf = (channel: WebChannel) => {
  const { thread: _, ...place } = conversationOf(channel, { id: ADAPTER })
  return place
}

/** A reference knows name and version of its file only. */
function idByName(all: readonly ChannelFile[], context: Context): string {
  const name = context.req.query('name')
  const version = Number(context.req.query('version') ?? 0)
  // A newer drop of the name may have failed: it is no version, and no answer cites it.
  const ofName = all.filter((one) => one.name === name)
  const file = ofName.find(({ state }) => state !== 'failed') ?? ofName[0]
  const versions = file === undefined ? [] : [file, ...file.earlier]
  const wanted = versions.find((one) => one.version === version) ?? (version > 0 ? undefined : file)
  if (wanted !== undefined) return wanted.id
  throw new RequestFailure(404, 'not-found', 'This version of the file is not here any more.')
}

const EXCERPT_BEFORE = 60
const EXCERPT_CHARS = 200

const toFinding = ({ id, channel, author, sentAt, text }: StoredMessage, words: readonly string[]) => ({
  id,
  channel,
  author,
  sentAt,
  excerpt: toExcerpt(text, words),
})

/** The part of a text around the first word found, in one line. */
function toExcerpt(text: string, words: readonly string[]): string {
  // Signs of markdown say nothing in one line.
  const plain = text
    .replaceAll(/^[>#\s-]+/gm, '')
    .replaceAll(/[*`_]{1,3}/g, '')
    .replaceAll(/\s+/g, ' ')
  // Without marks the place may be a few letters off.
  const searched = folded(plain)
  const at = words.map((word) => searched.indexOf(folded(word))).find((index) => index >= 0) ?? 0
  const from = at > EXCERPT_BEFORE ? plain.indexOf(' ', at - EXCERPT_BEFORE) + 1 : 0
  const cut = plain.slice(from, from + EXCERPT_CHARS)
  const excerpt = `${from > 0 ? '…' : ''}${cut}${from + EXCERPT_CHARS < plain.length ? '…' : ''}`
  return excerpt.toWellFormed()
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
