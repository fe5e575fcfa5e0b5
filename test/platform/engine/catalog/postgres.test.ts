import { openPostgresCatalog } from '../../../../src/platform/engine/postgres/stores.ts'
import { usePostgres } from '../../../support/postgres/postgres.ts'
import { describeCatalog } from './suite.ts'

const postgres = usePostgres()

describeCatalog('the catalog in PostgreSQL', async () => openPostgresCatalog(await postgres.database()))
