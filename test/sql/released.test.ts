/** Schemas that a release has written: people have data in them, so that steps are only added. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { FILE_STEPS, PAGE_STEPS } from '#adapters/web/server/store/schema.ts'
import { openStore } from '#adapters/web/server/store/store.ts'
import { INDEX_STEPS } from '#platform/engine/storage/postgres/index/schema.ts'
import { CATALOG_STEPS } from '#platform/engine/storage/postgres/migrations.ts'
import { MIGRATIONS as CATALOG_MIGRATIONS } from '#platform/engine/storage/sqlite/catalog.ts'
import { STEPS } from '#store/postgres/migrations.ts'
import { MIGRATIONS } from '#store/sqlite/migrations.ts'

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

it.each([
  ['bridge.sqlite', MIGRATIONS, ['4198c1db71a663c6']],
  ['footbridge_bridge', STEPS, ['27da25e2699f28f8']],
  ['web.sqlite', FILE_STEPS, ['1c66fac8df49dcf3']],
  ['footbridge_page', PAGE_STEPS, ['90b38084a24f7890']],
  ['the catalog in a file', CATALOG_MIGRATIONS, ['5b173030de1e36b5']],
  ['the catalog on PostgreSQL', CATALOG_STEPS, ['f7a8852f8165a8c6']],
  ['the index on PostgreSQL', INDEX_STEPS, ['39a44932e7b59837']],
])('keeps the steps that version 1.0.0 wrote: %s', (_, steps, released) => {
  expect(steps.slice(0, released.length).map(digestOf)).toEqual(released)
})

it('takes the page of version 1.0.0 on, with what was said in it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'footbridge-released-'))
  try {
    const before = new DatabaseSync(join(folder, 'web.sqlite'))
    before.exec(FILE_STEPS[0] ?? '')
    before.exec(`PRAGMA user_version = 1;
      INSERT INTO channels (id, name, direct, created_at) VALUES ('c1', 'team', 0, 5), ('c2', 'direct', 0, 6);
      INSERT INTO messages (id, channel, ours, author_id, author_name, kind, text, body, sent_at)
      VALUES ('m1', 'direct', 0, 'p', 'Ada', 'text', 'Where is it?', '{}', 7)`)
    before.close()
    const store = openStore(folder, Date.now)
    const old = { id: 'direct', name: 'Direct question', usedAt: 7 }
    expect(await store.channels.chats()).toEqual([expect.objectContaining(old)])
    expect((await store.channels.list()).map(({ name }) => name)).toEqual(['general', 'team', 'direct'])
    expect(await store.channels.rename('c1', 'Direct question')).toBeUndefined()
    await store.channels.remove('direct')
    expect((await store.channels.newChat()).name).toBe('')
    store.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
