import type { Hono } from 'hono'
import type { ChannelFile } from '#bridge/port/channel-files.ts'
import { folded } from '#lib/unicode.ts'
import type { WebChannel, WebFindings } from '#adapters/web/protocol.ts'
import { DIRECT } from '../inbound.ts'
import type { StoredMessage } from '../store/messages.ts'
import { placed, placeOf } from './files.ts'
import type { RouteServices } from './requests.ts'

const MAX_FOUND = 30
const MAX_QUERY_CHARS = 200
const MAX_WORDS = 10
/** Longest search in the texts of files, milliseconds. */
const TEXTS_MS = 1_500

type FoundFile = WebFindings['files'][number]

const DIRECT_CHANNEL: WebChannel = { id: DIRECT, name: '', direct: true }

/** Texts are not read for one or two letters: nearly all have them. */
const isTelling = (word: string) => word.length >= 3 || (word.length === 2 && /[^\0-\u024F]/.test(word))

/** The search over messages and files. */
export function addSearchRoute(app: Hono, services: RouteServices): void {
  app.get('/api/web/search', async (context) => {
    const query = (context.req.query('q') ?? '').slice(0, MAX_QUERY_CHARS).trim()
    const words = query
      .split(/\s+/)
      .filter((word) => word !== '')
      .slice(0, MAX_WORDS)
    context.header('cache-control', 'no-store')
    if (words.length === 0) return context.json({ messages: [], files: [] } satisfies WebFindings)
    const found = await services.store.messages.search(words, MAX_FOUND)
    const messages = found.map((message) => toFinding(message, words))
    const signal = AbortSignal.any([context.req.raw.signal, AbortSignal.timeout(TEXTS_MS)])
    const files = await findFiles(services, words.map(folded), signal)
    return context.json({ messages, files } satisfies WebFindings)
  })
}

/** Files by their names first, then by their texts. */
async function findFiles(
  { store, files }: RouteServices,
  words: readonly string[],
  signal: AbortSignal,
): Promise<WebFindings['files']> {
  const named: FoundFile[] = []
  const read: FoundFile[] = []
  const isNamed = ({ name }: ChannelFile) => words.every((word) => folded(name).includes(word))
  for (const channel of [DIRECT_CHANNEL, ...(await store.channels.list())]) {
    const place = placeOf(channel)
    named.push(...(await placed(store, (await files().list(place)).filter(isNamed), channel.id)))
    if (!words.some(isTelling)) continue
    const found = (await files().search(place, words, signal)).filter(({ file }) => !isNamed(file))
    const excerpts = found.map(({ file, line }) => ({ ...file, excerpt: toExcerpt(line, words) }))
    read.push(...(await placed(store, excerpts, channel.id)))
  }
  return [...named, ...read].slice(0, MAX_FOUND)
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
