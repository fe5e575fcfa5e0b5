import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { IndexStore } from '#platform/engine/storage/types.ts'

const vector = (...values: number[]) => Float32Array.from(values)

/** A database for indexes, in which stores can be opened one after the other or at once. */
export interface IndexPlace {
  open(): Promise<IndexStore>
}

/**
 * Promises of every index.
 *
 * @param prepare makes an empty place; `folder` is for its files and is deleted after the tests
 * @param options `answersWhileWriting` is false for a server of one session only
 */
export function describeIndexStore(
  name: string,
  prepare: (folder: string) => Promise<IndexPlace>,
  { answersWhileWriting = true }: { readonly answersWhileWriting?: boolean } = {},
): void {
  describe(`the index, ${name}`, () => {
    let folder: string
    let place: IndexPlace
    let store: IndexStore
    // One store for all tests: each would start its threads again.
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'footbridge-index-'))
      place = await prepare(join(folder, 'index'))
      store = await place.open()
    })
    afterEach(() => Promise.all(['one', 'two'].map((index) => store.drop(index))))
    afterAll(async () => {
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

    const embed = async (model: string, vectors: readonly Float32Array[]) => {
      const bare = await store.bare('one', { model, after: 0, limit: 10 })
      await store.vectors('one', {
        model,
        vectors: bare.flatMap(({ id, fileId }) => {
          const made = vectors[fileId - 1]
          return made === undefined ? [] : [{ id, fileId, vector: made }]
        }),
      })
      return bare.map(({ text }) => text)
    }
    const near = async (model: string, values: Float32Array) => {
      const asked = { question: 'boat', limit: 3, vector: { model, values, alpha: 0.5 } }
      const { hits } = await store.search('one', asked)
      return hits.filter((hit) => hit.coverage >= 0.5).map((hit) => hit.body)
    }

    it('ranks the better chunk first, with scores between 0 and 1', async () => {
      await put(1, 'The ferry leaves at nine. The ferry is blue.')
      await put(2, 'The harbour has a crane. A ferry was seen once among many other ships of all kinds and sizes.')
      const { hits } = await store.search('one', { question: 'When does the ferry leave?', limit: 5 })
      expect(hits.map((hit) => hit.fileId)).toEqual([1, 2])
      for (const hit of hits) {
        expect(hit.score).toBeGreaterThan(0)
        expect(hit.score).toBeLessThan(1)
      }
      expect(hits[0]?.coverage).toBe(1)
    })

    it('names the files that it does not hold in this revision', async () => {
      await put(1, 'The ferry leaves at nine.')
      const asked = [1, 2].flatMap((id) => [1, 2].map((revision) => ({ id, revision })))
      expect(await store.outdated('one', asked.slice(0, 1))).toEqual([])
      expect(await store.outdated('one', asked.slice(1))).toEqual([1, 2, 2])
      expect(await store.outdated('none', [{ id: 1, revision: 1 }])).toEqual([1])
    })

    it('weighs the heading above a chunk', async () => {
      await put(1, '# Opening hours\n\nMonday to Friday.\n')
      await put(2, '# Crane\n\nThe opening of the crane took hours of work in the harbour.\n')
      expect((await bodies('opening hours'))[0]).toContain('Monday')
    })

    it('reads every sign in a question as text', async () => {
      await put(1, 'The ferry leaves at nine.')
      for (const question of ['ferry"', '"ferry" OR (', 'NEAR(ferry', 'ferry* ^heading:', 'AND', '\u0000ferry', '  ']) {
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

    it('finds a mistyped word by the terms that begin with its first letters', async () => {
      await put(1, 'The subscription falls due on 15 January.')
      await put(2, 'The substitute is Pavel.')
      const { hits } = await store.search('one', { question: 'wehn is the subscrption', limit: 2 })
      expect(hits.map((hit) => hit.fileId)).toEqual([1])
      expect(hits[0]?.coverage).toBeCloseTo(0.8)
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

    const whileWriting = answersWhileWriting ? it : undefined
    whileWriting?.('answers questions while a large file is being written, from what was whole before', async () => {
      await put(1, 'The walrus sleeps.')
      expect(await bodies('walrus')).toHaveLength(1)
      const writing = put(
        2,
        Array.from({ length: 4000 }, (_, index) => `# Part ${index}\n\nThe seagull ${index} is awake.\n`).join('\n'),
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
      expect(during).toContain(true)
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

    it('is there again after a restart, and is deleted with its collection or when it belongs to none', async () => {
      await put(1, 'The walrus sleeps.')
      await store.close()
      store = await place.open()
      expect(await bodies('walrus')).toHaveLength(1)
      await store.drop('one')
      expect(await bodies('walrus')).toEqual([])
      await put(1, 'The walrus is back.')
      await store.close()
      store = await place.open()
      await store.sweep(new Set(['one']))
      expect(await bodies('walrus')).toHaveLength(1)
      await store.close()
      store = await place.open()
      expect(await store.sweep(new Set(['another']))).toBeGreaterThan(0)
      expect(await bodies('walrus')).toEqual([])
    })

    it('asks one file only where it is told to', async () => {
      await put(1, 'The walrus sleeps on the ice.')
      await put(2, 'The walrus sleeps.')
      const { hits } = await store.search('one', { question: 'walrus', limit: 5, fileId: 1 })
      expect(hits.map((hit) => hit.fileId)).toEqual([1])
      expect((await store.search('one', { question: 'walrus', limit: 5, fileId: 3 })).hits).toEqual([])
    })

    it('quotes the sentence that answers, and tells the language of the question', async () => {
      await put(1, 'The quay is long. The ferry leaves the harbour at nine. Coffee is served on board.')
      const { quotes, language } = await store.search('one', {
        question: 'When does the ferry leave the harbour?',
        limit: 5,
        quotes: true,
      })
      expect(quotes[0]?.text).toBe('The ferry leaves the harbour at nine.')
      expect(language).toBe('en')
    })

    it('gives the language of a question to an index that was never written', async () => {
      const { hits, language } = await store.search('never', { question: 'Wann fährt die Fähre?', limit: 5 })
      expect({ hits, language }).toEqual({ hits: [], language: 'de' })
      expect(await store.bare('never', { model: 'm', after: 0, limit: 5 })).toEqual([])
      await store.remove('never', [1])
      await store.drop('never')
    })

    it('keeps pages, lines, headings and the header of a divided table', async () => {
      const rows = Array.from({ length: 80 }, (_, at) => `| row ${at} | ${'a long cell of words '.repeat(4)} |`)
      await put(1, `# Prices\n\n## Ferry\n\n| name | text |\n|---|---|\n${rows.join('\n')}\n`)
      const { hits } = await store.search('one', { question: 'row 79', limit: 1 })
      expect(hits[0]).toMatchObject({ headings: ['Prices', 'Ferry'], page: null, lineTo: 86 })
      expect(hits[0]?.lead).toContain('| name | text |')
      const path = join(folder, 'pages.jsonl')
      await writeFile(path, `${JSON.stringify({ page: 7, markdown: 'The seagull is awake.' })}\n`)
      await store.put('one', { id: 2, revision: 3, name: 'paper.pdf', source: { kind: 'pages', path } })
      const paper = await store.search('one', { question: 'seagull', limit: 1 })
      expect(paper.hits[0]).toMatchObject({ page: 7, fileId: 2, revision: 3, body: 'The seagull is awake.' })
    })

    it('takes text with a NUL in it and words without an end', async () => {
      const filler = 'The walrus sleeps. '.repeat(4000)
      await put(1, `${filler}\n\nThe sea\0gull is awake.\n\n${'x'.repeat(50_000)}\n\n${'y'.repeat(900)}\n`)
      expect(await bodies('gull awake', 1)).toEqual([expect.stringContaining('gull is awake.')])
      expect(await bodies('y'.repeat(900), 1)).not.toEqual([])
    })

    describe('with vectors', () => {
      const texts = ['The ferry leaves at nine.', 'The canteen opens at noon.', 'The printer stands upstairs.']
      const axes = [vector(4, 0, 0), vector(0, 2, 0), vector(0, 0, 1)]
      beforeEach(async () => {
        for (const [at, text] of texts.entries()) await put(at + 1, text)
      })

      it('finds by vector what no word names', async () => {
        expect(await embed('one', axes)).toHaveLength(3)
        expect(await store.bare('one', { model: 'one', after: 0, limit: 10 })).toEqual([])
        expect((await near('one', vector(0.1, 1, 0)))[0]).toBe(texts[1])
        expect((await near('one', vector(0, 0, 1)))[0]).toBe(texts[2])
      })

      it('takes the passages and vectors of another index, to the bit, and what an older analyser cut stays outdated', async () => {
        await embed('one', [vector(0.1, 0.7, 0.3), ...axes.slice(1)])
        const read = await store.read('one', 1)
        if (read === null) throw new Error('the file is not there')
        expect(read).toMatchObject({
          revision: 1,
          name: '1.md',
          model: 'one',
          source: { chunks: [{ body: texts[0] }] },
        })
        const source = { ...read.source, analyser: 0 }
        await store.put('two', { id: 1, revision: 1, name: '1.md', source })
        const [id = 0] = (await store.read('two', 1))?.ids ?? []
        await store.vectors('two', { model: 'one', vectors: [{ id, fileId: 1, vector: read.vectors[0] ?? vector() }] })
        expect(await store.read('two', 1)).toEqual({ ...read, source, ids: [id] })
        expect(await store.outdated('two', [{ id: 1, revision: 1 }])).toEqual([1])
        expect((await store.search('two', { question: 'ferry', limit: 1 })).hits[0]?.body).toBe(texts[0])
        expect([await store.read('two', 2), await store.read('never', 1)]).toEqual([null, null])
      })

      it('gives what is to be embedded in parts, the headings above it first', async () => {
        const [first] = await store.bare('one', { model: 'one', after: 0, limit: 1 })
        expect(first?.text).toBe(`1\n\n${texts[0]}`)
        const rest = await store.bare('one', { model: 'one', after: first?.id ?? 0, limit: 10 })
        expect(rest.map(({ fileId }) => fileId)).toEqual([2, 3])
      })

      it('forgets the vectors of another model, and keeps none of a chunk that is gone', async () => {
        await embed('one', axes)
        expect(await near('one', vector(1, 0, 0))).toContain(texts[0])
        const [bare] = await store.bare('one', { model: 'two', after: 0, limit: 10 })
        expect(bare?.fileId).toBe(1)
        expect(await near('one', vector(1, 0, 0))).toEqual([])
        await put(1, 'Replaced.', 2)
        await store.vectors('one', {
          model: 'two',
          vectors: [{ id: bare?.id ?? 0, fileId: 2, vector: vector(1, 0, 0) }],
        })
        expect(await store.bare('one', { model: 'two', after: 0, limit: 10 })).toHaveLength(3)
      })

      it('follows files that are replaced, removed and added', async () => {
        await embed('one', axes)
        expect((await near('one', vector(1, 0, 0)))[0]).toBe(texts[0])
        await put(1, 'The crane is out of order.', 2)
        expect(await near('one', vector(1, 0, 0))).not.toContain(texts[0])
        await embed('one', axes)
        expect((await near('one', vector(1, 0, 0)))[0]).toBe('The crane is out of order.')
        await store.remove('one', [1])
        expect(await near('one', vector(1, 0, 0))).not.toContain('The crane is out of order.')
      })

      it('compares only the file that it is told to', async () => {
        await embed('one', axes)
        const { hits } = await store.search('one', {
          question: 'boat',
          limit: 3,
          fileId: 2,
          vector: { model: 'one', values: vector(1, 0, 0), alpha: 0.5 },
        })
        expect(hits.map((hit) => hit.fileId)).toEqual([2])
      })
    })
  })
}
