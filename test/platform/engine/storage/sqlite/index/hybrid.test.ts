import { describeHybrid } from '../../index/hybrid-contract.ts'

describeHybrid('in files', async () => undefined)
