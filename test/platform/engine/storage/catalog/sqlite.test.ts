import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openSqliteCatalog } from '#platform/engine/storage/sqlite/catalog.ts'
import { describeCatalog } from './suite.ts'

describeCatalog('the catalog in SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'footbridge-catalog-'))
  const catalog = openSqliteCatalog(join(folder, 'platform.sqlite'))
  return {
    ...catalog,
    async close() {
      await catalog.close()
      await rm(folder, { recursive: true })
    },
  }
})

it('a request is counted on file before it is answered, also the last ones before the end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'footbridge-catalog-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'platform.sqlite')
  const [catalog, beside] = [openSqliteCatalog(path), openSqliteCatalog(path)]
  onTestFinished(() => beside.close())
  const user = await catalog.users.first(1)
  await catalog.keys.setFirst(user.id, { hash: 'h', holder: 'here', machine: 'one' }, 1)
  const id = (await catalog.keys.byHash('h'))?.id ?? 0
  const windows = [{ span: 'minute', startsAt: 60, most: undefined }] as const
  await Promise.all(Array.from({ length: 50 }, () => catalog.quotas.take(id, windows)))
  await catalog.quotas.stored()
  expect(await beside.quotas.used(id, windows)).toEqual([50])
  const last = catalog.quotas.take(id, windows)
  await catalog.close()
  expect(await beside.quotas.used(id, windows)).toEqual([51])
  expect((await last).used).toEqual([51])
})
