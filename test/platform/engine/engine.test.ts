import { fork } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createEngine, type Engine, type EngineOptions } from '#platform/engine/engine.ts'
import { CATALOG_SCHEMA } from '#platform/engine/storage/sqlite/catalog.ts'
import { ferryPages, makePdf } from '#test/fixtures/pdf.ts'
import { PATIENCE } from '#test/support/patience.ts'
import { bindPages, makePictures, makeScan } from '#test/fixtures/scan.ts'
import { createLogSink } from '../server/platform.ts'
import { inLong } from '#test/support/forms.ts'

const encode = (text: string) => new TextEncoder().encode(text)

describe('the engine', () => {
  let dataDir: string
  const open: Engine[] = []
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'footbridge-engine-'))
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((engine) => engine.close()))
    await rm(dataDir, { recursive: true, force: true })
  })

  const start = async (options: Partial<EngineOptions> = {}) => {
    const engine = await createEngine({ log: createLogSink().log, ...options, dataDir })
    open.push(engine)
    const key = await engine.identify(engine.firstKey.key)
    if (key === undefined) throw new Error('the first key is not known')
    return { engine, user: key.user, key }
  }
  const found = async ({ engine, user }: Awaited<ReturnType<typeof start>>, question: string) => {
    const collection = await engine.collections.require(user, 'notes')
    return (await engine.retrieve([collection], { question, limit: 3 })).passages
  }

  it('makes a first key once, keeps it readable to its owner only, and stores no more than its hash', async () => {
    const first = await start()
    expect(first.engine.firstKey).toEqual({ key: expect.stringMatching(/^fb-[\w-]{43}$/), created: true })
    expect((await stat(join(dataDir, 'platform-key'))).mode & 0o777).toBe(0o600)
    await first.engine.close()
    const second = await start()
    expect(second.engine.firstKey).toEqual({ key: first.engine.firstKey.key, created: false })
    const database = await readFile(join(dataDir, 'platform', 'platform.sqlite'), 'latin1')
    expect(database).not.toContain(first.engine.firstKey.key)
    expect(await second.engine.identify('fb-wrong')).toBeUndefined()
  })

  it('takes a given key in place of the first one', async () => {
    const first = await start()
    const { key } = first.engine.firstKey
    await first.engine.close()
    const second = await start({ firstKey: 'from-outside' })
    expect(second.engine.firstKey).toEqual({ key: 'from-outside', created: false })
    expect(await second.engine.identify(key)).toBeUndefined()
  })

  it('indexes anew at its start what an earlier version indexed, or what is lost', async () => {
    const first = await start()
    await first.engine.collections.create(first.user, 'notes')
    const content = await first.engine.files.receive([encode('The walrus sleeps.')])
    await first.engine.files.upload(first.user, 'notes', { name: 'a.md', content })
    await first.engine.collections.generateIndex(first.user, 'notes')
    const { indexName } = await first.engine.collections.require(first.user, 'notes')
    await first.engine.close()
    await rm(join(dataDir, 'platform', 'index', `${indexName}.sqlite`))
    const second = await start()
    await vi.waitFor(async () => expect(await found(second, 'walrus')).toHaveLength(1), PATIENCE)
  })

  it('refuses a second one on the same folder with a sentence', async () => {
    await start()
    await expect(start()).rejects.toThrow(/already running on .*DATA_DIR/)
    await open[0]?.close()
    await expect(start()).resolves.toBeDefined()
  })

  it('has everything again after a restart', inLong, async () => {
    const first = await start()
    await first.engine.collections.create(first.user, 'notes')
    const content = await first.engine.files.receive([await makePdf(ferryPages)])
    await first.engine.files.upload(first.user, 'notes', { name: 'h.pdf', content })
    await first.engine.collections.generateIndex(first.user, 'notes')
    const before = await first.engine.collections.get(first.user, 'notes')
    await first.engine.close()
    const second = await start()
    expect(await second.engine.collections.get(second.user, 'notes')).toEqual(before)
    expect(await found(second, 'When does the ferry leave?')).toMatchObject([{ file: 'h.pdf', place: 'p.2' }])
  })

  it(
    'reads scans in a collection, shows which page it is at, and which pages the time did not allow',
    { ...inLong, timeout: 120_000 },
    async () => {
      const recognition = { languages: ['eng'], pageMs: 120_000, totalMs: 120_000 }
      const first = await start({ convert: { recognition } })
      const { engine, user } = first
      await engine.collections.create(user, 'notes')
      const content = await engine.files.receive([await makeScan(ferryPages)])
      await engine.files.upload(user, 'notes', { name: 'h.pdf', content })
      const infos = async () => (await engine.files.list(user, 'notes')).map(({ index_info }) => index_info)
      const pass = engine.collections.generateIndex(user, 'notes')
      await expect.poll(infos, { interval: 20, timeout: 60_000 }).toMatchObject([{ progress: { page: 2, pages: 3 } }])
      await pass
      expect(await infos()).toMatchObject([{ index_status: 'INDEXED', error_msg: null }])
      expect(await found(first, 'When does the ferry leave?')).toMatchObject([{ file: 'h.pdf', place: 'p.2' }])
      await engine.close()
      const hurried = await start({ convert: { recognition: { ...recognition, totalMs: 1 } } })
      const [scan = Buffer.alloc(0)] = await makePictures(ferryPages.slice(0, 1))
      const mixed = await hurried.engine.files.receive([await bindPages(['The ferry leaves at nine.', scan])])
      await hurried.engine.files.replace(user, 'notes', { name: 'h.pdf', content: mixed })
      await hurried.engine.collections.generateIndex(user, 'notes')
      const [file] = await hurried.engine.files.list(user, 'notes')
      expect(file?.index_info).toMatchObject({
        index_status: 'INDEXED',
        error_msg: expect.stringMatching(/^Page 2 is a/),
      })
    },
  )

  it('refuses the data of a newer version and lets go of the folder', async () => {
    await (await start()).engine.close()
    const path = join(dataDir, 'platform', 'platform.sqlite')
    const database = new DatabaseSync(path)
    database.exec('PRAGMA user_version = 99')
    database.close()
    await expect(start()).rejects.toThrow('newer Footbridge')
    const again = new DatabaseSync(path)
    again.exec(`PRAGMA user_version = ${CATALOG_SCHEMA.steps.length}`)
    again.close()
    await expect(start()).resolves.toBeDefined()
  })

  it('runs one pass at a time, goes on when the caller is gone, and lets changes wait until they are refused', async () => {
    const { engine, user } = await start({ writeWaitMs: 20 })
    await engine.collections.create(user, 'notes')
    for (let index = 0; index < 60; index += 1) {
      await engine.files.upload(user, 'notes', {
        name: `${index}.md`,
        content: await engine.files.receive([encode(`# Walrus\n\n${'The walrus sleeps. '.repeat(400)}`)]),
      })
    }
    const pass = engine.collections.generateIndex(user, 'notes')
    await new Promise((resolve) => setImmediate(resolve))
    await expect(engine.collections.generateIndex(user, 'notes')).rejects.toMatchObject({ code: 'conflict' })
    await expect(engine.files.remove(user, 'notes', '1.md')).rejects.toMatchObject({ code: 'locked', retryAfterMs: 20 })
    expect(await engine.collections.get(user, 'notes')).toMatchObject({ index_info: { index_status: 'PROCESSING' } })
    expect(await engine.files.list(user, 'notes')).toHaveLength(60)
    expect(await pass).toMatchObject({ indexed: 60, failed: 0 })
    expect(await engine.collections.get(user, 'notes')).toMatchObject({ index_info: { index_status: 'INDEXED' } })
    await engine.files.remove(user, 'notes', '1.md')
  })

  it('stops in the middle of a pass, and the next one finishes it', inLong, async () => {
    const first = await start()
    await first.engine.collections.create(first.user, 'notes')
    const long = Array.from({ length: 20_000 }, (_, index) => `# Day ${index}\n\nThe word is walrus${index}.\n`).join(
      '\n',
    )
    const content = await first.engine.files.receive([encode(long)])
    await first.engine.files.upload(first.user, 'notes', { name: 'long.md', content })
    const pass = first.engine.collections.generateIndex(first.user, 'notes')
    const outcome = pass.catch((error: unknown) => error)
    await new Promise((resolve) => setImmediate(resolve))
    await first.engine.close()
    expect(await outcome).toMatchObject({ code: 'closed' })
    const second = await start()
    expect(await second.engine.files.list(second.user, 'notes')).toMatchObject([{ index_info: null }])
    expect(await second.engine.collections.generateIndex(second.user, 'notes')).toMatchObject({ chunks: 20_000 })
    expect(await found(second, 'walrus19999')).toMatchObject([{ place: 'L79997-79999' }])
  })

  it('keeps collections to their owner', async () => {
    const { engine, user } = await start()
    await engine.collections.create(user, 'notes')
    const stranger = { ...user, id: user.id + 1, name: 'stranger' }
    await expect(engine.collections.readable(stranger, 'local/notes')).rejects.toMatchObject({ code: 'not-found' })
    await expect(engine.collections.get(stranger, 'notes')).rejects.toMatchObject({ code: 'not-found' })
    expect(await engine.collections.list(stranger)).toEqual([])
    await expect(engine.collections.readable(user, 'local/notes')).resolves.toBeDefined()
    await expect(engine.collections.readable(user, 'local/notes/x')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('finishes a pass that a killed process left half-way', inLong, async () => {
    const child = fork(new URL('./indexing/interrupted-pass.ts', import.meta.url), [dataDir], {
      execArgv: [],
      stdio: 'inherit',
    })
    const indexed = await new Promise<number>((resolve) => child.once('message', (count) => resolve(Number(count))))
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await exited
    expect(indexed).toBeGreaterThan(0)

    const second = await start()
    const states = (await second.engine.files.list(second.user, 'notes')).map((file) => file.index_info?.index_status)
    expect(states).toHaveLength(700)
    expect(states.filter((state) => state === 'INDEXED').length).toBeLessThan(700)
    expect(await second.engine.collections.get(second.user, 'notes')).not.toMatchObject({
      index_info: { index_status: 'PROCESSING' },
    })
    const { indexed: rest } = await second.engine.collections.generateIndex(second.user, 'notes')
    expect(rest).toBe(states.filter((state) => state !== 'INDEXED').length)
    for (const number of [0, 150, 699]) {
      const [best] = await found(second, `What is the word of day ${number}?`)
      expect(best).toMatchObject({ file: `${number}.md` })
    }
    const record = await second.engine.collections.get(second.user, 'notes')
    expect(record.index_info).toMatchObject({
      index_status: 'INDEXED',
      total_files_indexed: 700,
      total_chunks_indexed: 6700,
    })
  })
})
