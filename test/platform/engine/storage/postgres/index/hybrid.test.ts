import { usePostgres } from '../../../../../support/postgres/postgres.ts'
import { describeHybrid } from '../../index/hybrid-contract.ts'

const postgres = usePostgres()

describeHybrid('in PostgreSQL', () => postgres.database())
