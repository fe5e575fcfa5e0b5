import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { collectionRecord } from '#platform/wire/collections.ts'
import { management, openPlatform, type TestPlatform } from './platform.ts'

const collections = `${management}/collection`

describe('collections', () => {
  let platform: TestPlatform
  beforeEach(async () => {
    platform = await openPlatform()
  })
  afterEach(() => platform.close())

  const create = (name: string) => platform.call('POST', `${collections}/`, { json: { name } })

  it.each([
    ['', 422],
    ['x'.repeat(101), 422],
    ['a\u0000b', 422],
    ['..', 422],
    ['.', 422],
    ['a\\b', 422],
    ['a/b/c', 422],
    [' \u3000', 422],
    ['\ud800', 422],
    ['a\u202eb', 422],
    ['\u2066', 422],
    ['a\u2028b', 422],
    ['\u{1f600}'.repeat(101), 422],
    [7, 422],
    [null, 422],
    [['notes'], 422],
  ])('refuses the name %j', async (name, status) => {
    expect((await create(name as string)).status).toBe(status)
    expect(await (await platform.call('GET', collections)).json()).toEqual([])
  })

  it('says what does not fit in one sentence', async () => {
    const { error } = (await (await create('')).json()) as { error: { message: string } }
    expect(error.message).toBe('The request does not fit: body.name: A collection name has 1 to 100 characters.')
  })

  it.each(['\u{1f600}'.repeat(100), 'a'.repeat(99), 'e\u0301'.repeat(100), 'גשר', '笔记 2', 'a.b,c d%20', '-rf'])(
    'counts characters and takes the name %s',
    async (name) => {
      expect((await create(name)).status).toBe(201)
      const response = await platform.call('GET', `${collections}/${encodeURIComponent(name)}`)
      expect(await response.json()).toMatchObject({ name: name.normalize('NFC') })
      expect((await create(name.normalize('NFD'))).status).toBe(409)
    },
  )

  it('answers 409 for a name that exists', async () => {
    await create('notes')
    const response = await create('local/notes')
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ detail: 'The collection notes exists already.' })
  })

  it('strips the owner from a full id', async () => {
    await create('somebody/notes')
    const response = await platform.call('GET', `${collections}/${encodeURIComponent('local/notes')}`)
    expect(await response.json()).toMatchObject({ name: 'notes', id: 'local/notes' })
    for (const path of ['local/notes', 'local/notes/', 'local/notes/files/', 'local%2Fnotes/files']) {
      expect((await platform.call('GET', `${collections}/${path}`)).status).toBe(200)
    }
    expect((await platform.call('POST', `${collections}/local/notes/generate-index`)).status).toBe(200)
    expect((await platform.call('DELETE', `${collections}/local/notes`)).status).toBe(200)
    expect(await (await platform.call('GET', collections)).json()).toEqual([])
  })

  it('has no index status before the first pass', async () => {
    await create('notes')
    const record = collectionRecord.parse(await (await platform.call('GET', `${collections}/notes`)).json())
    expect(record).toMatchObject({ index_info: null, file_count: 0, sharing: { visibility: 'private', users: [] } })
  })

  it('answers 404 with a sentence for a collection that is not there', async () => {
    for (const [method, path] of [
      ['GET', 'gone'],
      ['DELETE', 'gone'],
      ['GET', 'gone/files/'],
      ['POST', 'gone/generate-index'],
      ['DELETE', 'gone/delete-index'],
    ] as const) {
      const response = await platform.call(method, `${collections}/${path}`)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ detail: 'There is no collection gone.' })
    }
  })

  it('refuses a body that is no JSON', async () => {
    const response = await platform.call('POST', `${collections}/`, { body: '{' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { message: 'The body is not JSON.' } })
  })
})
