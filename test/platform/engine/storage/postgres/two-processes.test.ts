import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { collectionRecord, fileList } from '#platform/wire/collections.ts'
import { holdFile } from '#test/support/postgres/hold.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'
import { startServerProcess, type ServerProcess } from '#test/support/postgres/server-process.ts'

const records = async (server: ServerProcess) =>
  collectionRecord.parse(await (await server.manage('GET', 'notes')).json())
const states = async (server: ServerProcess) =>
  fileList
    .parse(await (await server.manage('GET', 'notes/files/')).json())
    .map((file) => file.index_info?.index_status ?? null)
const statusOf = async (answer: Promise<Response>) => (await answer).status

/** A pass has a step for each file. */
async function fill(server: ServerProcess, files: number) {
  expect(await statusOf(server.manage('POST', '', { json: { name: 'notes' } }))).toBe(201)
  for (let day = 0; day < files; day += 1) {
    const text = `# Day ${day}\n\nThe word of day ${day} is walrus${day}.\n\n${'Fog, and no ship. '.repeat(300)}`
    expect(await statusOf(server.upload('notes', `${day}.md`, text))).toBe(201)
  }
}
/** Resolves when this many files are indexed, as this server sees it. */
async function untilIndexed(server: ServerProcess, count: number) {
  while ((await states(server)).filter((state) => state === 'INDEXED').length < count) await delay(5)
}

describe('two server processes on one database', () => {
  const postgres = usePostgres()
  const open: ServerProcess[] = []
  let databaseUrl: string
  beforeEach(async () => {
    databaseUrl = await postgres.database()
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()))
  })

  type Settings = Omit<Parameters<typeof startServerProcess>[0], 'databaseUrl'>
  async function start(count: number, settings: Settings = {}): Promise<ServerProcess[]> {
    const started = await Promise.all(
      Array.from({ length: count }, () => startServerProcess({ ...settings, databaseUrl })),
    )
    open.push(...started)
    return started
  }
  async function startTwo(settings: Settings = {}): Promise<readonly [ServerProcess, ServerProcess]> {
    const [one, other] = await start(2, settings)
    if (one === undefined || other === undefined) throw new Error('not started')
    return [one, other]
  }
  it('come up together on an empty database, each with its own first key, good for all', async () => {
    const servers = await start(3)
    const keys = servers.map((server) => server.key)
    expect(new Set(keys).size).toBe(3)
    for (const server of servers) {
      const answers = keys.map((key) => statusOf(server.manage('GET', '', { key })))
      expect(await Promise.all(answers)).toEqual([200, 200, 200])
    }
  })

  it('serve the same collections: made and indexed in one, read and asked in the other', async () => {
    const [one, other] = await startTwo()
    await fill(one, 2)
    await one.upload('notes', 'boat.md', '# Boathouse\n\nThe password of the boathouse is seagull.')
    expect(await statusOf(one.manage('POST', 'notes/generate-index'))).toBe(200)
    expect(await records(other)).toEqual(await records(one))
    expect((await records(other)).index_info).toMatchObject({ index_status: 'INDEXED' })
    const bytes = await (await other.manage('GET', 'notes/files/boat.md/download')).text()
    expect(bytes).toBe('# Boathouse\n\nThe password of the boathouse is seagull.')
    const question = 'What is the password of the boathouse?'
    expect(await other.ask('notes', question)).toContain('seagull')

    // Replaced there, it stops being retrieved here at once.
    const body = new FormData()
    body.append('file', new File(['# Boathouse\n\nThe password of the boathouse is cormorant.'], 'boat.md'))
    expect(await statusOf(other.manage('PUT', 'notes/files/boat.md', { body }))).toBe(200)
    expect(await one.ask('notes', question)).not.toContain('seagull')
    expect(await statusOf(other.manage('POST', 'notes/generate-index'))).toBe(200)
    expect(await one.ask('notes', question)).toContain('cormorant')
    expect(await statusOf(other.manage('DELETE', 'notes'))).toBe(200)
    expect(await statusOf(one.manage('GET', 'notes'))).toBe(404)
  })

  it('run one pass at a time: in the other, reads answer, writes wait and get 423, a second trigger 409', async () => {
    const [one, other] = await startTwo({ writeWaitMs: 150 })
    await fill(one, 30)
    const letGo = await holdFile(databaseUrl, '15.md')
    const pass = one.manage('POST', 'notes/generate-index')
    await untilIndexed(other, 3)
    const [second, write, record, list, download] = await Promise.all([
      other.manage('POST', 'notes/generate-index'),
      other.upload('notes', 'late.md', '# Late'),
      records(other),
      states(other),
      statusOf(other.manage('GET', 'notes/files/0.md/download')),
    ])
    expect(second.status).toBe(409)
    expect(await second.json()).toMatchObject({ error: { code: 'pass_running' } })
    expect([write.status, write.headers.get('retry-after')]).toEqual([423, '1'])
    expect(record.index_info).toMatchObject({ index_status: 'PROCESSING' })
    expect(list).toContain(null)
    expect(download).toBe(200)
    expect(await other.ask('notes', 'What is the word of day 0?')).toContain('walrus0')
    await letGo()
    expect(await statusOf(pass)).toBe(200)
    expect((await records(other)).index_info).toMatchObject({ index_status: 'INDEXED', total_files_indexed: 30 })
    expect(await other.ask('notes', 'What is the word of day 29?')).toContain('walrus29')
    expect(await statusOf(other.upload('notes', 'late.md', '# Late'))).toBe(201)
  })

  it('let a change wait for the pass in the other process', async () => {
    const [one, other] = await startTwo()
    await fill(one, 10)
    const letGo = await holdFile(databaseUrl, '5.md')
    const pass = one.manage('POST', 'notes/generate-index')
    await untilIndexed(other, 1)
    const late = other.upload('notes', 'late.md', '# Late')
    await letGo()
    expect(await statusOf(late)).toBe(201)
    expect(await statusOf(pass)).toBe(200)
    // It waited for the end: the pass did not see it.
    expect((await states(one)).filter((state) => state === null)).toHaveLength(1)
  })

  it('lose nothing when one is killed in the middle of a pass: the other takes it up at once', async () => {
    const [one, other] = await startTwo()
    await fill(one, 30)
    const letGo = await holdFile(databaseUrl, '15.md')
    const pass = one.manage('POST', 'notes/generate-index').catch((error: unknown) => error)
    await untilIndexed(other, 5)
    await one.kill()
    await pass
    await letGo()
    const left = (await states(other)).filter((state) => state !== 'INDEXED').length
    expect(left).toBeGreaterThan(0)
    const again = await other.manage('POST', 'notes/generate-index')
    expect(again.status).toBe(200)
    expect((await records(other)).index_info).toMatchObject({ index_status: 'INDEXED', total_files_indexed: 30 })
    for (const day of [0, 15, 29]) {
      expect(await other.ask('notes', `What is the word of day ${day}?`)).toContain(`walrus${day}`)
    }
  })

  it('count the requests of a key together, exactly, and remember them', async () => {
    const settings = { quota: { month: 60 }, firstKey: 'shared-by-both' }
    const [one, other] = await startTwo(settings)
    const asked = [one, other].flatMap((server) =>
      Array.from({ length: 50 }, () => statusOf(server.call('GET', '/v1/models'))),
    )
    const answers = await Promise.all(asked)
    expect(answers.filter((status) => status === 200)).toHaveLength(60)
    expect(answers.filter((status) => status === 429)).toHaveLength(40)
    await Promise.all(open.splice(0).map((server) => server.close()))
    const [third] = await start(1, settings)
    expect(await third?.call('GET', '/v1/models').then((answer) => answer.status)).toBe(429)
    const probe = await third?.call('GET', '/v1/chat/completions')
    expect(probe?.headers.get('x-ratelimit-remaining-month')).toBe('0')
  })
})
