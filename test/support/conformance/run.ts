import { PROFILES } from '#platform/wire/profile.ts'
import { startOurServer } from './our-server.ts'
import type { Row } from './row.ts'
import { nameOf, rows } from './rows.ts'
import { createSession } from './session.ts'
import type { Target } from './target.ts'
import { findTheirServer } from './their-server.ts'

// `npm run conformance`: the suite against the server that PLATFORM_BASE_URL names, else against our own.

const say = (line: string) => process.stdout.write(`${line}\n`)

const anyServer = rows.filter((row) => !row.onlyOurs)
let failed = 0

async function ask(target: Target, asked: readonly Row[]): Promise<void> {
  say(`${asked.length} of ${rows.length} tests against ${target.baseUrl}, by the names of ${target.profile.name}`)
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
}

const theirs = await findTheirServer()
const target = theirs ?? (await startOurServer())
try {
  await ask(target, theirs === undefined ? rows : anyServer)
  // Ours answers to both sets of names at once.
  if (theirs === undefined) await ask({ ...target, profile: PROFILES.saia }, anyServer)
} finally {
  await target.close()
}
say(failed === 0 ? 'all passed' : `${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
