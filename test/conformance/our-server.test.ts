import { startOurServer } from '../support/conformance/our-server.ts'
import { describeConformance } from '../support/conformance/suite.ts'

describeConformance('our server keeps the contract', () => startOurServer())
