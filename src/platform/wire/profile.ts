/** The two sets of names for one contract. All differences between them are here, so one setting switches them. */
export const PROFILE_NAMES = ['collection', 'saia'] as const

export type ProfileName = (typeof PROFILE_NAMES)[number]

export interface Profile {
  readonly name: ProfileName
  /** Below `{base_url}`. Guess (B) for `saia`; the interface gives `/collections/api/v1` without saying below what. */
  readonly managementPrefix: string
  /** Path segment of the resource, below the prefix. Guess (B). */
  readonly resource: string
  /** Body object of a chat request that carries `{ id: '<owner>/<name>' }`. Shown for `collection`; guess (B) for `saia`. */
  readonly chatObject: 'collection' | 'arcana'
  /** Name of the pseudo tool call that tells the progress of retrieval in a stream. Guess (A). */
  readonly progressTool: string
  /**
   * Whether our server tells progress and usage in every stream from a collection, as the deployed service does (A).
   * Under the neutral names it does not: libraries for OpenAI's interface take the progress for calls of tools.
   */
  readonly tellsProgress: boolean
  /** Fields of the user profile that count. Guess (C). */
  readonly counts: { readonly collections: string; readonly files: string }
  /** Default base URL of the service. The embedded server has no fixed port, so none. */
  readonly defaultBaseUrl?: string
  /**
   * Form of the key in collection chat: the interface says raw (`collection`); every public client of the deployed
   * service sends Bearer (`saia`). Guess (B).
   */
  readonly collectionChatCredential: 'raw' | 'bearer'
}

export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  collection: {
    name: 'collection',
    managementPrefix: '/collections/api/v1',
    resource: 'collection',
    chatObject: 'collection',
    progressTool: 'collection.event',
    tellsProgress: false,
    counts: { collections: 'collection_count', files: 'file_count' },
    collectionChatCredential: 'raw',
  },
  saia: {
    name: 'saia',
    managementPrefix: '/arcanas/api/v1',
    resource: 'arcana',
    chatObject: 'arcana',
    progressTool: 'arcana.event',
    tellsProgress: true,
    counts: { collections: 'arcana_count', files: 'file_count' },
    defaultBaseUrl: 'https://chat-ai.academiccloud.de/v1',
    collectionChatCredential: 'bearer',
  },
}

/** Body field that lets the model use retrieval, the same in both profiles. Guess (B): with a hyphen. */
export const TOOL_FIELD = 'enable-tools'

/** Header that selects the inference service. Guess (B). Without it: status 200 and, silently, no retrieval. */
export const INFERENCE_HEADER = { name: 'inference-service', value: 'saia-openai-gateway' } as const

/** Header that carries the key. Guess (B). */
export const CREDENTIAL_HEADER = 'authorization'

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
    /** POST. Not in the interface; guess (B). */
    responses: '/responses',
    /** GET list, POST create. Guess (B), as all below. */
    vectorStores: '/vector_stores',
    /** GET, DELETE. */
    vectorStore: (id: string) => `/vector_stores/${encode(id)}`,
    /** POST. */
    storeSearch: (id: string) => `/vector_stores/${encode(id)}/search`,
    /** GET list, POST attach. */
    storeFiles: (id: string) => `/vector_stores/${encode(id)}/files`,
    /** GET, DELETE; GET `/content`. */
    storeFile: (id: string, fileId: string) => `/vector_stores/${encode(id)}/files/${encode(fileId)}`,
    /** GET list, POST upload. */
    uploads: '/files',
    /** GET, DELETE; GET `/content`. */
    upload: (fileId: string) => `/files/${encode(fileId)}`,
  } as const
}

export type Paths = ReturnType<typeof createPaths>
