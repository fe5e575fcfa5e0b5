import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openIndexStore, type IndexStore } from '../../../../src/platform/engine/index/client.ts'

describe('the index', () => {
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

  const put = async (id: number, text: string, revision = 1) => {
    const path = join(folder, `${id}.md`)
    await writeFile(path, text)
    return store.put('one', { id, revision, name: `${id}.md`, source: { kind: 'markdown', path } })
  }
  const bodies = async (question: string, limit = 5) =>
    (await store.search('one', { question, limit })).hits.map((hit) => hit.body)

  it('ranks the better chunk first, with scores between 0 and 1', async () => {
    await put(1, 'The ferry leaves at nine. The ferry is blue.')
    await put(
      2,
      'The harbour has a crane. A ferry was seen once among many other ships of all kinds and sizes.',
    )
    const { hits } = await store.search('one', { question: 'When does the ferry leave?', limit: 5 })
    expect(hits.map((hit) => hit.fileId)).toEqual([1, 2])
    for (const hit of hits) {
      expect(hit.score).toBeGreaterThan(0)
      expect(hit.score).toBeLessThan(1)
    }
    expect(hits[0]?.coverage).toBe(1)
  })

  it('weighs the heading above a chunk', async () => {
    await put(1, '# Opening hours\n\nMonday to Friday.\n')
    await put(2, '# Crane\n\nThe opening of the crane took hours of work in the harbour.\n')
    expect((await bodies('opening hours'))[0]).toContain('Monday')
  })

  it('reads every sign in a question as text', async () => {
    await put(1, 'The ferry leaves at nine.')
    for (const question of [
      'ferry"',
      '"ferry" OR (',
      'NEAR(ferry',
      'ferry* ^heading:',
      'AND',
      '\u0000ferry',
      '  ',
    ]) {
      expect(Array.isArray(await bodies(question))).toBe(true)
    }
    expect(await bodies('ferry" AND "')).toHaveLength(1)
  })

  it('finds German and English files of one collection by their own word forms', async () => {
    await put(1, 'Die Fähre fährt um neun Uhr ab. Die Häuser am Hafen sind alt und stehen leer.')
    await put(2, 'The ferry departs at nine. The houses at the harbour are old and stand empty.')
    expect((await bodies('Was ist mit dem Haus?'))[0]).toContain('Häuser')
    expect((await bodies('What about the house?'))[0]).toContain('houses')
  })

  it('replaces a file as a whole and writes on after many deletions', async () => {
    for (let round = 1; round <= 3; round += 1) {
      await put(1, `# A\n\n${'The walrus sleeps. '.repeat(300)}\n\nRound ${round} of the walrus.`, round)
      expect(await bodies(`round ${round}`)).not.toEqual([])
    }
    await store.remove('one', [1])
    expect(await bodies('walrus')).toEqual([])
    await put(2, 'The seagull is awake.')
    expect(await bodies('seagull')).toHaveLength(1)
  })

  it('keeps only the files that it is told to', async () => {
    await put(1, 'walrus one')
    await put(2, 'walrus two', 5)
    await put(3, 'walrus three')
    expect(
      await store.keep('one', [
        { id: 1, revision: 1 },
        { id: 2, revision: 4 },
      ]),
    ).toBe(2)
    expect(await bodies('walrus')).toEqual(['walrus one'])
  })

  it('answers questions while a large file is being written, from what was whole before', async () => {
    await put(1, 'The walrus sleeps.')
    const writing = put(
      2,
      Array.from({ length: 4000 }, (_, index) => `# Part ${index}\n\nThe seagull ${index} is awake.\n`).join(
        '\n',
      ),
    )
    let ended = false
    void writing.finally(() => (ended = true))
    const during: boolean[] = []
    while (!ended) {
      expect(await bodies('walrus')).toHaveLength(1)
      const found = (await bodies('seagull')).length
      expect([0, 5]).toContain(found)
      during.push(found === 0)
    }
    expect(during.filter(Boolean).length).toBeGreaterThan(1)
    expect(await writing).toEqual({ chunks: 4000 })
    expect(await bodies('seagull')).toHaveLength(5)
  })

  it('stays as it was when a file cannot be read', async () => {
    await put(1, 'The walrus sleeps.')
    const source = { kind: 'text' as const, path: join(folder, 'gone') }
    await expect(store.put('one', { id: 1, revision: 2, name: 'gone.txt', source })).rejects.toThrow('ENOENT')
    expect(await bodies('walrus')).toHaveLength(1)
    await put(2, 'The seagull is awake.')
    expect(await bodies('seagull')).toHaveLength(1)
  })

  it('is there again after a restart, deletes with its collection, and sweeps what belongs to none', async () => {
    await put(1, 'The walrus sleeps.')
    await store.close()
    store = await openIndexStore(join(folder, 'index'))
    expect(await bodies('walrus')).toHaveLength(1)
    await store.drop('one')
    expect(await bodies('walrus')).toEqual([])
    await store.close()
    store = await openIndexStore(join(folder, 'index'))
    await store.sweep(new Set())
    expect(await readdir(join(folder, 'index'))).toEqual([])
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
