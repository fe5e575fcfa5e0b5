/**
 * The two sets of names under which the one contract is spoken. Everything that differs between them stands here, so
 * that one setting switches it all.
 */
export const profileNames = ['collection', 'saia'] as const

export type ProfileName = (typeof profileNames)[number]

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
  /** Fields of the user profile that count. Guess (C). */
  readonly counts: { readonly collections: string; readonly files: string }
  /** Where the service is when nothing else is said. The embedded server has no fixed port, so no default. */
  readonly defaultBaseUrl?: string
  /**
   * Form of the key in collection chat: the interface says raw (`collection`); every public client of the deployed
   * service sends Bearer (`saia`). Guess (B).
   */
  readonly collectionChatCredential: 'raw' | 'bearer'
}

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  collection: {
    name: 'collection',
    managementPrefix: '/collections/api/v1',
    resource: 'collection',
    chatObject: 'collection',
    progressTool: 'collection.event',
    counts: { collections: 'collection_count', files: 'file_count' },
    collectionChatCredential: 'raw',
  },
  saia: {
    name: 'saia',
    managementPrefix: '/arcanas/api/v1',
    resource: 'arcana',
    chatObject: 'arcana',
    progressTool: 'arcana.event',
    counts: { collections: 'arcana_count', files: 'file_count' },
    defaultBaseUrl: 'https://chat-ai.academiccloud.de/v1',
    collectionChatCredential: 'bearer',
  },
}

/** Body field that lets the model use retrieval, the same in both profiles. Guess (B): with a hyphen. */
export const toolField = 'enable-tools'

/** Header that selects the inference service. Guess (B). Without it: status 200 and, silently, no retrieval. */
export const inferenceHeader = { name: 'inference-service', value: 'saia-openai-gateway' } as const

/** Header that carries the key. Guess (B). */
export const credentialHeader = 'authorization'
