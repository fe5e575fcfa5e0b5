import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { startOurServer } from '../support/conformance/our-server.ts'
import { nameOf, rows } from '../support/conformance/rows.ts'
import { startPlatformDouble } from '../doubles/platform/double.ts'
import { inLong } from '#test/support/forms.ts'

const script = fileURLToPath(new URL('../support/conformance/run.ts', import.meta.url))

/** `npm run conformance` with this environment and no other setting. */
async function run(env: Readonly<Record<string, string>>) {
  const result = await promisify(execFile)(process.execPath, [script], { env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
  )
  return { code: result.code, lines: result.stdout.trimEnd().split('\n') }
}

const anyServer = rows.filter((row) => !row.onlyOurs)

describe('npm run conformance', () => {
  it('asks another server all that is not ours alone', inLong, async () => {
    const target = await startOurServer()
    try {
      const { code, lines } = await run({ PLATFORM_BASE_URL: target.baseUrl, PLATFORM_API_KEY: target.key })
      expect(lines.slice(1, -1)).toEqual(anyServer.map((row) => `ok      ${nameOf(row)}`))
      expect(lines[0]).toBe(
        `${anyServer.length} of ${rows.length} tests against ${target.baseUrl}, by the names of collection`,
      )
      expect([code, lines.at(-1)]).toEqual([0, 'all passed'])
    } finally {
      await target.close()
    }
  })

  it('speaks the other profile, and says what a server does not keep', async () => {
    const double = await startPlatformDouble({ profile: 'saia' })
    try {
      const { code, lines } = await run({
        PLATFORM_BASE_URL: double.baseUrl,
        PLATFORM_API_KEY: double.key,
        PLATFORM_PROFILE: 'saia',
      })
      const found = (start: string) => lines.filter((line) => line.startsWith(start)).join('\n')
      expect(found('ok')).toMatch(/C-101:.*[\s\S]*C-105 C-106:/)
      // The double answers create with a message alone, as the deployed service does.
      expect(found('FAILED')).toContain('C-013 C-016 C-110:')
      expect(code).toBe(1)
    } finally {
      await double.close()
    }
  })

  it('asks for the key that belongs to the address', async () => {
    const { code } = await run({ PLATFORM_BASE_URL: 'http://127.0.0.1:1/v1' })
    expect(code).toBe(1)
  })
})
