import { z } from 'zod'
import { createLru } from '#lib/lru.ts'
import { readLimited } from '#lib/read-limited.ts'
import { type Client, toClient, toJson, told } from './clients.ts'
import { createPublicFetch } from './public-fetch.ts'

/** As the draft recommends. */
const MAX_BYTES = 5 * 1024
const MAX_AT_ONCE = 16
const MAX_CACHED = 200
const MAX_URL_CHARS = 300
const TIMEOUT_MS = 5000
/** Longer than a person takes to agree: the document is not read again between the page and their answer. */
const MIN_CACHED_MS = 600_000
const MAX_CACHED_MS = 86_400_000
const FAILED_MS = 20_000
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i
const MAX_AGE = /\bmax-age=(\d{1,9})\b/i

/** A program, or why it is not known: no document came, or a wrong one, or too many are being read. */
type Found = Client | 'unreachable' | 'wrong' | 'busy'

const document = told.extend({
  client_id: z.string(),
  token_endpoint_auth_method: z.literal('none').optional(),
  client_secret: z.never().optional(),
})

/** As it is sent and compared, letter by letter: an address of `https:` with a path, written the one way. */
function isDocumentUrl(id: string): boolean {
  const url = id.length <= MAX_URL_CHARS ? URL.parse(id) : null
  return url !== null && id === `https://${url.hostname}${url.pathname}${url.search}` && url.pathname !== '/'
}

function toFound(id: string, text: string): Found {
  const { data } = document.safeParse(toJson(text))
  if (data?.client_id !== id) return 'wrong'
  const client = { ...toClient(data.client_name, data.redirect_uris), host: new URL(id).host }
  return client.redirectUris.length === 0 ? 'wrong' : client
}

/**
 * Programs whose id is the address of a document about them (draft-ietf-oauth-client-id-metadata-document). One
 * document of a host is read at a time, and a failure is told again for a while: anybody may name an address.
 */
export function createClientDocuments(clock: () => number, fetchPublic = createPublicFetch()) {
  const cache = createLru<{ readonly found: Found; readonly until: number }>(MAX_CACHED)
  const reading = new Map<string, { readonly id: string; readonly found: Promise<Found> }>()

  async function read(id: string): Promise<readonly [found: Found, cachedMs: number]> {
    const { status, headers, body } = await fetchPublic(id, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { accept: 'application/json' },
    })
    const isJson = status === 200 && JSON_TYPE.test(headers.get('content-type') ?? '')
    const bytes = body && (await readLimited(body, isJson ? MAX_BYTES : 0))
    if (status !== 200) return ['unreachable', FAILED_MS]
    const found = toFound(id, String(bytes))
    const ageMs = 1000 * Number(MAX_AGE.exec(headers.get('cache-control') ?? '')?.[1] ?? 0)
    return [found, found === 'wrong' ? FAILED_MS : Math.min(MAX_CACHED_MS, Math.max(MIN_CACHED_MS, ageMs))]
  }

  async function look(id: string, host: string): Promise<Found> {
    const [found, cachedMs] = await read(id).catch(() => ['unreachable', FAILED_MS] as const)
    cache.set(id, { found, until: clock() + cachedMs })
    reading.delete(host)
    return found
  }

  return {
    isDocumentUrl,
    async find(id: string): Promise<Found> {
      const known = cache.get(id)
      if (known !== undefined && known.until > clock()) return known.found
      const { host } = new URL(id)
      const running = reading.get(host)
      if (running?.id === id) return running.found
      // An old document is better than none.
      if (running !== undefined || reading.size >= MAX_AT_ONCE) return known?.found ?? 'busy'
      const found = look(id, host)
      reading.set(host, { id, found })
      return found
    },
  }
}

export type ClientDocuments = ReturnType<typeof createClientDocuments>
