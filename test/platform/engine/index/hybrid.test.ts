import { describeHybrid } from './hybrid-contract.ts'

describeHybrid('in files', async () => undefined)
