import { files, multipart, toMultipart, whole, type Headers, type Part } from './raw.ts'
import type { Random } from './random.ts'
import type { HostileRequest } from './send.ts'

/** One request of a family. `key` is a good one, unless the key is what is wrong. */
export type Make = (random: Random, key: string) => HostileRequest

export const json = { 'content-type': 'application/json' } as const
export const chatPath = '/v1/chat/completions'
export const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` })
export const raw = (key: string): Headers => ({ authorization: key })
export const show = (value: unknown) => JSON.stringify(value)?.slice(0, 80) ?? 'undefined'

export const post = (what: string, path: string, headers: Headers, body: string | Buffer, method = 'POST') => ({
  what: `${what}: ${method} ${path}`,
  pieces: whole(method, path, headers, body),
})

export const upload = (what: string, key: string, parts: readonly Part[]) =>
  post(what, `${files}/`, { ...raw(key), ...multipart }, toMultipart(parts))
