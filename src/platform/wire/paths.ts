import type { Profile } from './profile.ts'

/**
 * Every path of the contract, relative to `{base_url}`. The client passes names, which are percent-encoded; a router
 * passes its own placeholders and `(segment) => segment`:
 * `createPaths(profile, (s) => s).file(':name', ':file')` → `/collections/api/v1/collection/:name/files/:file`.
 *
 * Where two are `with slash`, the deployed service has the trailing slash (B); a server should answer both.
 */
export function createPaths(profile: Profile, encode: (segment: string) => string = encodeURIComponent) {
  const management = profile.managementPrefix
  const list = `${management}/${profile.resource}/`
  const collection = (name: string) => `${list}${encode(name)}`
  const file = (name: string, fileName: string) => `${collection(name)}/files/${encode(fileName)}`
  return {
    /** GET: `{ version }`. */
    version: `${management}/version`,
    /** GET: 204. */
    heartbeat: `${management}/heartbeat`,
    /** GET; the interface leaves its prefix open: under `{base_url}` in the deployed service (C). */
    user: '/user/me',
    /** GET list, POST create. Guess (B, C), with slash. */
    collections: list,
    /** GET, DELETE. Guess (B, C). */
    collection,
    /** PUT: who may read it. Guess (U). */
    sharing: (name: string) => `${collection(name)}/sharing`,
    /** GET list, POST upload. Guess (B), with slash. */
    files: (name: string) => `${collection(name)}/files/`,
    /** PUT replace (C), DELETE (B). */
    file,
    /** GET: the stored bytes. Guess (A). */
    download: (name: string, fileName: string) => `${file(name, fileName)}/download`,
    /** POST without a body. Guess (B). */
    generateIndex: (name: string) => `${collection(name)}/generate-index`,
    /** DELETE. Guess (C). */
    deleteIndex: (name: string) => `${collection(name)}/delete-index`,
    /** GET; POST works too on the deployed service. */
    models: '/models',
    /** POST; GET is the rate-limit probe. */
    chat: '/chat/completions',
    /** POST. Guess (B). */
    transcriptions: '/audio/transcriptions',
    /** POST. Guess (B). */
    translations: '/audio/translations',
    /** POST. Not in the interface; guess (B). */
    speech: '/audio/speech',
    /** The interface gives the path; the method, POST, is a guess (B). */
    convert: '/documents/convert',
    /** POST. Not in the interface; guess (B). */
    embeddings: '/embeddings',
  } as const
}

export type Paths = ReturnType<typeof createPaths>
