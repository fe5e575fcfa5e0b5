import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { collectionRecord, fileList } from '#platform/wire/collections.ts'
import { ferryPages, makePdf } from '#test/fixtures/pdf.ts'
import {
  collectionChat,
  inference,
  management,
  openPlatform,
  toForm,
  type PlatformOptions,
  type TestPlatform,
} from './platform.ts'

const collection = `${management}/collection/notes`
const files = `${collection}/files`

/** Takes the index thread a good while. */
const long = Array.from({ length: 20_000 }, (_, day) => `# Day ${day}\n\nThe word is walrus${day}.\n`).join('\n')

const record = async (platform: TestPlatform) =>
  collectionRecord.parse(await (await platform.call('GET', collection)).json())
const list = async (platform: TestPlatform) => fileList.parse(await (await platform.call('GET', `${files}/`)).json())
const pass = (platform: TestPlatform, signal?: AbortSignal) =>
  platform.call('POST', `${collection}/generate-index`, signal === undefined ? {} : { signal })
/** Looks without asking over HTTP: that would be counted. */
const until = async ({ engine, key }: TestPlatform, status: string) => {
  const user = (await engine.identify(key))?.user
  if (user === undefined) throw new Error('the first key is not known')
  while ((await engine.collections.get(user, 'notes')).index_info?.index_status !== status) await turn()
}
const fill = async (platform: TestPlatform) => {
  await platform.fill('notes', { 'a.md': '# Boathouse\n\nThe password of the boathouse is seagull.' })
  await platform.call('POST', `${files}/`, { body: toForm('file', 'long.md', long) })
}

describe('index passes', () => {
  const open: TestPlatform[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((platform) => platform.close()))
  })
  const start = async (options: PlatformOptions = {}) => {
    const platform = await openPlatform({ over: 'socket', ...options })
    open.push(platform)
    return platform
  }
  it('let reads through at once, hold changes back and refuse them with a time, and refuse another pass', async () => {
    const platform = await start({ writeWaitMs: 50 })
    await fill(platform)
    const running = pass(platform)
    await until(platform, 'PROCESSING')
    const reads = await Promise.all([
      platform.call('GET', `${management}/collection/`),
      platform.call('GET', `${files}/`),
      platform.call('GET', `${files}/a.md/download`),
      platform.call('POST', '/v1/chat/completions', {
        json: collectionChat('What is the password of the boathouse?'),
        headers: inference,
      }),
    ])
    expect(reads.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await reads[3]?.text()).toContain('seagull')
    const again = await pass(platform)
    expect(again.status).toBe(409)
    expect(await again.json()).toMatchObject({
      error: { code: 'pass_running', message: 'An index pass of notes is running already: wait for its end.' },
    })
    const changes = await Promise.all([
      platform.call('POST', `${files}/`, { body: toForm('file', 'b.md', '# B') }),
      platform.call('PUT', `${files}/a.md`, { body: toForm('file', 'a.md', '# B') }),
      platform.call('DELETE', `${files}/a.md`),
      platform.call('DELETE', `${collection}/delete-index`),
      platform.call('DELETE', collection),
    ])
    for (const refused of changes) {
      expect(refused.status).toBe(423)
      expect(refused.headers.get('retry-after')).toBe('1')
      expect(await refused.json()).toMatchObject({
        detail: 'The collection is being indexed: try again in a few seconds.',
      })
    }
    // All of this was while it ran: else it would show nothing.
    expect((await record(platform)).index_info?.index_status).toBe('PROCESSING')
    expect((await running).status).toBe(200)
    expect(await list(platform)).toMatchObject([{ name: 'a.md' }, { name: 'long.md' }])
  })

  it('let a change through as soon as they are over', async () => {
    const platform = await start()
    await fill(platform)
    const running = pass(platform)
    await until(platform, 'PROCESSING')
    const removed = platform.call('DELETE', `${files}/long.md`)
    const uploaded = platform.call('POST', `${files}/`, { body: toForm('file', 'b.md', '# B') })
    expect((await running).status).toBe(200)
    expect((await removed).status).toBe(200)
    expect((await uploaded).status).toBe(201)
    expect(await list(platform)).toMatchObject([
      { name: 'a.md', index_info: { index_status: 'INDEXED' } },
      { name: 'b.md', index_info: null },
    ])
    expect((await record(platform)).index_info).toMatchObject({ index_status: 'NOT_INDEXED' })
  })

  it('leave a file for the next one where no process can be started to read it', async () => {
    const platform = await start()
    await platform.fill('notes', { 'a.md': '# Boathouse' })
    await platform.call('POST', `${files}/`, { body: toForm('file', 'h.pdf', await makePdf(ferryPages)) })
    const { execPath } = process
    process.execPath = '/nowhere/node'
    const failed = await pass(platform).finally(() => (process.execPath = execPath))
    expect(failed.status).toBe(503)
    expect(failed.headers.get('retry-after')).toBe('5')
    expect(await failed.json()).toMatchObject({
      error: { code: 'no_resources', message: expect.stringContaining('cannot start another process') },
    })
    expect(await list(platform)).toMatchObject([{ index_info: { index_status: 'INDEXED' } }, { index_info: null }])
    expect((await pass(platform)).status).toBe(200)
    expect(await list(platform)).toMatchObject([{}, { name: 'h.pdf', index_info: { index_status: 'INDEXED' } }])
  })

  it('try again what failed, with its reason until then', async () => {
    const first = await start({ convert: { pages: 1 } })
    await first.fill('notes', { 'h.pdf': await makePdf(ferryPages) })
    expect(await list(first)).toMatchObject([
      { index_info: { index_status: 'ERROR', chunks_indexed: 0, error_msg: expect.stringMatching(/page/) } },
    ])
    expect((await record(first)).index_info).toMatchObject({
      index_status: 'ERROR',
      error_msg: expect.stringMatching(/^h\.pdf: /),
    })
    expect(await (await pass(first)).json()).toMatchObject({
      message: expect.stringMatching(/failed: 1;.* The file list says why/),
    })
    await first.engine.close()
    const second = await start({ dataDir: first.dataDir })
    expect(await list(second)).toMatchObject([{ index_info: { index_status: 'ERROR' } }])
    expect(await (await pass(second)).json()).toMatchObject({ files_indexed: 1, files_failed: 0 })
    expect(await list(second)).toMatchObject([{ index_info: { index_status: 'INDEXED', error_msg: null } }])
    expect((await record(second)).index_info).toMatchObject({ index_status: 'INDEXED', error_msg: null })
  })

  it('wait for changes that came before them', async () => {
    const platform = await start()
    await platform.fill('notes', {})
    const many = Array.from({ length: 20 }, (_, index) =>
      platform.call('POST', `${files}/`, { body: toForm('file', `${index}.md`, `# ${index}\n\ntext`) }),
    )
    const passes = await Promise.all([Promise.all(many), pass(platform), pass(platform)])
    expect(passes[0].map(({ status }) => status)).toEqual(many.map(() => 201))
    const answers = [passes[1].status, passes[2].status]
    expect(answers).toContain(200)
    expect(answers.filter((status) => status !== 200 && status !== 409)).toEqual([])
    await pass(platform)
    expect((await record(platform)).index_info).toMatchObject({ index_status: 'INDEXED', total_files_indexed: 20 })
  })
})
