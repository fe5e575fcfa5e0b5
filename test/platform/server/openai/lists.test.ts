import { OpenAI, toFile } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addKey } from '../people.ts'
import { openPlatform, type TestPlatform } from '../platform.ts'

/** More than two pages of 20. */
const COUNT = 45

const numbers = Array.from({ length: COUNT }, (_, at) => at)

const quota = { minute: 1000, hour: 1000, day: 1000, month: 1000 }

const upload = async (client: OpenAI, name: string) =>
  client.files.create({ file: await toFile(Buffer.from(`# ${name}\n`), name), purpose: 'assistants' })

describe("lists, by the loops of OpenAI's own library", () => {
  let platform: TestPlatform
  beforeAll(async () => {
    platform = await openPlatform({ over: 'socket' })
  })
  afterAll(() => platform.close())

  const person = async (user: string) => {
    const { key } = await addKey(platform, user, { quota })
    return new OpenAI({ apiKey: key, baseURL: `${platform.url}/v1`, maxRetries: 0 })
  }

  it('removes all files of a store while it lists them, then deletes all files', async () => {
    const client = await person('cleaner')
    const ids: string[] = []
    for (const at of numbers) ids.push((await upload(client, `${at}.md`)).id)
    const store = await client.vectorStores.create({ name: 'all', file_ids: ids })
    await expect.poll(async () => (await client.vectorStores.retrieve(store.id)).status).toBe('completed')

    const removed: string[] = []
    for await (const { id } of client.vectorStores.files.list(store.id)) {
      await client.vectorStores.files.delete(id, { vector_store_id: store.id })
      removed.push(id)
    }
    expect(removed.toSorted()).toEqual(ids.toSorted())
    expect((await client.vectorStores.files.list(store.id)).data).toEqual([])

    const deleted: string[] = []
    for await (const { id } of client.files.list()) {
      await client.files.delete(id)
      deleted.push(id)
    }
    expect(deleted.toSorted()).toEqual(ids.toSorted())
    expect((await client.files.list()).data).toEqual([])
  })

  it('deletes all stores while it lists them', async () => {
    const client = await person('mover')
    const names = numbers.slice(0, 21).map((at) => `store ${at}`)
    for (const name of names) await client.vectorStores.create({ name })
    const stores: string[] = []
    for await (const { id, name } of client.vectorStores.list({ order: 'asc' })) {
      await client.vectorStores.delete(id)
      stores.push(name)
    }
    expect(stores.toSorted()).toEqual(names.toSorted())
    expect((await client.vectorStores.list()).data).toEqual([])
  })

  it('goes on where a deleted element was, in both directions, and refuses what can be no id', async () => {
    const client = await person('reader')
    for (const at of numbers.slice(0, 5)) await upload(client, `${at}.md`)
    for (const order of ['asc', 'desc'] as const) {
      const before = (await client.files.list({ order })).data.map(({ id }) => id)
      const [first, second, third, ...others] = before
      await client.files.delete(third ?? '')
      const next = await client.files.list({ order, after: third ?? '' })
      expect(next.data.map(({ id }) => id)).toEqual(others)
      const back = await client.files.list(undefined, { query: { order, before: third, limit: 2 } })
      expect(back.data.map(({ id }) => id)).toEqual([first, second])
      for (const at of numbers.slice(0, 5)) await upload(client, `${at}.md`)
    }
    for (const after of ['file-1', 'vs_none', 'x'])
      await expect(client.files.list({ after })).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('`after`'),
      })
    const [file] = (await client.files.list()).data
    await expect(client.vectorStores.list({ after: file?.id ?? '' })).rejects.toMatchObject({ status: 400 })
  })

  it('lists up to 10,000 files at once, and up to 100 stores', async () => {
    const client = await person('gatherer')
    for (const at of numbers.slice(0, 21)) await upload(client, `${at}.md`)
    const page = await client.files.list({ limit: 10_000 })
    expect(page.data).toHaveLength(21)
    expect(page.has_more).toBe(false)
    expect((await client.files.list()).data).toHaveLength(20)
    await expect(client.files.list({ limit: 10_001 })).rejects.toMatchObject({ status: 400 })
    await expect(client.vectorStores.list({ limit: 101 })).rejects.toMatchObject({ status: 400 })
  })

  it('lists files of a store by their state, and knows no other filter', async () => {
    const client = await person('filterer')
    const { id } = await upload(client, 'a.md')
    const store = await client.vectorStores.create({ name: 'states', file_ids: [id] })
    await expect.poll(async () => (await client.vectorStores.retrieve(store.id)).status).toBe('completed')
    const { files } = client.vectorStores
    expect((await files.list(store.id, { filter: 'completed' })).data.map((file) => file.id)).toEqual([id])
    for (const filter of ['in_progress', 'failed', 'cancelled'] as const)
      expect((await files.list(store.id, { filter })).data).toEqual([])
    await expect(files.list(store.id, { filter: 'complete' as 'completed' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/`filter` is .*\.$/),
    })
  })

  it('lists files of a purpose', async () => {
    const client = await person('sorter')
    const { id } = await upload(client, 'a.md')
    for (const purpose of ['assistants', 'user_data'])
      expect((await client.files.list({ purpose })).data.map((file) => file.id)).toEqual([id])
    for (const purpose of ['batch', 'fine-tune', 'vision', ''])
      expect((await client.files.list({ purpose })).data).toEqual([])
  })
})
