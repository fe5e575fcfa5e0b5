import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { fileList } from '#platform/wire/collections.ts'
import { holdFile } from '#test/support/postgres/hold.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'
import { startServerProcess, type ServerProcess } from '#test/support/postgres/server-process.ts'

const states = async (server: ServerProcess) =>
  fileList
    .parse(await (await server.manage('GET', 'notes/files/')).json())
    .map((file) => file.index_info?.index_status ?? null)

const away = {
  // Not its address: the log has that.
  detail: 'The database cannot be reached now: try again in a few seconds.',
  error: { code: 'database_unavailable', type: 'server_error' },
}

describe('a server whose database goes away', () => {
  const postgres = usePostgres({ own: true })
  let databaseUrl: string
  let server: ServerProcess | undefined
  afterEach(async () => {
    await server?.close()
  })

  async function start(): Promise<ServerProcess> {
    databaseUrl = await postgres.database()
    server = await startServerProcess({ databaseUrl })
    await server.manage('POST', '', { json: { name: 'notes' } })
    for (let day = 0; day < 80; day += 1) {
      await server.upload('notes', `${day}.md`, `# Day ${day}\n\n${`Walrus${day} sleeps. `.repeat(300)}`)
    }
    return server
  }

  it('answers 503 with a sentence, lives on, and works again when the database is back', async () => {
    const one = await start()
    const asking = Array.from({ length: 20 }, () => one.manage('GET', 'notes/files/'))
    await postgres.halt()
    for (const answer of await Promise.all(asking)) expect([200, 503]).toContain(answer.status)
    const refused = [
      await one.manage('GET', 'notes'),
      await one.upload('notes', 'late.md', '# Late'),
      await one.manage('POST', 'notes/generate-index'),
      await one.call('GET', '/v1/models'),
    ]
    for (const answer of refused) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
      expect(await answer.json()).toMatchObject(away)
    }
    expect(one.isAlive()).toBe(true)
    await postgres.resume()
    expect((await one.manage('GET', 'notes')).status).toBe(200)
    expect((await one.upload('notes', 'late.md', '# Late')).status).toBe(201)
    expect((await one.manage('POST', 'notes/generate-index')).status).toBe(200)
    expect(await states(one)).toEqual(Array.from({ length: 81 }, () => 'INDEXED'))
  })

  it('ends a pass without blaming the files, and finishes it when the database is back', async () => {
    const one = await start()
    await holdFile(databaseUrl, '40.md')
    const pass = one.manage('POST', 'notes/generate-index')
    while ((await states(one)).filter((state) => state === 'INDEXED').length < 3) await delay(5)
    await postgres.halt()
    const failed = await pass
    expect(failed.status).toBe(503)
    expect(await failed.json()).toMatchObject(away)
    await postgres.resume()
    const after = await states(one)
    expect(after).not.toContain('ERROR')
    expect(after).toContain(null)
    expect((await one.manage('POST', 'notes/generate-index')).status).toBe(200)
    expect(new Set(await states(one))).toEqual(new Set(['INDEXED']))
  })
})
