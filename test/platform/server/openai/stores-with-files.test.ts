import assert from 'node:assert/strict'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { EngineError } from '#platform/engine/errors.ts'
import { createLibrary } from '#platform/server/openai/library.ts'
import { addKey, as } from '../people.ts'
import { openPlatform, type TestPlatform, toForm } from '../platform.ts'

const quota = { minute: 1000, hour: 1000, day: 1000, month: 1000 }

describe('vector stores that are made with files', () => {
  let platform: TestPlatform
  beforeAll(async () => {
    platform = await openPlatform()
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })
  afterAll(() => platform.close())

  const person = async (user: string) => {
    const { key } = await addKey(platform, user, { quota })
    const call = as(platform, key)
    const upload = async (name: string, text: string): Promise<string> => {
      const body = toForm('file', name, text, { purpose: 'assistants' })
      const reply = await call('POST', '/v1/files', { body, bearer: true })
      return ((await reply.json()) as { id: string }).id
    }
    const make = (json: object, signal?: AbortSignal) =>
      call('POST', '/v1/vector_stores', { json, bearer: true, ...(signal === undefined ? {} : { signal }) })
    /** Names of all collections, that of uploads among them. */
    const names = async (): Promise<readonly string[]> => {
      const reply = await call('GET', '/collections/api/v1/collection/')
      return ((await reply.json()) as { name: string }[]).map(({ name }) => name)
    }
    return { key, call, upload, make, names }
  }

  it('looks up the collections once, and all files at once', async () => {
    const who = await person('many')
    const ids: string[] = []
    for (let at = 0; at < 12; at += 1) ids.push(await who.upload(`${at}.md`, `# ${at}\n`))
    const owner = await platform.engine.identify(who.key)
    assert.ok(owner)
    const looked = [vi.spyOn(platform.engine.collections, 'rows'), vi.spyOn(platform.engine.files, 'held')]
    const { signal } = new AbortController()
    const sources = await createLibrary(platform.engine).sources(owner.user, [...ids, ...ids], signal)
    expect(sources.map(({ file }) => file.name)).toEqual(ids.map((_, at) => `${at}.md`))
    for (const look of looked) expect(look).toHaveBeenCalledTimes(1)
  })

  it('makes the collection of uploads once, and takes the same bytes twice at the same time', async () => {
    const who = await person('doubled')
    const first = await who.upload('a.md', '# A\n')
    const both = await Promise.all([who.upload('b.md', '# B\n'), who.upload('b.md', '# B\n')])
    expect(both[0]).toBe(both[1])
    expect(await who.upload('a.md', '# A\n')).toBe(first)
    const owner = await platform.engine.identify(who.key)
    assert.ok(owner)
    const create = vi.spyOn(platform.engine.collections, 'create')
    expect((await createLibrary(platform.engine).uploads(owner.user)).fileCount).toBe(2)
    expect(create).not.toHaveBeenCalled()
  })

  it('takes 100 files at once, and says what to do with more', async () => {
    const who = await person('greedy')
    const ids = Array.from({ length: 101 }, (_, at) => `file-${at}`)
    expect((await who.make({ name: 'few', file_ids: ids.slice(1) })).status).toBe(404)
    const reply = await who.make({ name: 'few', file_ids: ids })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ error: { message: expect.stringMatching(/At most 100 files.*\.$/) } })
    expect(await who.names()).toEqual([])
  })

  it('makes nothing of two files of one name', async () => {
    const who = await person('twin')
    const first = await who.upload('notes.md', '# One\n')
    expect((await who.make({ name: 'kept', file_ids: [first] })).status).toBe(200)
    const uploads = '/collections/api/v1/collection/uploaded-files/files/notes.md'
    expect((await who.call('DELETE', uploads)).ok).toBe(true)
    const second = await who.upload('notes.md', '# Two\n')
    expect(second).not.toBe(first)
    const before = await who.names()
    for (const name of ['both', undefined]) {
      const reply = await who.make({ name, file_ids: [first, second] })
      expect(reply.status).toBe(409)
      expect(await reply.json()).toMatchObject({ error: { message: expect.stringContaining('notes.md') } })
    }
    expect(await who.names()).toEqual(before)
  })

  it('removes the store where a file cannot be attached, and one that was there stays', async () => {
    const who = await person('unlucky')
    const ids = [await who.upload('a.md', '# A\n'), await who.upload('b.md', '# B\n')]
    const before = await who.names()
    vi.spyOn(platform.engine.files, 'upload').mockRejectedValue(new EngineError('locked', 'A pass runs.'))
    for (const name of ['broken', undefined]) expect((await who.make({ name, file_ids: ids })).status).toBe(423)
    expect(await who.names()).toEqual(before)
    vi.restoreAllMocks()
    expect((await who.make({ name: 'there', file_ids: ids })).status).toBe(200)
    expect((await who.make({ name: 'there', file_ids: ids })).status).toBe(409)
    expect(await who.names()).toEqual([...before, 'there'].toSorted())
  })

  it('stops when its caller leaves, and leaves no store', async () => {
    const who = await person('hasty')
    const ids: string[] = []
    for (let at = 0; at < 6; at += 1) ids.push(await who.upload(`${at}.md`, `# ${at}\n`))
    const before = await who.names()
    const left = new AbortController()
    const upload = platform.engine.files.upload.bind(platform.engine.files)
    const attached = vi.spyOn(platform.engine.files, 'upload').mockImplementation(async (...given) => {
      const made = await upload(...given)
      left.abort()
      return made
    })
    expect((await who.make({ name: 'left', file_ids: ids }, left.signal)).status).toBe(499)
    expect(attached).toHaveBeenCalledTimes(1)
    expect(await who.names()).toEqual(before)
    const searched = vi.spyOn(platform.engine.files, 'held')
    expect((await who.make({ name: 'left', file_ids: ids }, left.signal)).status).toBeGreaterThanOrEqual(400)
    expect(searched).not.toHaveBeenCalled()
  })
})
