import { describeHybrid } from '#test/platform/engine/storage/index/hybrid-contract.ts'

describeHybrid('in files', async () => undefined)
