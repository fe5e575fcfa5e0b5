import { PROFILES } from '#platform/wire/profile.ts'
import { checkAllSeen, checkDescribed } from '../support/conformance/described.ts'
import { startOurServer } from '../support/conformance/our-server.ts'
import { rows } from '../support/conformance/rows.ts'
import { describeConformance } from '../support/conformance/suite.ts'

describeConformance('our server keeps the contract', () => startOurServer(), {
  'the OpenAPI document fits everything that was answered, and no answer of it is missing': checkAllSeen,
})

describeConformance(
  'our server keeps the contract under the names of the deployed service, too',
  async () => ({ ...(await startOurServer()), profile: PROFILES.saia }),
  { 'the OpenAPI document fits everything that was answered': async (target) => void (await checkDescribed(target)) },
  rows.filter((row) => !row.onlyOurs),
)
