import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { move } from '#move/move.ts'
import { createEngine } from '#platform/engine/engine.ts'
import { openCatalogOnly } from '#platform/engine/storage/open-storage.ts'
import { openPostgresStore } from '#store/postgres/open-store.ts'
import { openStore } from '#store/store.ts'
import { createScene, outgoing } from '../adapters/web/scene.ts'
import { createLogSink } from '../support/fakes/log.ts'
import { usePostgres } from '../support/postgres/postgres.ts'
import { fillMessages, fillPlatform } from '../torture/move.ts'
import { inLong } from '#test/support/forms.ts'

const postgres = usePostgres()

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-move-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const conversation = { adapter: 'web', workspace: 'local', channel: 'general', direct: false }

/** A second key with a quota that is partly used, and a reader of a collection. */
async function openKeys(dataDir: string): Promise<void> {
  const engine = await createEngine({ log: createLogSink(), dataDir })
  const catalog = await openCatalogOnly({ folder: join(dataDir, 'platform'), databaseUrl: undefined })
  const made = await catalog.users.add({ name: 'ada', email: 'a@b', firstName: 'Ada', surname: 'L' }, 1)
  const first = await engine.identify(engine.firstKey.key)
  if (made === undefined || first === undefined) throw new Error('there is no user')
  await catalog.users.setQuota(made.id, { month: 500, minute: 9 })
  const key = {
    hash: 'h',
    hint: 'fb-x',
    label: 'hers',
    expiresAt: null,
    quota: { minute: 5, day: 90 },
    scope: { tools: ['search'] },
  }
  const { id } = await catalog.keys.add(made.id, key, 2)
  const windows = [
    { span: 'minute', startsAt: 60_000, most: undefined },
    { span: 'day', startsAt: 0, most: undefined },
  ]
  for (let at = 0; at < 3; at += 1) await catalog.quotas.take(id, windows)
  await engine.collections.share(first.user, 'notes 3', { visibility: 'private', users: ['ada'] })
  const content = await engine.files.receive([new TextEncoder().encode('gone')])
  await engine.files.upload(first.user, 'notes 3', { name: 'gone.md', content })
  await engine.files.remove(first.user, 'notes 3', 'gone.md')
  await engine.close()
  await catalog.close()
}

/** Something of everything, in a folder. */
async function fill(folder: string): Promise<{ readonly passages: number }> {
  const { passages } = await fillPlatform(folder, 12)
  await openKeys(folder)
  await fillMessages(folder, 600)
  const scene = await createScene({ dataDir: folder, password: 'harbour-gate-42' })
  const bytes = new Blob(['x'.repeat(1_500_000)])
  await scene.adapter.upload?.(conversation, { name: 'a.csv', mimeType: 'text/csv', bytes }, outgoing('a file'))
  await scene.adapter.stop()
  const store = openStore(folder)
  for (const id of ['one', 'two']) {
    const inbound = { kind: 'delete', key: id, conversation, messageId: id } as const
    await (
      await store.inbox.accept(inbound, { queue: 'q', message: id, dueAt: 0, now: 0 })
    ).stored
  }
  await store.inbox.claim(0, 1, true)
  await store.outbox.open({ sendId: 's', jobId: 'one', slot: 'answer.0', conversation, text: 'Hi' }, 1)
  await store.history.append('q', 'c', { messageId: 'm', role: 'user', author: 'u', text: 'Hello\0', at: 1 })
  await store.usage.add({ jobId: 'one', subject: 'u', kind: 'minutes', amount: 1.25, at: 1 })
  await store.preferences.set('c', 'model', 'small')
  await store.state('installations').set('team', { token: 'secret' })
  const original = 'dropped bytes'
  await store.originals.keep('c', createHash('sha256').update(original).digest('hex'), new Blob([original]))
  store.close()
  return { passages }
}

const ofPlatform = (lines: readonly string[]) => lines.filter((line) => line.includes(' platform '))

it('carries a data folder to PostgreSQL and back, again and again, with nothing different', async () => {
  const folder = newFolder()
  const { passages } = await fill(folder)
  const url = await postgres.database()
  const first = await move(folder, url)
  expect(first.lines.filter((line) => !line.startsWith('ok  '))).toEqual(['Both ends are the same.'])
  const said = first.lines.map((line) => line.replace(/ \(.*/, ''))
  for (const line of [
    'page messages: 601 → 601',
    'bridge job: 2 → 2',
    'bridge history: 601 → 601',
    'platform fb_user: 2 → 2',
    'platform fb_api_key: 2 → 2',
    'platform fb_collection: 10 → 10',
    'platform fb_collection_reader: 1 → 1',
    'platform fb_file: 12 → 12',
    'platform fb_quota_count: 2 → 2',
    'platform bytes: 12 → 12',
    `platform passages: ${passages} → ${passages}`,
    `platform vectors: ${passages} → ${passages}`,
  ])
    expect(said).toContain(`ok   ${line}`)
  // Broken off or not: the same again changes nothing.
  expect((await move(folder, url)).same).toBe(true)

  const work = newFolder()
  const shared = await openPostgresStore(url, work, createLogSink())
  await expect(move(url, newFolder())).rejects.toThrow(/uses this database: stop all/)
  expect(await shared.inbox.claim(5, 9, true)).toMatchObject([{ id: 'one', attempt: 2 }])
  expect(
    (
      await shared.inbox.accept(
        { kind: 'delete', key: 'new', conversation, messageId: 'x' },
        { queue: 'z', dueAt: 0, now: 9 },
      )
    ).outcome,
  ).toBe('accepted')
  expect(await shared.preferences.get('c', 'model')).toBe('small')
  expect(await shared.state('installations').get('team')).toEqual({ token: 'secret' })
  await shared.close()

  const back = newFolder()
  const second = await move(url, back)
  expect(second.lines.filter((line) => !line.startsWith('ok  '))).toEqual(['Both ends are the same.'])
  expect(second.lines.join('\n')).toContain('ok   bridge job: 3 → 3')
  // Each line names a digest of the counted rows.
  expect(ofPlatform(second.lines)).toEqual(ofPlatform(first.lines))
  const store = openStore(back)
  expect(await store.history.of('q', 9)).toMatchObject([{ text: 'Hello\u{fffd}' }])
  expect(await store.originals.collections()).toEqual(['c'])
  store.close()
})

it('names every table that SQLite keeps', inLong, async () => {
  const folder = newFolder()
  await fillPlatform(folder, 1)
  await fillMessages(folder, 1)
  const { lines } = await move(folder, await postgres.database())
  for (const [part, path] of [
    ['bridge', 'bridge.sqlite'],
    ['page', 'web.sqlite'],
    ['platform', 'platform/platform.sqlite'],
  ] as const) {
    const database = new DatabaseSync(join(folder, path))
    // `leaving` says how the last process on this folder ended: it is no data of people.
    const tables = database
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'found%' AND name <> 'leaving'",
      )
      .all()
    database.close()
    const named = lines.flatMap((line) => new RegExp(`^ok   ${part} (\\w+): `).exec(line)?.[1] ?? [])
    expect(tables.map(({ name }) => String(name)).filter((name) => !named.includes(name))).toEqual([])
  }
})
