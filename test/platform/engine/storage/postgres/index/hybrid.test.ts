import { usePostgres } from '#test/support/postgres/postgres.ts'
import { describeHybrid } from '#test/platform/engine/storage/index/hybrid-contract.ts'

const postgres = usePostgres()

describeHybrid('in PostgreSQL', () => postgres.database())
