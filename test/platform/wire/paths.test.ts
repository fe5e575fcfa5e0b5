import { expect, test } from 'vitest'
import type { z } from 'zod'
import { collectionId, collectionName, fileName, toPlainName } from '#platform/wire/names.ts'
import { createPaths, PROFILES } from '#platform/wire/profile.ts'

const accepted = (schema: z.ZodType, values: readonly string[]) =>
  values.filter((value) => schema.safeParse(value).success)

test('the collection profile has the paths of the interface', () => {
  const paths = createPaths(PROFILES.collection)
  expect(paths.version).toBe('/collections/api/v1/version')
  expect(paths.heartbeat).toBe('/collections/api/v1/heartbeat')
  expect(paths.user).toBe('/user/me')
  expect(paths.models).toBe('/models')
  expect(paths.chat).toBe('/chat/completions')
  expect(paths.convert).toBe('/documents/convert')
  expect(paths.collections).toBe('/collections/api/v1/collection/')
  expect(paths.generateIndex('a')).toBe('/collections/api/v1/collection/a/generate-index')
})

test('the saia profile has the paths of the deployed service', () => {
  const paths = createPaths(PROFILES.saia)
  expect(paths.collections).toBe('/arcanas/api/v1/arcana/')
  expect(paths.files('a')).toBe('/arcanas/api/v1/arcana/a/files/')
  expect(paths.file('a', 'b.md')).toBe('/arcanas/api/v1/arcana/a/files/b.md')
  expect(paths.download('a', 'b.md')).toBe('/arcanas/api/v1/arcana/a/files/b.md/download')
  expect(paths.deleteIndex('a')).toBe('/arcanas/api/v1/arcana/a/delete-index')
})

test('names are encoded for a client and left alone for the placeholders of a router', () => {
  expect(createPaths(PROFILES.collection).file('ä b', '50%#?.md')).toBe(
    '/collections/api/v1/collection/%C3%A4%20b/files/50%25%23%3F.md',
  )
  expect(createPaths(PROFILES.collection, (segment) => segment).file(':name', ':file')).toBe(
    '/collections/api/v1/collection/:name/files/:file',
  )
})

test('a plain name has 1 to 100 characters and is one path segment', () => {
  const good = ['a', 'x'.repeat(100), 'Größe 1', '灯台']
  const bad = ['', 'x'.repeat(101), 'a/b', '..', '.', 'a\\b', 'a\u0000']
  expect(accepted(collectionName, [...good, ...bad])).toEqual(good)
})

test('a file name is flat', () => {
  const names = ['notes.html.md', '', 'a/b', '..', 'a\r\n', 'x'.repeat(151)]
  expect(accepted(fileName, names)).toEqual(['notes.html.md'])
})

test('an id is owner and name, and the owner is stripped for management', () => {
  const ids = ['alice/handbook', 'handbook', '/handbook', 'alice/', 'a/b/c']
  expect(accepted(collectionId, ids)).toEqual(['alice/handbook'])
  expect([toPlainName('alice/handbook'), toPlainName('handbook')]).toEqual(['handbook', 'handbook'])
})
