import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CountedPostings, findBest, isCommon, type Postings, sizeOf } from '#platform/engine/search/postings.ts'
import {
  type IndexReader,
  type IndexWriter,
  openIndexReader,
  openIndexWriter,
} from '#platform/engine/storage/sqlite/index/database.ts'
import { readFiles } from '#platform/engine/storage/sqlite/index/read/read-files.ts'
import { readPlaces, readPostings } from '#platform/engine/storage/sqlite/index/postings.ts'
import { putFiles, removeFiles } from '#platform/engine/storage/sqlite/index/write.ts'

const inOrder = (found: readonly unknown[]) => found.map(String).toSorted((one, other) => one.localeCompare(other))

const words = ['walrus', 'ferry', 'lamp', 'tower']

/** As a test reads them. */
function toCounted(postings: Postings): CountedPostings {
  if (isCommon(postings)) throw new Error('These are counted.')
  return postings
}

const toPostings = (entries: Readonly<Record<number, number>>): CountedPostings => ({
  places: Uint32Array.from(Object.keys(entries), Number),
  counts: Uint8Array.from(Object.values(entries)),
})

describe('postings', () => {
  let folder: string
  let database: IndexReader
  let writer: IndexWriter
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footbridge-postings-'))
    const opened = openIndexWriter(join(folder, 'one.sqlite'))
    const reader = openIndexReader(join(folder, 'one.sqlite'))
    if (opened === 'stale' || reader === undefined) throw new Error('A new index cannot be of another version.')
    writer = opened
    database = reader
  })
  afterEach(async () => {
    database.close()
    writer.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** A file with one chunk a text. */
  const put = async (id: number, texts: readonly string[]) => {
    const path = join(folder, `${id}.md`)
    await writeFile(path, texts.map((text) => `# Part\n\n${text}`).join('\n\n'))
    const files = [{ id, revision: 1, name: `${id}.md`, source: { kind: 'markdown', path } }] as const
    return putFiles(writer, files, { parts: readFiles(files), end: () => undefined })
  }
  const bodyAt = (id: number) => database.read('SELECT body FROM chunk WHERE id = ?').get(id)?.['body']

  it('name the chunks that hold a word and how often, a heading three times, whatever was deleted before', async () => {
    const files = new Map<number, readonly string[]>()
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }), { maxLength: 4 }),
        async (file, chunks) => {
          const texts = chunks.map((chunk) => chunk.join(' '))
          if (texts.length === 0) removeFiles(writer, [file])
          else await put(file, texts)
          files.delete(file)
          if (texts.length > 0) files.set(file, texts)
          const places = readPlaces(database, 3)
          const all = [...files.values()].flat()
          expect(places.total).toBe(all.length)
          for (const word of words) {
            const found = toCounted(readPostings(database, places, word))
            const told = Array.from(found.places, (place, at) => [
              String(bodyAt(places.idAt(place))).replace('# Part\n\n', ''),
              found.counts[at],
            ])
            const real = all.filter((text) => text.includes(word)).map((text) => [text, text.split(word).length - 1])
            expect(inOrder(told)).toEqual(inOrder(real))
          }
          for (const [id, own] of files) {
            const { from, to } = places.rangeOf(id)
            expect(to - from).toBe(own.length)
          }
        },
      ),
      { numRuns: 40 },
    )
    await put(9, ['Nothing of it.'])
    const places = readPlaces(database, 3)
    // As a word of the heading, which contains the file's own name.
    expect([...toCounted(readPostings(database, places, '9')).counts]).toEqual([3])
  })

  it('of a common word are the same chunks, uncounted, and rank as if each held it once', async () => {
    const texts = Array.from({ length: 80 }, (_, at) => (at % 3 === 0 ? 'walrus lamp' : at === 70 ? 'lamp' : 'ferry'))
    await put(1, texts)
    await put(2, ['walrus'])
    removeFiles(writer, [2])
    const places = readPlaces(database, 2)
    const common = readPostings(database, places, 'walrus', 1)
    expect([isCommon(common), sizeOf(common)]).toEqual([true, 27])
    const range = { from: 0, to: places.total }
    const best = (...postings: readonly Postings[]) => findBest(places.norms, [{ weight: 1, postings }], 80, range)
    const once = readPostings(database, places, 'walrus')
    expect(best(common)).toEqual(best(once))
    // Two forms of a word, one of them common.
    const lamp = readPostings(database, places, 'lamp')
    expect(best(common, lamp)).toEqual(best(once, lamp))
    expect(best(common, lamp)).toHaveLength(28)
    expect(findBest(places.norms, [{ weight: 1, postings: [common] }], 80, { from: 30, to: 36 })).toEqual([30, 33])
  })

  it('make the same order as adding up the BM25 of every chunk', async () => {
    await put(1, ['walrus', 'walrus ferry', 'ferry lamp', 'tower walrus walrus', 'lamp lamp lamp ferry'])
    const places = readPlaces(database, 2)
    const lookups = [
      { weight: 2, postings: [readPostings(database, places, 'walrus'), toPostings({ 2: 1 })] },
      { weight: 1, postings: [readPostings(database, places, 'ferry')] },
    ]
    const counts = [
      [1, 1, 1, 2, 0],
      [0, 1, 1, 0, 1],
    ]
    const real = [0, 1, 2, 3, 4].map((place) =>
      counts.reduce((sum, one, at) => {
        const count = one[place] ?? 0
        return sum + ((at === 0 ? 2 : 1) * count) / (count + (places.norms[place] ?? 0))
      }, 0),
    )
    const order = [0, 1, 2, 3, 4].toSorted((one, other) => (real[other] ?? 0) - (real[one] ?? 0))
    expect(findBest(places.norms, lookups, 5, { from: 0, to: 5 })).toEqual(order)
    expect(findBest(places.norms, lookups, 2, { from: 0, to: 5 })).toEqual(order.slice(0, 2))
    expect(findBest(places.norms, lookups, 5, { from: 2, to: 4 })).toEqual(
      order.filter((place) => place === 2 || place === 3),
    )
  })
})
