import { checkAllSeen } from '../support/conformance/described.ts'
import { startOurServer } from '../support/conformance/our-server.ts'
import { describeConformance } from '../support/conformance/suite.ts'
import { usePostgres } from '../support/postgres/postgres.ts'

const postgres = usePostgres()

describeConformance(
  'our server on PostgreSQL keeps the contract',
  () => startOurServer({ database: postgres.database }),
  { 'the OpenAPI document fits everything that was answered, and no answer of it is missing': checkAllSeen },
)
