import { createPaths } from '../wire/paths.ts'
import { profiles } from '../wire/profile.ts'
import type { fieldSets, SchemaName } from './openapi-schemas.ts'

export type BodyShape =
  | { readonly json: SchemaName }
  /** A multipart body with one file, and text fields beside it. */
  | { readonly part: string; readonly fields?: keyof typeof fieldSets; readonly texts?: readonly string[] }

export interface Answer {
  readonly says: string
  /** Content by its type; none: an empty body. */
  readonly content?: Readonly<
    Record<string, SchemaName | readonly SchemaName[] | 'bytes' | 'text' | 'object'>
  >
}

export interface Operation {
  readonly id: string
  readonly method: 'get' | 'post' | 'put' | 'delete'
  readonly path: string
  /** Where the path stands. `both`: at the root and under `/v1`. */
  readonly at: 'root' | 'base' | 'both'
  readonly tag: 'Models' | 'Collections' | 'Files' | 'Index' | 'Voice' | 'Documents' | 'Service'
  readonly says: string
  readonly more?: string
  /** Form of the key. */
  readonly key: 'bearer' | 'raw' | 'either' | 'none'
  /** Uses up no quota. */
  readonly free?: boolean
  readonly query?: keyof typeof fieldSets
  readonly header?: { readonly name: string; readonly says: string }
  readonly body?: BodyShape
  readonly answers: Readonly<Record<number, Answer>>
  /** Refusals of its own, beside those that every operation has. */
  readonly refuses?: readonly number[]
}

/** Paths with placeholders, as the document writes them. */
export const paths = createPaths(profiles.collection, (segment) => segment)

/** Content of an answer that is JSON. */
export const json = (schema: SchemaName) => ({ 'application/json': schema })

/** What all operations on collections share. */
export const managed = { at: 'both', key: 'raw' } as const
