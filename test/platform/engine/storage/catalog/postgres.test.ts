import { openPostgresCatalog } from '#platform/engine/storage/postgres/storage.ts'
import { usePostgres } from '#test/support/postgres/postgres.ts'
import { describeCatalog } from './suite.ts'

const postgres = usePostgres()

describeCatalog('the catalog in PostgreSQL', async () => openPostgresCatalog(await postgres.database()))
