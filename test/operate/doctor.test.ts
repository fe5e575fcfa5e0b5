import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '#src/config.ts'
import { diagnose } from '#operate/doctor.ts'
import { startUpstreamDouble, type UpstreamDouble } from '../doubles/upstream/double.ts'
import { openPlatform, type TestPlatform } from '../platform/server/platform.ts'
import { startFootbridge } from '../support/footbridge.ts'
import { inLong } from '#test/support/forms.ts'

let upstream: UpstreamDouble
beforeAll(async () => {
  upstream = await startUpstreamDouble({ models: ['small', 'large:latest'] })
})
afterAll(() => upstream.close())

/** The doctor's finding on the question. */
async function ask(env: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'footbridge-doctor-test-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const findings = await diagnose(readConfig({ DATA_DIR: dataDir, ...env }))
  expect(readdirSync(dataDir)).toEqual([])
  return findings.find(({ text }) => text.startsWith('a question'))
}

describe('the doctor asks a real question', () => {
  it('of the embedded platform without a model', async () => {
    expect(await ask({})).toEqual({
      ok: true,
      text: expect.stringMatching(/passage \(model extractive, [\d.]+ s in all\)$/),
    })
  })

  it('of a model server, and tells when it does not answer from the file', async () => {
    const env = { UPSTREAM_BASE_URL: upstream.baseUrl, UPSTREAM_CHAT_MODEL: 'small' }
    upstream.script({ kind: 'chat', text: 'It was built in 1841 [RREF1].' })
    expect(await ask(env)).toMatchObject({ ok: true, text: expect.stringContaining('model small') })
    upstream.script({ kind: 'fault', fault: 'cut' }, { kind: 'fault', fault: 'cut' })
    expect(await ask(env)).toMatchObject({ ok: false, text: expect.stringContaining('small: ') })
  })

  it('of a hosted platform, and leaves no collection behind', async () => {
    const platform: TestPlatform = await openPlatform({ over: 'socket' })
    onTestFinished(() => platform.close())
    const env = { PLATFORM_BASE_URL: `${platform.url}/v1`, PLATFORM_API_KEY: platform.key }
    expect(await ask(env)).toMatchObject({ ok: true })
    expect(await (await platform.call('GET', '/collections/api/v1/collection/')).json()).toEqual([])
  })

  it('and gives the list when a model of the settings is not on it', async () => {
    const env = { UPSTREAM_BASE_URL: upstream.baseUrl, UPSTREAM_CHAT_MODEL: 'lareg' }
    expect(await ask(env)).toEqual({
      ok: false,
      text: expect.stringMatching(
        /UPSTREAM_CHAT_MODEL=lareg: .* does not list this model.*\n {2}- small\n {2}- large:latest$/,
      ),
    })
  })
})

describe('a start', () => {
  it.each([
    [
      'of the model server',
      (url: string) => ({ UPSTREAM_BASE_URL: url, UPSTREAM_CHAT_MODEL: 'gone' }),
      'UPSTREAM_CHAT_MODEL=gone',
    ],
    ['of the platform', (url: string) => ({ UPSTREAM_BASE_URL: url, PLATFORM_MODEL: 'gone' }), 'PLATFORM_MODEL=gone'],
  ])('stops with the list when the setting names a model that is not in the list %s', async (_, toEnv, setting) => {
    const failed = await startFootbridge(toEnv(upstream.baseUrl)).then(
      (footbridge) => footbridge.close(),
      (error: unknown) => String(error),
    )
    expect(failed).toContain(setting)
    expect(failed).toContain('- small')
  })

  it(
    'takes a model without its tag, a model server that is away, and says which setting is misspelt',
    inLong,
    async () => {
      const env = { UPSTREAM_BASE_URL: upstream.baseUrl, UPSTREAM_CHAT_MODEL: 'large', UPSTREAM_MODEL: 'large' }
      const footbridge = await startFootbridge(env)
      onTestFinished(() => footbridge.close())
      expect(footbridge.output.stderr.join('\n')).toMatch(
        /^UPSTREAM_MODEL: is no setting .* Did you mean UPSTREAM_CHAT_MODEL\?$/,
      )
      await footbridge.restart({ UPSTREAM_BASE_URL: 'http://127.0.0.1:9/v1' })
      expect(footbridge.output.said.at(-3)).toContain('is ready')
    },
  )
})
