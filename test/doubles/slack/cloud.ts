/**
 * Many Slack workspaces on loopback at one address, for an app that they install: OAuth with rotation, tokens of each
 * workspace, events over HTTP. Ids of people, channels and messages are the same in all of them, to find mix-ups.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { PATIENCE_MS } from '#test/support/patience.ts'
import { createFaults } from './faults.ts'
import { type HttpSide, serve } from './http.ts'
import { createOAuthSide, type OAuthSide } from './oauth.ts'
import { createPeople, type People } from './people.ts'
import type { SocketSide } from './socket.ts'
import { transcript, type Shown } from './transcript.ts'
import type { Call, Envelope, FileRecord, Json } from './types.ts'
import { createWorkspace, type Workspace } from './workspace.ts'

export interface CloudTeam extends People {
  readonly id: string
  readonly workspace: Workspace
  readonly calls: Call[]
  readonly faults: ReturnType<typeof createFaults>
  hostFile(content: string, name: string, mimetype: string): FileRecord
  transcript(channel: string, thread?: string): Shown[]
}

export interface SlackCloud {
  readonly apiUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly signingSecret: string
  readonly oauth: OAuthSide
  /** Calls and downloads with a good token of another workspace than that of their address. */
  readonly crossings: string[]
  readonly teams: ReadonlyMap<string, CloudTeam>
  /** `botUserId`: by default the same in all of them. */
  addTeam(id: string, botUserId?: string): CloudTeam
  /** Where events go from now on: the app's own `fetch`, or an address. */
  deliverTo(door: string | { fetch(request: Request): Promise<Response> }): void
  /** Slack's API answers nothing but 503. */
  outage: boolean
  /** Where it is set, requests to Slack's API are noted there and never answered. */
  silence: string[] | undefined
  /** Not answered with 200 at the first time. */
  readonly refused: Envelope[]
  /** Whether events that were not taken are sent again, as Slack does. */
  sendsAgain: boolean
  until<T>(look: () => T | undefined | false, what: string): Promise<T>
  close(): Promise<void>
}

/** https://docs.slack.dev/apis/events-api: "nearly immediately", then after one and five minutes. */
const AGAIN_MS = [0, 60_000, 300_000]

const unused = () => {
  throw new Error('The cloud has no Socket Mode.')
}

export async function startSlackCloud(clock: () => number = Date.now): Promise<SlackCloud> {
  const emitter = new EventEmitter().setMaxListeners(0)
  const changed = () => emitter.emit('change')
  const signingSecret = randomBytes(16).toString('hex')
  const teams = new Map<string, CloudTeam>()
  const oauth = createOAuthSide(clock, (id) => teams.get(id)?.workspace.botUserId ?? 'U0BOT')
  const sides = new Map<string, HttpSide>()
  const crossings: string[] = []
  const refused: Envelope[] = []
  let door: Parameters<SlackCloud['deliverTo']>[0] | undefined
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function post(envelope: Envelope): Promise<void> {
    const isEvent = envelope.type === 'events_api'
    const form = () =>
      new URLSearchParams(
        envelope.type === 'interactive'
          ? { payload: JSON.stringify(envelope.payload) }
          : Object.entries(envelope.payload).map(([name, value]) => [name, String(value)]),
      ).toString()
    const body = isEvent ? JSON.stringify(envelope.payload) : form()
    const stamp = String(Math.floor(clock() / 1000))
    const headers = {
      'content-type': isEvent ? 'application/json' : 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': stamp,
      'x-slack-signature': `v0=${createHmac('sha256', signingSecret).update(`v0:${stamp}:${body}`).digest('hex')}`,
    }
    const address = typeof door === 'string' ? door : 'https://footbridge.example.org/slack/events'
    const request = new Request(address, { method: 'POST', headers, body })
    const response = typeof door === 'string' ? await fetch(request) : await door?.fetch(request)
    const said = await response?.text()
    if (response?.status !== 200) throw new Error(`HTTP ${response?.status}: ${said}`)
    envelope.ackPayload = said
    envelope.ackedAt = Date.now()
  }

  /** An event that is not taken is sent again: at once, after a minute, after five. Presses and commands are not. */
  async function deliver(envelope: Envelope): Promise<void> {
    const pauses = cloud.sendsAgain && envelope.type === 'events_api' ? AGAIN_MS : []
    for (const pause of [...pauses, undefined]) {
      try {
        await post(envelope)
        return
      } catch (error) {
        envelope.refusals = [...(envelope.refusals ?? []), String(error)]
        if (envelope.attempts === 1) refused.push(envelope)
        if (pause === undefined) return
        await sleep(pause, undefined, { ref: false })
        envelope.attempts += 1
      }
    }
  }

  function createDoor(): SocketSide {
    const envelopes: Envelope[] = []
    return {
      envelopes,
      openConnection: unused,
      upgrade: unused,
      send(type, payload, options = {}) {
        const { promise: acked, resolve } = Promise.withResolvers<void>()
        const id = `req-${envelopes.length}`
        const envelope: Envelope = {
          id,
          type,
          payload,
          echo: options.echo ?? false,
          attempts: 1,
          delivered: true,
          acked,
        }
        envelopes.push(envelope)
        void deliver(envelope).then(resolve).then(changed)
        return envelope
      },
      resend: (envelope) => void deliver(envelope).then(changed),
      giveUp: unused,
      counted: unused,
      refused: unused,
      disconnect: unused,
      deafen: unused,
      postTo: unused,
      cut: unused,
      count: () => 0,
      attempts: () => 0,
      held: () => 0,
      away: unused,
      forget: unused,
      close: async () => {},
    }
  }

  function addTeam(id: string, botUserId?: string): CloudTeam {
    const workspace = createWorkspace(id, botUserId)
    const faults = createFaults()
    const calls: Call[] = []
    const people = createPeople(workspace, createDoor())
    workspace.responseUrl = (response) => `${base}/response/${id}/${response}`
    const host = (file: string, content: Uint8Array | string, name: string, mimetype: string): FileRecord => {
      const url = `${base}/files/${id}/${file}/${encodeURIComponent(name)}`
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      const filetype = name.slice(name.lastIndexOf('.') + 1)
      const shown = { id: file, name, title: name, mimetype, filetype, mode: 'hosted', size: bytes.length }
      const record = { ...shown, is_external: false, url_private: url, url_private_download: `${url}?download=1` }
      workspace.files.set(file, { record, bytes, shares: new Set() })
      return record
    }
    sides.set(id, {
      context: {
        workspace,
        streamLifetimeMs: () => 300_000,
        uploadUrl: (upload: string) => `${base}/upload/${id}/${upload}`,
        host: (file, bytes, name) => host(file, bytes, name, 'application/octet-stream'),
        echo: (event: Json) => void people.sendEvent(event, { echo: true }),
      },
      faults,
      calls,
      botToken: '',
      appToken: '',
      openConnection: unused,
      changed,
      away: () => undefined,
    })
    const team: CloudTeam = {
      ...people,
      id,
      workspace,
      calls,
      faults,
      hostFile: (content, name, mimetype) => host(workspace.nextId('F'), content, name, mimetype),
      transcript: (channel, thread) => transcript(workspace, channel, thread),
    }
    teams.set(id, team)
    return team
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (cloud.silence !== undefined) {
      cloud.silence.push(request.url ?? '')
      return void changed()
    }
    if (cloud.outage) return void response.writeHead(503).end()
    const [, area = '', second = '', ...rest] = (request.url ?? '').split('/')
    if (area === 'api' && second === 'oauth.v2.access') {
      const { status, body } = await oauth.exchange(request)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      changed()
      return
    }
    const token = (request.headers.authorization ?? '').replace(/^Bearer /, '')
    const owner = oauth.teamOf(token)
    const wanted = area === 'api' ? owner : second
    if (wanted !== undefined && owner !== undefined && wanted !== owner) crossings.push(`${owner} at ${request.url}`)
    const side = sides.get(wanted ?? '')
    if (side === undefined) {
      const error = oauth.refusalOf(token)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: false, error }))
      return
    }
    if (area !== 'api') request.url = ['', area, ...rest].join('/')
    await serve({ ...side, botToken: owner === wanted ? token : 'none' }, request, response)
  }

  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })

  const cloud: SlackCloud = {
    outage: false,
    sendsAgain: false,
    silence: undefined,
    apiUrl: `${base}/api/`,
    clientId: oauth.clientId,
    clientSecret: oauth.clientSecret,
    signingSecret,
    oauth,
    crossings,
    teams,
    refused,
    addTeam,
    deliverTo: (to) => void (door = to),
    async until(look, what) {
      const deadline = AbortSignal.timeout(PATIENCE_MS)
      for (;;) {
        const value = look()
        if (value) return value
        await once(emitter, 'change', { signal: deadline }).catch(() => {
          throw new Error(`The Slack cloud waited in vain for ${what}.`)
        })
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return cloud
}
