import type { fieldSets, SchemaName } from './schemas.ts'

export type BodyShape =
  | { readonly json: SchemaName }
  /** A multipart body with one file and text fields. */
  | { readonly part: string; readonly fields?: keyof typeof fieldSets; readonly texts?: readonly string[] }

export interface Answer {
  readonly description: string
  /** Content by its type; none: an empty body. */
  readonly content?: Readonly<Record<string, SchemaName | readonly SchemaName[] | 'bytes' | 'text' | 'object'>>
}

interface Shared {
  readonly tag:
    | 'Models'
    | 'Responses'
    | 'Vector stores'
    | 'Collections'
    | 'Files'
    | 'Index'
    | 'Voice'
    | 'Documents'
    | 'Service'
  /** Mount point of the path. `both`: at the root and under `/v1`. */
  readonly at: 'root' | 'base' | 'both'
  /** Form of the key. */
  readonly key: 'bearer' | 'raw' | 'either' | 'none'
}

interface Details {
  readonly description?: string
  /** Not counted against the quota. */
  readonly free?: boolean
  readonly query?: keyof typeof fieldSets
  readonly header?: { readonly name: string; readonly description: string }
  readonly body?: BodyShape
  readonly answers: Readonly<Record<number, Answer>>
  /** Statuses of its own refusals, in addition to those that every operation has. */
  readonly refuses?: readonly number[]
}

export interface Operation extends Shared, Details {
  readonly id: string
  readonly method: 'get' | 'post' | 'put' | 'delete'
  readonly path: string
  readonly summary: string
}

/** Makes the operations of one tag. */
export const describe =
  (shared: Shared) =>
  (id: string, method: Operation['method'], path: string, summary: string, details: Details): Operation => ({
    ...shared,
    id,
    method,
    path,
    summary,
    ...details,
  })

export const json = (description: string, schema: SchemaName): Answer => ({
  description,
  content: { 'application/json': schema },
})
