import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteCatalog } from '../../../../../src/platform/engine/storage/sqlite/catalog.ts'
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
