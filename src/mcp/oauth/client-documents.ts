import { z } from 'zod'
import { createLru } from '#lib/lru.ts'
import { readLimited } from '#lib/read-limited.ts'
import { type Client, toClient, told } from './clients.ts'
import { createPublicFetch } from './public-fetch.ts'

/** As the draft recommends. */
const MAX_BYTES = 5 * 1024
const MAX_AT_ONCE = 4
const MAX_CACHED = 200
const MAX_URL_CHARS = 300
const TIMEOUT_MS = 5000
const MIN_CACHED_MS = 60_000
const MAX_CACHED_MS = 86_400_000
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i
const MAX_AGE = /\bmax-age=(\d{1,9})\b/i

const document = told.extend({
  client_id: z.string(),
  token_endpoint_auth_method: z.literal('none').optional(),
  client_secret: z.never().optional(),
})

/** As it is sent and compared, letter by letter: an address of `https:` with a path, written the one way. */
const isDocumentUrl = (id: string) => {
  const url = id.length <= MAX_URL_CHARS ? URL.parse(id) : null
  return url?.protocol === 'https:' && url.href === id && url.pathname !== '/' && url.username + url.hash === ''
}

/**
 * Programs whose id is the address of a document about them (draft-ietf-oauth-client-id-metadata-document). A
 * failure and a wrong document are not cached.
 */
export function createClientDocuments(clock: () => number, fetchPublic = createPublicFetch()) {
  const cache = createLru<{ readonly client: Client; readonly until: number }>(MAX_CACHED)
  let running = 0

  async function read(id: string): Promise<Client> {
    const response = await fetchPublic(id, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { accept: 'application/json' },
    })
    const isJson = response.status === 200 && JSON_TYPE.test(response.headers.get('content-type') ?? '')
    const bytes = response.body && (await readLimited(response.body, isJson ? MAX_BYTES : 0))
    if (!bytes) throw new Error('It is no JSON of this size.')
    const { client_id: own, client_name: name = '', redirect_uris: uris } = document.parse(JSON.parse(String(bytes)))
    if (own !== id) throw new Error('It is about another program.')
    const client = { ...toClient(name, uris), host: new URL(id).host }
    const ageMs = 1000 * Number(MAX_AGE.exec(response.headers.get('cache-control') ?? '')?.[1] ?? 0)
    cache.set(id, { client, until: clock() + Math.min(MAX_CACHED_MS, Math.max(MIN_CACHED_MS, ageMs)) })
    return client
  }

  return {
    isDocumentUrl,
    /** Undefined: there is no document there that is complete and right, or too many are being read. */
    async find(id: string): Promise<Client | undefined> {
      const known = cache.get(id)
      if (known !== undefined && known.until > clock()) return known.client
      if (running >= MAX_AT_ONCE) return undefined
      running += 1
      try {
        return await read(id).catch(() => undefined)
      } finally {
        running -= 1
      }
    },
  }
}

export type ClientDocuments = ReturnType<typeof createClientDocuments>
