import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEngine, type Engine, type EngineOptions } from '#platform/engine/engine.ts'
import { holdFile } from '#test/support/postgres/hold.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'
import { createLogSink } from '#test/platform/server/platform.ts'

const markdown = (text: string) => [new TextEncoder().encode(text)]

describe('two engines on one database', () => {
  const postgres = usePostgres()
  const folders: string[] = []
  const open: Engine[] = []
  let databaseUrl: string
  beforeEach(async () => {
    databaseUrl = await postgres.database()
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((engine) => engine.close()))
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
  })

  async function start(options: Partial<EngineOptions> = {}) {
    const dataDir = await mkdtemp(join(tmpdir(), 'footbridge-two-'))
    folders.push(dataDir)
    const engine = await createEngine({ log: createLogSink().log, ...options, dataDir, databaseUrl })
    open.push(engine)
    const key = await engine.identify(engine.firstKey.key)
    if (key === undefined) throw new Error('the first key is not known')
    const { user } = key
    const upload = async (name: string, text: string) =>
      engine.files.upload(user, 'notes', { name, content: await engine.files.receive(markdown(text)) })
    return { engine, user, key, upload, dataDir }
  }

  it('have the same collections, files and bytes', async () => {
    const [one, other] = await Promise.all([start(), start()])
    await one.engine.collections.create(one.user, 'notes')
    const long = `# Walrus\n\n${'The walrus sleeps. '.repeat(200_000)}`
    await one.upload('long.md', long)
    const { content, sizeBytes } = await other.engine.files.download(other.user, 'notes', 'long.md')
    expect(await new Response(content).text()).toBe(long)
    expect(sizeBytes).toBe(long.length)
    expect(await other.engine.collections.list(other.user)).toMatchObject([{ name: 'notes', file_count: 1 }])
  })

  it('stop in the middle of a pass, and the other finishes it', async () => {
    const [one, other] = await Promise.all([start(), start()])
    await one.engine.collections.create(one.user, 'notes')
    for (let day = 0; day < 40; day += 1) {
      await one.upload(`${day}.md`, `# Day ${day}\n\n${`The word is walrus${day}. `.repeat(400)}`)
    }
    const letGo = await holdFile(databaseUrl, '20.md')
    const outcome = one.engine.collections.generateIndex(one.user, 'notes').catch((error: unknown) => error)
    const indexed = async () => {
      const files = await other.engine.files.list(other.user, 'notes')
      return files.filter((file) => file.index_info?.index_status === 'INDEXED').length
    }
    while ((await indexed()) === 0) await new Promise((resolve) => setImmediate(resolve))
    const closed = one.engine.close()
    await letGo()
    await closed
    expect(await outcome).toMatchObject({ code: 'closed' })
    const before = await indexed()
    expect(before).toBeLessThan(40)
    const rest = await other.engine.collections.generateIndex(other.user, 'notes')
    expect(rest).toMatchObject({ indexed: 40 - before, failed: 0 })
  })

  it('names the kind of index in its records', async () => {
    const { engine, user, upload } = await start()
    await engine.collections.create(user, 'notes')
    await upload('a.md', '# Walrus')
    await engine.collections.generateIndex(user, 'notes')
    expect((await engine.collections.get(user, 'notes')).index_info?.vector_db_version).toBe('postgres-1')
  })
})
