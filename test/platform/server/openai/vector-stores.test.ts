import { ConflictError, NotFoundError, OpenAI, PermissionDeniedError, toFile } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addKey, as } from '../people.ts'
import { management, openPlatform, type TestPlatform } from '../platform.ts'

const LAMP = '# Lamp\n\nThe lamp of the lighthouse burns kerosene. It is lit at dusk.\n'
const BREAD = '# Bread\n\nThe baker bakes rye bread at four in the morning.\n'

const quota = { minute: 1000, hour: 1000, day: 1000, month: 1000 }

const upload = async (who: OpenAI, name: string, text: string) =>
  who.files.create({ file: await toFile(Buffer.from(text), name), purpose: 'assistants' })

describe("vector stores and files, by OpenAI's own library", () => {
  let platform: TestPlatform
  let client: OpenAI
  const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${platform.url}/v1`, maxRetries: 0 })
  const person = async (user: string) => clientOf((await addKey(platform, user, { quota })).key)
  beforeAll(async () => {
    platform = await openPlatform({ over: 'socket' })
    client = clientOf(platform.key)
  })
  afterAll(() => platform.close())

  const asking = { pollIntervalMs: 50 }
  /** A vector store with these files, indexed. */
  async function filled(who: OpenAI, name: string, files: Readonly<Record<string, string>>) {
    const store = await who.vectorStores.create({ name })
    for (const [file, text] of Object.entries(files))
      await who.vectorStores.files.uploadAndPoll(store.id, await toFile(Buffer.from(text), file), asking)
    return store
  }

  it('makes, lists, shows and deletes a store', async () => {
    const store = await client.vectorStores.create({ name: 'first' })
    expect(store).toMatchObject({
      object: 'vector_store',
      name: 'first',
      status: 'completed',
      file_counts: { total: 0 },
    })
    expect(store.id).toMatch(/^vs_[\w-]+$/)
    expect(await client.vectorStores.retrieve(store.id)).toEqual(store)
    expect(await client.vectorStores.retrieve('first')).toEqual(store)
    await expect(client.vectorStores.create({ name: 'first' })).rejects.toThrow(ConflictError)
    const unnamed = await client.vectorStores.create({})
    expect((await client.vectorStores.list()).data.map(({ id }) => id)).toEqual(
      expect.arrayContaining([store.id, unnamed.id]),
    )
    for (const { id } of [store, unnamed])
      expect(await client.vectorStores.delete(id)).toEqual({ id, object: 'vector_store.deleted', deleted: true })
    await expect(client.vectorStores.retrieve(store.id)).rejects.toThrow(NotFoundError)
  })

  it('is a collection, whichever way it was made', async () => {
    await platform.fill('filled', { 'lamp.md': LAMP })
    const store = await client.vectorStores.retrieve('filled')
    expect(store).toMatchObject({ status: 'completed', file_counts: { completed: 1, total: 1, in_progress: 0 } })
    const [file] = (await client.vectorStores.files.list(store.id)).data
    expect(file).toMatchObject({ status: 'completed', usage_bytes: LAMP.length, last_error: null })
    expect((await client.files.retrieve(file?.id ?? '')).filename).toBe('lamp.md')
    await client.vectorStores.delete(store.id)
    expect((await platform.call('GET', `${management}/collection/filled`)).status).toBe(404)
  })

  it('attaches an uploaded file under its id, finds it, reads it and removes it', async () => {
    const uploaded = await upload(client, 'lamp.md', LAMP)
    expect(uploaded).toMatchObject({ object: 'file', filename: 'lamp.md', bytes: LAMP.length, status: 'processed' })
    expect((await upload(client, 'lamp.md', LAMP)).id).toBe(uploaded.id)
    const store = await client.vectorStores.create({ name: 'harbour' })
    const attached = await client.vectorStores.files.createAndPoll(store.id, { file_id: uploaded.id }, asking)
    expect(attached).toMatchObject({ id: uploaded.id, status: 'completed', vector_store_id: store.id })
    expect((await client.vectorStores.files.create(store.id, { file_id: uploaded.id })).id).toBe(uploaded.id)
    expect((await client.vectorStores.files.list(store.id)).data.map(({ id }) => id)).toEqual([uploaded.id])

    const [hit] = (await client.vectorStores.search(store.id, { query: 'What does the lamp burn?' })).data
    expect(hit).toMatchObject({ file_id: uploaded.id, filename: 'lamp.md', place: 'L1-3' })
    expect(hit?.content[0]?.text).toContain('kerosene')
    const tools = [{ type: 'file_search' as const, vector_store_ids: [store.id] }]
    const made = await client.responses.create({ model: 'extractive', input: 'What does the lamp burn?', tools })
    const message = made.output.at(-1)
    const part = message?.type === 'message' ? message.content[0] : undefined
    expect(part?.type === 'output_text' && part.annotations[0]).toMatchObject({ file_id: uploaded.id })
    const content = await client.vectorStores.files.content(uploaded.id, { vector_store_id: store.id })
    expect(content.data.map(({ text }) => text).join('')).toContain('kerosene')
    expect(await (await client.files.content(uploaded.id)).text()).toBe(LAMP)

    await client.vectorStores.files.delete(uploaded.id, { vector_store_id: store.id })
    expect((await client.vectorStores.search(store.id, { query: 'lamp' })).data).toEqual([])
    expect((await client.files.retrieve(uploaded.id)).id).toBe(uploaded.id)
    expect(await client.files.delete(uploaded.id)).toEqual({ id: uploaded.id, object: 'file', deleted: true })
    await expect(client.files.retrieve(uploaded.id)).rejects.toThrow(NotFoundError)
  })

  it('deletes a file from all stores of its owner', async () => {
    const store = await filled(client, 'kitchen', { 'bread.md': BREAD })
    const [file] = (await client.vectorStores.files.list(store.id)).data
    await client.files.delete(file?.id ?? '')
    expect((await client.vectorStores.files.list(store.id)).data).toEqual([])
    expect((await client.files.list()).data.map(({ filename }) => filename)).not.toContain('bread.md')
  })

  it('makes a store with files, and refuses it where one is not there', async () => {
    const [lamp, bread] = [await upload(client, 'l.md', LAMP), await upload(client, 'b.md', BREAD)]
    const store = await client.vectorStores.create({ name: 'both', file_ids: [lamp.id, bread.id] })
    expect(store.file_counts.total).toBe(2)
    await client.vectorStores.files.poll(store.id, bread.id, asking)
    expect(await client.vectorStores.retrieve(store.id)).toMatchObject({
      status: 'completed',
      file_counts: { completed: 2 },
    })
    await expect(client.vectorStores.create({ name: 'none', file_ids: ['file-1'] })).rejects.toThrow(NotFoundError)
    await expect(client.vectorStores.retrieve('none')).rejects.toThrow(NotFoundError)
  })

  it('has another id for other content, and one file of a name', async () => {
    const store = await filled(client, 'versions', { 'notes.md': LAMP })
    const [old] = (await client.vectorStores.files.list(store.id)).data
    await expect(upload(client, 'notes.md', BREAD)).rejects.toThrow(
      'A different file named notes.md exists already: delete it first',
    )
    await client.files.delete(old?.id ?? '')
    const newer = await upload(client, 'notes.md', BREAD)
    expect(newer.id).not.toBe(old?.id)
    await expect(client.files.retrieve(old?.id ?? '')).rejects.toThrow(NotFoundError)
  })

  it('pages through lists in both orders', async () => {
    const who = await person('lister')
    for (const name of ['a', 'b', 'c', 'd', 'e']) await who.vectorStores.create({ name })
    const all: string[] = []
    for await (const { name } of who.vectorStores.list({ limit: 2, order: 'asc' })) all.push(name)
    expect(all.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
    const descending: string[] = []
    for await (const { name } of who.vectorStores.list({ limit: 2 })) descending.push(name)
    expect(descending).toEqual(all.toReversed())
    const { data } = await who.vectorStores.list({ limit: 2, order: 'asc' })
    const next = await who.vectorStores.list({ limit: 2, order: 'asc', after: data[1]?.id ?? '' })
    const back = await who.vectorStores.list({ limit: 2, order: 'asc', before: next.data[0]?.id ?? '' })
    expect(back.data).toEqual(data)
    await expect(who.vectorStores.list({ after: 'vs_none' })).rejects.toMatchObject({ status: 400 })
    await expect(who.vectorStores.list({ limit: 1000 })).rejects.toMatchObject({ status: 400 })
  })

  it('shows a foreign key nothing: all is 404, as if it were not there', async () => {
    const store = await filled(client, 'secret', { 'lamp.md': LAMP })
    const [file] = (await client.vectorStores.files.list(store.id)).data
    const fileId = file?.id ?? ''
    const stranger = await person('stranger')
    const own = await stranger.vectorStores.create({ name: 'own' })
    const tries = [store.id, 'local/secret', 'secret', `vs_${Buffer.from('local/none').toString('base64url')}`].flatMap(
      (id) => [
        () => stranger.vectorStores.retrieve(id),
        () => stranger.vectorStores.delete(id),
        () => stranger.vectorStores.search(id, { query: 'lamp' }),
        () => stranger.vectorStores.files.list(id),
        () => stranger.vectorStores.files.retrieve(fileId, { vector_store_id: id }),
        () => stranger.vectorStores.files.content(fileId, { vector_store_id: id }),
        () => stranger.vectorStores.files.delete(fileId, { vector_store_id: id }),
        () => stranger.vectorStores.files.create(id, { file_id: fileId }),
      ],
    )
    for (const attempt of [
      ...tries,
      () => stranger.files.retrieve(fileId),
      () => stranger.files.content(fileId),
      () => stranger.files.delete(fileId),
      () => stranger.vectorStores.files.create(own.id, { file_id: fileId }),
    ])
      await expect(attempt()).rejects.toThrow(NotFoundError)
    expect((await stranger.files.list()).data).toEqual([])
    expect((await stranger.vectorStores.list()).data.map(({ name }) => name)).toEqual(['own'])
    // A name that one chooses oneself is one's own.
    const mine = await stranger.vectorStores.create({ name: 'secret' })
    expect(mine.id).not.toBe(store.id)
    expect((await client.vectorStores.files.list(store.id)).data).toHaveLength(1)
  })

  it('lets a reader search and read what is shared, and change nothing', async () => {
    const store = await filled(client, 'shared', { 'lamp.md': LAMP })
    await platform.call('PUT', `${management}/collection/shared/sharing`, { json: { users: ['reader'] } })
    const reader = await person('reader')
    const [file] = (await reader.vectorStores.files.list(store.id)).data
    const fileId = file?.id ?? ''
    expect((await reader.vectorStores.list()).data.map(({ id }) => id)).toEqual([store.id])
    expect((await reader.vectorStores.search(store.id, { query: 'lamp' })).data).toHaveLength(1)
    expect(await (await reader.files.content(fileId)).text()).toBe(LAMP)
    for (const attempt of [
      () => reader.vectorStores.delete(store.id),
      () => reader.vectorStores.files.delete(fileId, { vector_store_id: store.id }),
      () => reader.files.delete(fileId),
      () => reader.vectorStores.files.create(store.id, { file_id: fileId }),
    ])
      await expect(attempt()).rejects.toThrow(PermissionDeniedError)
    await platform.call('PUT', `${management}/collection/shared/sharing`, { json: {} })
    await expect(reader.vectorStores.retrieve(store.id)).rejects.toThrow(NotFoundError)
    await expect(reader.files.content(fileId)).rejects.toThrow(NotFoundError)
  })

  it('counts requests, and takes the key as Bearer alone', async () => {
    const { key } = await addKey(platform, 'counted', { quota: { minute: 2 } })
    const who = as(platform, key)
    const statuses = []
    for (let turn = 0; turn < 3; turn += 1)
      statuses.push((await who('GET', '/v1/vector_stores', { bearer: true })).status)
    expect(statuses).toEqual([200, 200, 429])
    expect((await platform.call('GET', '/v1/vector_stores')).status).toBe(401)
    expect((await platform.call('GET', '/v1/files', { key: null })).status).toBe(401)
  })
})
