import { checkAllSeen } from '../support/conformance/described.ts'
import { startOurServer } from '../support/conformance/our-server.ts'
import { describeConformance } from '../support/conformance/suite.ts'

describeConformance('our server keeps the contract', () => startOurServer(), {
  'the OpenAPI document fits everything that was answered, and no answer of it is missing': checkAllSeen,
})
