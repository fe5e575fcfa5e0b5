import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { move } from '#move/move.ts'
import { createEngine } from '#platform/engine/engine.ts'
import { openStorage } from '#platform/engine/storage/open-storage.ts'
import { openStore } from '#store/store.ts'
import { createScene, outgoing } from '../adapters/web/scene.ts'
import { createLogSink } from '../platform/server/platform.ts'
import { startCluster } from '../support/postgres/cluster.ts'
import { measure, type Row } from './row.ts'

const conversation = { adapter: 'web', workspace: 'local', channel: 'general', direct: false }
const { log } = createLogSink()

/** Files of the platform in ten collections, with passages and vectors. */
export async function fillPlatform(dataDir: string, files: number): Promise<{ readonly passages: number }> {
  const engine = await createEngine({ log, dataDir })
  const user = (await engine.identify(engine.firstKey.key))?.user
  if (user === undefined) throw new Error('the first key is not known')
  for (let at = 0; at < Math.min(10, files); at += 1) {
    const collection = `notes ${at}`
    await engine.collections.create(user, collection)
    for (let file = at; file < files; file += 10) {
      const text = `# Note ${file}\n\n${`Größe ${file}: the walrus sleeps on pier ${file % 97}. `.repeat(5 + (file % 60))}`
      const content = await engine.files.receive([new TextEncoder().encode(text)])
      await engine.files.upload(user, collection, { name: `note ${file}.md`, content })
    }
    await engine.collections.generateIndex(user, collection)
  }
  await engine.close()
  const folder = join(dataDir, 'platform')
  const { catalog, index, ...storage } = await openStorage({ folder, work: folder, databaseUrl: undefined, log })
  let passages = 0
  for (const { indexName } of await catalog.collections.all())
    for (let after = 0; ;) {
      const bare = await index.bare(indexName, { model: 'small', after, limit: 500 })
      if (bare.length === 0) break
      const vectors = bare.map(({ id, fileId }) => ({ id, fileId, vector: Float32Array.of(1, id % 7, -fileId, 0.1) }))
      await index.vectors(indexName, { model: 'small', vectors })
      passages += bare.length
      after = bare.at(-1)?.id ?? after
    }
  await index.close()
  await storage.close()
  return { passages }
}

/** Messages of the page, and as many that answers were made from. */
export async function fillMessages(dataDir: string, messages: number): Promise<void> {
  const scene = await createScene({ dataDir, password: 'harbour-gate-42' })
  for (let at = 0; at < messages; at += 1) await scene.adapter.post(conversation, outgoing(`Größe ${at}`))
  await scene.adapter.stop()
  const store = openStore(dataDir)
  for (let at = 0; at < messages; at += 1)
    await store.history.append(`queue ${at % 500}`, 'c', {
      messageId: `m${at}`,
      role: 'user',
      author: 'u',
      text: `Hello ${at}`,
      at,
    })
  store.close()
}

/** A data folder goes to PostgreSQL and back: all three hold the same. */
export const moveThereAndBack = (files: number, messages: number): Promise<Row> =>
  measure('a data folder to PostgreSQL and back', async () => {
    const cluster = await startCluster()
    const [folder = '', back = ''] = await Promise.all(
      ['there', 'back'].map((name) => mkdtemp(join(tmpdir(), `footbridge-move-${name}-`))),
    )
    try {
      await fillPlatform(folder, files)
      await fillMessages(folder, messages)
      const seconds: number[] = []
      const timed = async (from: string, to: string) => {
        const begun = performance.now()
        const { lines } = await move(from, to)
        seconds.push(Math.round((performance.now() - begun) / 1000))
        return lines
      }
      const there = await timed(folder, cluster.url)
      const returned = await timed(cluster.url, back)
      const wrong = [...there, ...returned].filter((line) => line.startsWith('DIFF'))
      // Each line names a digest of the counted rows.
      if (there.join('\n') !== returned.join('\n')) wrong.push('the folder that came back is another one')
      const found = { different: wrong.length, 's there': seconds[0] ?? 0, 's back': seconds[1] ?? 0 }
      return { tried: `${files} files, ${messages} messages; ${there.length - 1} counts at each end`, found, wrong }
    } finally {
      await cluster.remove()
      await Promise.all([folder, back].map((path) => rm(path, { recursive: true, force: true })))
    }
  })
