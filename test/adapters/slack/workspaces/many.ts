import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createManyWorkspaces, type ManyOptions } from '#adapters/slack/workspaces/many-workspaces.ts'
import type { Inbound } from '#bridge/port/message.ts'
import { openStore } from '#store/store.ts'
import { type SlackCloud, startSlackCloud } from '#test/doubles/slack/cloud.ts'
import { createLogSink } from '../log-sink.ts'

const PUBLIC_URL = 'https://footbridge.example.org'
export const SECRET = 'a secret of at least thirty-two characters'

/** The settings that lead a whole program to this Slack. */
export const settingsFor = (cloud: SlackCloud, publicUrl = PUBLIC_URL) => ({
  PUBLIC_URL: publicUrl,
  SECRET_KEY: SECRET,
  SLACK_CLIENT_ID: cloud.clientId,
  SLACK_CLIENT_SECRET: cloud.clientSecret,
  SLACK_SIGNING_SECRET: cloud.signingSecret,
  SLACK_API_URL: cloud.apiUrl,
  FILE_HOSTS: '127.0.0.1:*',
})

const bytesIn = (path: string) => {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    // It was deleted since the folder was listed.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

/** Every byte of the data folder, the database's file and log included. */
export function bytesOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return files.map((one) => `${one.name}\n${bytesIn(join(one.parentPath, one.name))}`).join('\n')
}

interface Door {
  fetch(request: Request): Promise<Response>
}

/** A browser with one cookie, which follows the pages of an installation. */
export function createBrowser(door: Door, origin = PUBLIC_URL) {
  let cookie: string | undefined
  const visit = async (address: string, by = door) => {
    const headers: Record<string, string> = cookie === undefined ? {} : { cookie }
    const response = await by.fetch(new Request(new URL(address, origin), { headers }))
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return response
  }
  return {
    visit,
    /** Presses the button; the address of Slack's page. */
    async begin() {
      const page = await (await visit('/slack/install')).text()
      const [, start = ''] = /href="([^"]+)"/.exec(page) ?? []
      return (await visit(start)).headers.get('location') ?? ''
    },
  }
}

/** The adapter for all workspaces on a real store, and the Slack that they are in. */
export async function setMany(more: Partial<ManyOptions> = {}, secrets: readonly string[] = [SECRET]) {
  let shift = 0
  const clock = () => Date.now() + shift
  const cloud = await startSlackCloud(clock)
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-many-'))
  const store = openStore(folder)
  const sink = createLogSink()
  const inbounds: Inbound[] = []
  const adapters: ReturnType<typeof createManyWorkspaces>[] = []
  const make = (other: Partial<ManyOptions> = {}, keys = secrets) => {
    const adapter = createManyWorkspaces({
      clientId: cloud.clientId,
      clientSecret: cloud.clientSecret,
      signingSecret: cloud.signingSecret,
      publicUrl: PUBLIC_URL,
      apiUrl: cloud.apiUrl,
      fileHosts: ['127.0.0.1:*'],
      installations: store.state('slack-installation', keys),
      states: store.state('slack-oauth-state'),
      renewalLocks: store.state('slack-token-baton'),
      sharedChannels: store.state('slack-shared-channel'),
      cursorsOf: (workspace) => store.cursors(`slack:${workspace}`),
      log: sink.log,
      clock,
      timeoutMs: 5_000,
      ...more,
      ...other,
    })
    adapters.push(adapter)
    cloud.deliverTo(adapter)
    return adapter
  }
  const adapter = make()
  onTestFinished(async () => {
    await Promise.all(adapters.map((one) => one.stop()))
    await cloud.close()
    store.close()
    rmSync(folder, { recursive: true })
  })
  const receive = async (inbound: Inbound) => void inbounds.push(inbound)
  /** The workspace installs Footbridge; resolves with the last page. */
  async function install(team: string, door: Door = adapter) {
    if (!cloud.teams.has(team)) cloud.addTeam(team)
    const browser = createBrowser(door)
    return browser.visit(cloud.oauth.allow(await browser.begin(), team))
  }
  const advance = (ms: number) => void (shift += ms)
  return { cloud, store, folder, adapter, make, inbounds, receive, install, advance, lines: sink.lines }
}
