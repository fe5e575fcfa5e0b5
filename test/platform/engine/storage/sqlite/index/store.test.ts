import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openIndexStore } from '#platform/engine/storage/sqlite/index/store.ts'
import type { IndexStore } from '#platform/engine/storage/types.ts'
import { inLong } from '#test/support/forms.ts'
import { describeIndexStore } from '#test/platform/engine/storage/index/contract.ts'

describeIndexStore('in files', async (folder) => ({ open: () => openIndexStore(folder) }))

const name = (id: number) => `The walrus number${id} sleeps.`

const longPart = (id: number) => `# Part ${id}\n\n${'The crane lifts crates of salt onto the quay. '.repeat(30)}`
/** Half a megabyte in 401 chunks. */
const longText = (id: number) =>
  `${Array.from({ length: 400 }, (_, at) => longPart(id * 1000 + at)).join('\n\n')}\n\n# End\n\n${name(id)}`

describe('the index in files', () => {
  let folder: string
  let store: IndexStore
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footbridge-index-'))
    store = await openIndexStore(join(folder, 'index'))
  })
  afterEach(async () => {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  })

  const put = async (id: number, text: string) => {
    const path = join(folder, `${id}.md`)
    await writeFile(path, text)
    return store.put('one', { id, revision: 1, name: `${id}.md`, source: { kind: 'markdown', path } })
  }
  const bodies = async (question: string) =>
    (await store.search('one', { question, limit: 5 })).hits.map((hit) => hit.body)

  it('leaves no file behind', async () => {
    await put(1, 'The walrus sleeps.')
    await store.drop('one')
    await put(1, 'The walrus sleeps.')
    await store.close()
    store = await openIndexStore(join(folder, 'index'))
    await store.sweep(new Set())
    expect(await readdir(join(folder, 'index'))).toEqual([])
  })

  it('answers a question while a long write goes on', inLong, async () => {
    await put(
      1,
      Array.from({ length: 20_000 }, (_, at) => `# Part ${at}\n\nThe walrus number ${at} sleeps.`).join('\n\n'),
    )
    await put(2, 'The ferry leaves at nine.')
    expect(await bodies('ferry')).toHaveLength(1)
    const order: string[] = []
    // Deletes all of its chunks without a yield.
    const removal = store.remove('one', [1]).then(() => order.push('removed'))
    await bodies('ferry').then(() => order.push('answered'))
    await removal
    expect(order).toEqual(['answered', 'removed'])
    expect(await bodies('walrus')).toEqual([])
  })

  it('writes files that come at once together, without the ones that cannot be read', async () => {
    await put(2, 'The ferry leaves at nine.')
    const missing = { id: 2, revision: 2, name: '2.md', source: { kind: 'markdown', path: 'gone' } } as const
    const results = await Promise.allSettled([
      put(1, 'The walrus sleeps.'),
      store.put('one', missing),
      ...Array.from({ length: 20 }, (_, index) => put(index + 3, `The walrus number ${index} sleeps.`)),
    ])
    expect(results.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []))).toEqual([1])
    // A removal that is asked for after them sees them.
    const path = join(folder, 'lamp.md')
    await writeFile(path, 'The lamp is lit.')
    const lamp = (id: number) =>
      store.put('one', { id, revision: 1, name: `lamp-${id}.md`, source: { kind: 'markdown', path } })
    await Promise.all([lamp(30), store.remove('one', [30]), lamp(31)])
    expect(await bodies('walrus')).toHaveLength(5)
    expect(await bodies('lamp')).toEqual(['The lamp is lit.'])
    expect(await bodies('ferry')).toEqual(['The ferry leaves at nine.'])
  })

  it('reads a large group in a thread of its own, without the ones that cannot be read', async () => {
    for (const id of [1, 2, 3]) await writeFile(join(folder, `${id}.md`), longText(id))
    const putHere = (id: number) => {
      const source = { kind: 'markdown', path: join(folder, id === 9 ? 'gone' : `${id}.md`) } as const
      return store.put('one', { id, revision: 1, name: `${id}.md`, source })
    }
    const putAll = () => Promise.allSettled([1, 9, 2, 3].map(putHere))
    const results = await putAll()
    expect(results.map((one) => (one.status === 'fulfilled' ? one.value.chunks : one.status))).toEqual([
      401,
      'rejected',
      401,
      401,
    ])
    for (const id of [1, 2, 3]) expect((await bodies(`number${id}`))[0]).toContain(name(id))
    // The same again, a removal and a further group after it.
    await Promise.all([putAll(), store.remove('one', [1, 2]), putHere(2)])
    expect(await bodies('number1')).toEqual([])
    for (const id of [2, 3]) expect(await bodies(`number${id}`)).toHaveLength(1)
    const { hits } = await store.search('one', { question: 'Part 3123', limit: 1 })
    expect(hits[0]?.headings).toEqual(['Part 3123'])
  })

  it('writes to more indexes at once than may stay open', async () => {
    const path = join(folder, 'note.md')
    await writeFile(path, 'The walrus sleeps.')
    const file = { id: 1, revision: 1, name: 'note.md', source: { kind: 'markdown', path } } as const
    const puts = Array.from({ length: 80 }, (_, at) => store.put(`many-${at}`, file))
    expect(await Promise.all(puts)).toEqual(puts.map(() => ({ chunks: 1 })))
  })

  it('is closed while a large group is read', async () => {
    const text = Array.from({ length: 8000 }, (_, at) => `# Part ${at}\n\n${name(at).repeat(10)}`).join('\n\n')
    const going = Promise.allSettled([put(1, text)])
    await store.outdated('one', [])
    await store.close()
    expect(await going).toMatchObject([{ status: 'rejected' }])
    store = await openIndexStore(join(folder, 'index'))
    expect(await bodies('walrus')).toEqual([])
  })

  it('finds what is there, however many files came and went', async () => {
    for (let id = 1; id <= 40; id += 1) await put(id, name(id))
    for (let id = 1; id <= 40; id += 3) await store.remove('one', [id])
    for (let id = 2; id <= 40; id += 3) await put(id, `${name(id)} Again.`)
    for (let id = 1; id <= 40; id += 1) {
      const { hits } = await store.search('one', { question: `number${id}`, limit: 5 })
      expect(hits.map(({ body }) => body)).toEqual(id % 3 === 1 ? [] : [id % 3 === 2 ? `${name(id)} Again.` : name(id)])
    }
  })

  it('starts anew from an index of another version', async () => {
    await put(1, 'The walrus sleeps.')
    await store.close()
    const database = new DatabaseSync(join(folder, 'index', 'one.sqlite'))
    database.exec('PRAGMA user_version = 99')
    database.close()
    store = await openIndexStore(join(folder, 'index'))
    expect(await bodies('walrus')).toEqual([])
    await put(1, 'The walrus sleeps.')
    expect(await bodies('walrus')).toHaveLength(1)
  })
})
