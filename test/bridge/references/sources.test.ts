import { describe, expect, it, vi } from 'vitest'
import { createSources, cachingUploads, openSources } from '#bridge/references/sources.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { createFakePlatform } from '#test/support/fakes/platform.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'
import { createCache } from './shelf.ts'
import { PATIENCE } from '#test/support/patience.ts'

const file = (name: string, text: string | Uint8Array<ArrayBuffer>) => ({
  name,
  mimeType: 'text/plain',
  bytes: new Blob([text]),
})

async function setUp() {
  const bare = createFakePlatform()
  const cache = createCache()
  const log = createLogSink()
  let now = 0
  const make = () => createSources({ platform: bare, cache, clock: () => now, log })
  const sources = make()
  const platform = cachingUploads(bare, sources)
  await platform.collections.create('c')
  const asked = () => bare.script.calls.filter(({ call }) => /download|convert/.test(call)).map(({ call }) => call)
  return { bare, cache, log, sources, platform, asked, make, pass: (ms: number) => (now += ms) }
}

describe('the texts of files', () => {
  it('are kept when they are put there: nothing is asked of the platform later', async () => {
    const { sources, platform, asked, make } = await setUp()
    await platform.files.upload('c', file('a.md', 'One text.'))
    expect((await sources.read('c', 'a.md'))?.letters).toBe('onetext')
    await platform.files.replace('c', file('a.md', 'Another text.'))
    expect((await sources.read('c', 'a.md'))?.letters).toBe('anothertext')
    expect((await make().read('c', 'a.md'))?.letters).toBe('anothertext')
    expect(asked()).toEqual([])
  })

  it('go with their file', async () => {
    const { sources, platform, cache } = await setUp()
    await platform.files.upload('c', file('a.md', 'One text.'))
    await sources.read('c', 'a.md')
    await platform.files.delete('c', 'a.md')
    expect(cache.kept.size).toBe(0)
    expect(await sources.read('c', 'a.md')).toBeUndefined()
  })

  it('that were being read when their file was replaced or deleted are not kept', async () => {
    const { bare, sources, platform, cache } = await setUp()
    const readWhile = async (change: () => Promise<unknown>) => {
      const release = bare.script.hold('documents.convert')
      const reading = sources.read('c', 'a.pdf')
      await vi.waitFor(() => expect(bare.script.calls.at(-1)?.call).toBe('documents.convert'), PATIENCE)
      await change()
      release()
      await reading
    }
    await platform.files.upload('c', file('a.pdf', 'Old pages.'))
    await readWhile(() => platform.files.replace('c', file('a.pdf', 'New pages.')))
    expect((await sources.read('c', 'a.pdf'))?.letters).toContain('newpages')
    await sources.drop('c', 'a.pdf')
    await readWhile(() => platform.files.delete('c', 'a.pdf'))
    expect(cache.kept.size).toBe(0)
    expect(await sources.read('c', 'a.pdf')).toBeUndefined()
  })

  it('are told to the other processes when their file changes; where that fails, the change stands', async () => {
    const { bare, log } = await setUp()
    const told: string[] = []
    const sharing = {
      async sourceChanged(collection: string, fileName: string) {
        told.push(`${collection}/${fileName}`)
        if (told.length > 2) throw new Error('The database is away.')
      },
    }
    const services = { platform: bare, store: { sources: createCache(), sharing }, log }
    const { platform, background } = openSources(services, () => 0, new AbortController().signal)
    await platform.files.upload('c', file('a.md', 'One text.'))
    await background.files.replace('c', file('a.md', 'Another text.'))
    await platform.files.delete('c', 'a.md')
    expect(told).toEqual(['c/a.md', 'c/a.md', 'c/a.md'])
    expect(bare.script.stored('c')).toEqual([])
    expect(log.at('warn')).toHaveLength(1)
  })

  it('that were being kept when their file was replaced are dropped', async () => {
    const { bare, sources, platform, cache } = await setUp()
    await bare.files.upload('c', file('a.pdf', 'Old pages.'))
    const { promise: written, resolve: write } = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    cache.put = async (key, text) => {
      begun.resolve()
      await written
      cache.kept.set(key, text)
    }
    const reading = sources.read('c', 'a.pdf')
    await begun.promise
    await platform.files.replace('c', file('a.pdf', 'New pages.'))
    write()
    await reading
    expect(cache.kept.size).toBe(0)
  })

  it('that were read just before their file was deleted are dropped', async () => {
    const { bare, sources, platform, cache } = await setUp()
    await platform.files.upload('c', file('a.md', 'One text.'))
    const release = bare.script.hold('files.delete')
    const deleting = platform.files.delete('c', 'a.md')
    await vi.waitFor(() => expect(bare.script.calls.at(-1)?.call).toBe('files.delete'), PATIENCE)
    await sources.read('c', 'a.md')
    expect(cache.kept.size).toBe(1)
    release()
    await deleting
    expect(cache.kept.size).toBe(0)
    expect(await sources.read('c', 'a.md')).toBeUndefined()
  })

  it('of a PDF are converted once, however many ask at once', async () => {
    const { sources, platform, asked, make } = await setUp()
    await platform.files.upload('c', file('a.pdf', 'Pages.'))
    const both = await Promise.all([sources.read('c', 'a.pdf'), sources.read('c', 'a.pdf')])
    expect(both[0]).toBe(both[1])
    expect(both[0]?.letters).toContain('pages')
    await make().read('c', 'a.pdf')
    expect(asked()).toEqual(['files.download', 'documents.convert'])
  })

  it('of PDFs are read ahead, one after the other, once nothing more is put there', async () => {
    const { bare, cache, log, asked } = await setUp()
    const life = new AbortController()
    const ahead = createSources({
      platform: bare,
      background: bare,
      cache,
      clock: () => 0,
      log,
      idleMs: 1,
      signal: life.signal,
    })
    const platform = cachingUploads(bare, ahead)
    bare.script.fail('documents.convert', platformFailure('server', 'It broke.'))
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) await platform.files.upload('c', file(name, name))
    await platform.files.delete('c', 'c.pdf')
    await vi.waitFor(() => expect(cache.kept.size).toBe(1), PATIENCE)
    expect(asked()).toEqual(['files.download', 'documents.convert', 'files.download', 'documents.convert'])
    life.abort()
    await platform.files.upload('c', file('d.pdf', 'd.pdf'))
    expect((await ahead.read('c', 'b.pdf'))?.letters).toContain('bpdf')
    expect(asked()).toHaveLength(4)
  })

  it('are read in the encoding that they have', async () => {
    const { bare, sources } = await setUp()
    const encoded = (name: string, bytes: readonly number[]) =>
      bare.files.upload('c', file(name, Uint8Array.from(bytes)))
    await encoded('utf8.txt', [0xef, 0xbb, 0xbf, 0x47, 0xc3, 0xb6])
    await encoded('utf16.txt', [0xff, 0xfe, 0x47, 0, 0xf6, 0])
    await encoded('latin.txt', [0x47, 0xf6])
    for (const name of ['utf8.txt', 'utf16.txt', 'latin.txt'])
      expect((await sources.read('c', name))?.letters).toBe('gö')
  })

  it('that could not be read are an error, and asked for anew', async () => {
    const { bare, sources } = await setUp()
    await bare.files.upload('c', file('a.txt', 'Text.'))
    bare.script.fail('files.download', platformFailure('unreachable', 'Away.'))
    await expect(sources.read('c', 'a.txt')).rejects.toThrow('Away.')
    expect((await sources.read('c', 'a.txt'))?.letters).toBe('text')
  })

  it('are doubted once in ten minutes at most', async () => {
    const { sources, pass } = await setUp()
    expect(await sources.invalidate('c', 'a.txt')).toBe(true)
    expect(await sources.invalidate('c', 'a.txt')).toBe(false)
    pass(600_000)
    expect(await sources.invalidate('c', 'a.txt')).toBe(true)
  })

  it('that can not be kept stop nothing', async () => {
    const { platform, cache, log } = await setUp()
    cache.put = () => Promise.reject(new Error('The disk is full.'))
    await platform.files.upload('c', file('a.md', 'One text.'))
    expect(log.at('warn')).toHaveLength(1)
  })
})
