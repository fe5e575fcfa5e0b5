import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CONVERT_LIMITS, createConverter, type Converter } from '#platform/engine/convert/converter.ts'
import { ferryPages, makePdf } from '#test/fixtures/pdf.ts'
import { inLong } from '#test/support/forms.ts'

describe('the converter', () => {
  let folder: string
  const open: Converter[] = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footbridge-convert-'))
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((converter) => converter.close()))
    await rm(folder, { recursive: true, force: true })
  })

  const create = (limits: Partial<typeof CONVERT_LIMITS> = {}) => {
    const converter = createConverter(join(folder, 'work'), { ...CONVERT_LIMITS, ...limits })
    open.push(converter)
    return converter
  }
  const save = async (bytes: Uint8Array) => {
    const path = join(folder, 'document')
    await writeFile(path, bytes)
    return path
  }

  it('writes a line a page and cleans up', async () => {
    const pages = await create().convertPdf(await save(await makePdf(ferryPages)))
    const lines = (await readFile(pages.path, 'utf8')).trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { page: number }).page)).toEqual([1, 2, 3])
    await pages.done()
    expect(await readdir(join(folder, 'work'))).toEqual([])
  })

  it('gives its child what Node compiled before, and nothing else of the environment', async () => {
    const pages = await create().convertPdf(await save(await makePdf(ferryPages)))
    await pages.done()
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ')
    const told = children
      .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('convert/child.ts'))
      .map((pid) =>
        readFileSync(`/proc/${pid}/environ`, 'utf8')
          .match(/(?<=^|\0)\w+/g)
          ?.toSorted(),
      )
    expect(told.at(-1)).toEqual(['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'NODE_COMPILE_CACHE'])
  })

  it('leaves pages without text out and keeps the numbers of the others', async () => {
    const pages = await create().convertPdf(
      await save(await makePdf([{ text: 'one' }, { text: '' }, { text: 'three' }])),
    )
    expect(pages.pages).toBe(2)
    expect(await readFile(pages.path, 'utf8')).toMatch(/"page":1.*\n.*"page":3/)
    await pages.done()
  })

  it('reads every page of a long document', inLong, async () => {
    const many = Array.from({ length: 1100 }, (_, index) => ({ text: `Page ${index + 1}` }))
    const path = await save(await makePdf(many))
    const converter = create()
    const pages = await converter.convertPdf(path)
    expect(pages.pages).toBe(1100)
    await pages.done()
    const result = await converter.convertDocument({
      path,
      name: 'long.pdf',
      query: { response_type: 'markdown', extract_tables_as_images: false, image_resolution_scale: 1 },
    })
    expect(result.markdown).toMatch(/<!-- page 1100 -->\n\nPage 1100$/)
  })

  it('refuses too many pages, and goes on with the next document', async () => {
    const converter = create({ pages: 2 })
    await expect(converter.convertPdf(await save(await makePdf(ferryPages)))).rejects.toThrow('too many pages')
    const pages = await converter.convertPdf(await save(await makePdf(ferryPages.slice(0, 2))))
    expect(pages.pages).toBe(2)
    await pages.done()
  })

  it('kills what takes too long, and goes on with the next document', async () => {
    // They take longer than the start of the process that takes the place of the one that gives way.
    const many = Array.from({ length: 2000 }, (_, index) => ({
      text: `Page ${index}. ${'Words and words. '.repeat(20)}`,
    }))
    const path = await save(await makePdf(many))
    await expect(create({ timeoutMs: 5 }).convertPdf(path)).rejects.toThrow('takes too long')
    expect(await readdir(join(folder, 'work'))).toEqual([])
  })

  it('kills what takes too much memory', async () => {
    const path = await save(await makePdf(ferryPages))
    // Any Node process is larger than this.
    const converter = create({ memoryBytes: 1 })
    const many = Array.from({ length: 400 }, (_, index) => ({
      text: `Page ${index}. ${'Words and words. '.repeat(150)}`,
    }))
    await writeFile(path, await makePdf(many))
    await expect(converter.convertPdf(path)).rejects.toThrow('too much memory')
  })

  it('stops when it is asked to', async () => {
    const path = await save(await makePdf(ferryPages))
    await expect(create().convertPdf(path, AbortSignal.abort())).rejects.toThrow('stopped')
  })

  it('fails at once where no child can be started, and goes on with the next document', async () => {
    const path = await save(await makePdf(ferryPages))
    const converter = create({ timeoutMs: 60_000 })
    const { execPath } = process
    process.execPath = '/nowhere/node'
    const unstarted = converter.convertPdf(path).finally(() => (process.execPath = execPath))
    await expect(unstarted).rejects.toMatchObject({
      code: 'no-resources',
      message: expect.stringContaining('cannot start another process'),
      cause: { code: 'ENOENT' },
    })
    const pages = await converter.convertPdf(path)
    expect(pages.pages).toBe(3)
    await pages.done()
  })

  it('calls no document damaged because it closes, neither the one under way nor those that wait', async () => {
    const converter = create({ processes: 1 })
    const many = Array.from({ length: 200 }, (_, page) => ({ text: `Page ${page}. ${'Words. '.repeat(150)}` }))
    const path = await save(await makePdf(many))
    await (await converter.convertPdf(path)).done()
    const under = [converter.convertPdf(path), converter.convertPdf(path)]
    const ended = Promise.allSettled(under)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await converter.close()
    expect(await ended).toMatchObject([{ reason: { code: 'closed' } }, { reason: { code: 'closed' } }])
  })

  it('takes documents one after the other', async () => {
    const converter = create()
    const path = await save(await makePdf(ferryPages))
    const all = await Promise.all([1, 2, 3].map(() => converter.convertPdf(path)))
    expect(all.map((pages) => pages.pages)).toEqual([3, 3, 3])
    await Promise.all(all.map((pages) => pages.done()))
  })

  it('reads a short document while two long ones wait for their turns', inLong, async () => {
    const converter = create({ turnMs: 1 })
    // They take longer than the start of the process that takes the place of the one that gives way.
    const many = Array.from({ length: 2000 }, (_, index) => ({
      text: `Page ${index}. ${'Words and words. '.repeat(20)}`,
    }))
    const path = await save(await makePdf(many))
    const short = join(folder, 'short')
    await writeFile(short, await makePdf(ferryPages))
    const order: string[] = []
    const readAs = async (owner: string, file: string) => {
      const read = await converter.convertPdf(file, undefined, owner)
      order.push(owner)
      await read.done()
      return read.pages
    }
    // The processes are started first: that may take longer than reading.
    await Promise.all(['ada', 'bob', 'cleo'].map((owner) => readAs(owner, short)))
    order.length = 0
    const all = Promise.all([readAs('ada', path), readAs('bob', path), readAs('cleo', short)])
    expect(await all).toEqual([2000, 2000, 3])
    expect(order[0]).toBe('cleo')
  })

  it('refuses a result beyond its limit', async () => {
    const path = await save(Buffer.from('word '.repeat(1000)))
    const query = { response_type: 'markdown', extract_tables_as_images: false, image_resolution_scale: 1 } as const
    const converter = create({ resultCharacters: 1000 })
    await expect(converter.convertDocument({ path, name: 'a.txt', query })).rejects.toThrow('more than is allowed')
    const pdf = await save(await makePdf([{ text: 'Words and words. '.repeat(100) }]))
    await expect(converter.convertPdf(pdf)).rejects.toThrow('more than is allowed')
  })

  it('gives documents other than PDFs and images less time', async () => {
    const path = await save(Buffer.from(`<p>${'word '.repeat(1000)}`))
    const query = { response_type: 'markdown', extract_tables_as_images: false, image_resolution_scale: 1 } as const
    const converter = create({ readTimeoutMs: 5 })
    await expect(converter.convertDocument({ path, name: 'a.html', query })).rejects.toThrow('takes too long')
    const pages = await converter.convertPdf(await save(await makePdf(ferryPages)))
    await pages.done()
  })

  it('fits the memory of the container with all its processes', () => {
    const { processes, memoryBytes, renewBytes } = CONVERT_LIMITS
    expect(processes * (memoryBytes + renewBytes)).toBeLessThanOrEqual(1_800_000_000)
  })
})
