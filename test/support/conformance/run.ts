import { startOurServer } from './our-server.ts'
import { nameOf, rows } from './rows.ts'
import { createSession } from './session.ts'
import { findTheirServer } from './their-server.ts'

// `npm run conformance`: the suite against the server that PLATFORM_BASE_URL names, else against our own.

const say = (line: string) => process.stdout.write(`${line}\n`)

const target = (await findTheirServer()) ?? (await startOurServer())
const asked = rows.filter((row) => target.ours !== undefined || !row.onlyOurs)
say(`${asked.length} of ${rows.length} tests against ${target.baseUrl}`)
let failed = 0
try {
  for (const row of asked) {
    const session = createSession(target)
    try {
      await row.run(session)
      say(`ok      ${nameOf(row)}`)
    } catch (error) {
      failed += 1
      const why = error instanceof Error ? error.message : String(error)
      say(`FAILED  ${nameOf(row)}\n${why.replace(/^/gm, '        ')}`)
    } finally {
      await session.end()
    }
  }
} finally {
  await target.close()
}
say(failed === 0 ? 'all passed' : `${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
