import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '#src/config.ts'
import { diagnose } from '#operate/doctor.ts'
import { ALL_SCOPES } from '#adapters/slack/manifest.ts'
import { startSlackDouble } from '../doubles/slack/double.ts'
import { startUpstreamDouble, type UpstreamDouble } from '../doubles/upstream/double.ts'
import { openPlatform, type TestPlatform } from '../platform/server/platform.ts'
import { eventFinding } from '#adapters/slack/check.ts'
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

function folder(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'footbridge-doctor-test-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  return dataDir
}

/** Faults that the doctor finds in this folder. */
async function examine(dataDir: string, env: Record<string, string>) {
  return (await diagnose(readConfig({ DATA_DIR: dataDir, ...env }), 50)).filter(({ ok }) => !ok).map(({ text }) => text)
}

describe('the doctor and a Slack app-level token that another process uses, too', () => {
  const USED = /SLACK_APP_TOKEN is used by another process, too/

  it('tells it while no Footbridge runs on this folder, and takes no connection of a running one for another', async () => {
    const slack = await startSlackDouble()
    onTestFinished(() => slack.close())
    slack.workspace.scopes = ALL_SCOPES
    // Nothing answers at port 9, as where Footbridge runs on another port than these settings say.
    const env = {
      PORT: '9',
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
    }
    const footbridge = await startFootbridge({ ...env, PORT: '0' })
    onTestFinished(() => footbridge.close())
    await slack.until(() => slack.sockets() === 2)
    expect(await examine(footbridge.dataDir, env)).toEqual([])
    expect(await examine(folder(), env)).toEqual([expect.stringMatching(USED)])
  })

  it('is not told for a connection that is gone a moment later, as those of a process that was ended', async () => {
    const slack = await startSlackDouble()
    onTestFinished(() => slack.close())
    const asking = { method: 'POST', headers: { authorization: `Bearer ${slack.appToken}` } }
    const opened = await (await fetch(`${slack.apiUrl}apps.connections.open`, asking)).json()
    const other = new WebSocket((opened as { url: string }).url)
    await once(other, 'message')
    const finding = eventFinding(slack.apiUrl.replace(/\/$/, ''), {
      appToken: slack.appToken,
      isAlone: true,
      lookAgainMs: 300,
    })
    await slack.until(() => slack.sockets() === 2)
    await slack.until(() => slack.sockets() === 1)
    other.close()
    expect(await finding).toMatchObject({ ok: true })
  })

  it('says that they may be connections that broke, and takes none of the last places to count them', async () => {
    const slack = await startSlackDouble({ ghostsMs: 60_000 })
    onTestFinished(() => slack.close())
    const asking = { method: 'POST', headers: { authorization: `Bearer ${slack.appToken}` } }
    const open = async () => {
      const opened = await (await fetch(`${slack.apiUrl}apps.connections.open`, asking)).json()
      await once(new WebSocket((opened as { url: string }).url), 'message')
    }
    const find = () =>
      eventFinding(slack.apiUrl.replace(/\/$/, ''), { appToken: slack.appToken, isAlone: true, lookAgainMs: 1 })
    for (let counted = 1; counted <= 8; counted += 1) await open()
    slack.cutSockets()
    await slack.until(() => slack.sockets() === 0)
    const { attempts } = slack.connections()
    expect(await find()).toEqual({
      ok: false,
      text: expect.stringMatching(/, or Slack still counts connections that broke/),
    })
    expect(slack.connections().attempts).toBe(attempts + 1)
    await slack.until(() => slack.counted() === 8)
    await Promise.all([open(), open()])
    expect(await find()).toEqual({ ok: false, text: expect.stringMatching(/^Slack: Slack has ten connections/) })
  })

  it('passes on what a running Footbridge says of itself', async () => {
    const server = createServer((_, response) => {
      response.end(JSON.stringify({ connections: { slack: 'connected' }, warnings: ['A token is used elsewhere.'] }))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    expect(await examine(folder(), { PORT: String(port) })).toEqual([
      'the running Footbridge says: A token is used elsewhere.',
    ])
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
        /^UPSTREAM_MODEL: is not a setting .* Did you mean UPSTREAM_CHAT_MODEL\?$/,
      )
      await footbridge.restart({ UPSTREAM_BASE_URL: 'http://127.0.0.1:9/v1' })
      expect(footbridge.output.said.at(-3)).toContain('is ready')
    },
  )
})
