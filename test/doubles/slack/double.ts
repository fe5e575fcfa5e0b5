/**
 * A Slack on loopback for the real SDKs: Web API, Socket Mode and file hosting, with Slack's limits on from the start.
 * Nothing here is Slack's own code; each refusal has its reason next to it.
 */
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PATIENCE_MS } from '#test/support/patience.ts'
import type { Away } from './away.ts'
import { createFaults } from './faults.ts'
import { serve } from './http.ts'
import { createPeople, type People } from './people.ts'
import { sessionOf } from './sessions.ts'
import { createSocketSide, type SocketSideOptions } from './socket.ts'
import { transcript, type Shown } from './transcript.ts'
import { str, type AgentSession, type Call, type Envelope, type Fault, type FileRecord, type Json } from './types.ts'
import { asAnotherApp, createWorkspace, type Workspace } from './workspace.ts'

export interface SlackDoubleOptions extends SocketSideOptions {
  readonly teamId?: string
  /** How long a stream takes text. Default: Slack's undocumented 5 minutes. */
  readonly streamLifetimeMs?: number
  /** Tell the app of its own messages, as Slack does. Default true. */
  readonly echo?: boolean
  /** Another app in the workspace of this one: each is told of what people say, and of what the other one posts. */
  readonly beside?: SlackDouble
}

export interface SlackDouble extends Omit<People, 'pressButton'>, Pick<Workspace, 'teamId' | 'botUserId' | 'addUser'> {
  /** Ends in `/api/`: `SLACK_API_URL`. */
  readonly apiUrl: string
  /** For `FILE_HOSTS`. */
  readonly fileHost: string
  readonly botToken: string
  readonly appToken: string
  readonly calls: readonly Call[]
  readonly envelopes: readonly Envelope[]
  readonly workspace: Workspace
  /** All apps in the workspace. */
  readonly apps: Set<Pick<People, 'hear'>>
  /** Returns the channel's id. */
  addChannel(input?: Parameters<Workspace['addChannel']>[0]): string
  /** A file on the double's own host, ready for `say({ files })`. `fields` override its record. */
  hostFile(bytes: Uint8Array | string, name: string, mimetype: string, fields?: Json): FileRecord
  /** A clip recorded in Slack. */
  hostVoice(bytes: Uint8Array | string, fields?: Json): FileRecord
  transcript(channel: string, thread?: string): Shown[]
  /** The older status line under a thread, while it shows. */
  status(channel: string, thread: string): string | undefined
  /** The agent session of a thread, as its status is now. */
  session(channel: string, thread: string): AgentSession | undefined
  callsOf(method: string): Call[]
  /** `name`: a Web API method, `file:<id>`, or `socket`. The next calls meet these, one after the other. */
  script(name: string, ...faults: readonly Fault[]): void
  /** Forgets what was scripted and not met. */
  unscript(name: string): void
  setStreamLifetime(ms: number): void
  /** Presses the button of this label (or action id) under a message; the newest one that has it without `ts`. */
  pressButton(input: { channel: string; user: string; button: string; ts?: string }): Envelope
  /** Delivered events and button presses of people that the app has not acknowledged. */
  unacked(): Envelope[]
  resend(envelope: Envelope): void
  /** Events are posted there, signed, instead of sent over a connection. */
  postTo(url: string, signingSecret: string): void
  /** Events that nobody took are never sent again, as Slack does after five minutes. */
  giveUp(): void
  disconnect(
    reason: 'warning' | 'refresh_requested' | 'link_disabled' | 'too_many_websockets',
    which?: 'newest' | 'oldest' | 'all',
  ): void
  /** Asks all connections to go and then hears nothing more of them. */
  deafenSockets(): void
  /** Hears and says nothing more over all connections, without a word. */
  silenceSockets(): void
  cutSockets(): void
  /** Open Socket Mode connections. */
  sockets(): number
  /** Connections, also those over which nothing was said yet; and how often one was asked for. */
  connections(): { readonly held: number; readonly attempts: number }
  /** Connections as a hello counts them; and how often one was too many. */
  counted(): number
  refused(): number
  /** Slack is away until the returned function is called. Unless `sendsAgainMs` is set, what nobody took is lost then. */
  goAway(how: Away): () => Promise<void>
  /** Forgets calls, acknowledged deliveries, and messages that are older: for runs of a million events. */
  forget(olderThanMs: number): void
  /** Resolves with the first truthy value; looks again after each call, ack and connection. */
  until<T>(look: () => T | undefined | false, what?: string, timeoutMs?: number): Promise<T>
  close(): Promise<void>
}

const FIVE_MINUTES = 300_000

export async function startSlackDouble(options: SlackDoubleOptions = {}): Promise<SlackDouble> {
  const { beside } = options
  const workspace = beside === undefined ? createWorkspace(options.teamId) : asAnotherApp(beside.workspace)
  const apps: SlackDouble['apps'] = beside?.apps ?? new Set()
  const faults = createFaults()
  const emitter = new EventEmitter().setMaxListeners(0)
  const changed = () => emitter.emit('change')
  const sockets = createSocketSide(faults, changed, options)
  const tellOthers = (event: Json) => apps.forEach((app) => app !== people && app.hear(event))
  const people = createPeople(workspace, sockets, tellOthers)
  apps.add(people)
  const calls: Call[] = []
  let lifetimeMs = options.streamLifetimeMs ?? FIVE_MINUTES
  const botToken = `xoxb-double-${crypto.randomUUID()}`
  const appToken = `xapp-double-${crypto.randomUUID()}`
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const base = `http://127.0.0.1:${port}`
  workspace.responseUrl = (id) => `${base}/response/${id}`
  const hostFile: SlackDouble['hostFile'] = (content, name, mimetype, fields = {}) => {
    const id = str(fields['id']) ?? workspace.nextId('F')
    // Slack's addresses hold a short form of the name.
    const url = `${base}/files/${id}/${encodeURIComponent(name.toWellFormed().slice(0, 100))}`
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const record: FileRecord = {
      id,
      name,
      title: name,
      mimetype,
      filetype: name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : '',
      mode: 'hosted',
      size: bytes.length,
      is_external: false,
      url_private: url,
      url_private_download: `${url}?download=1`,
      ...fields,
    }
    workspace.files.set(id, { record, bytes, shares: new Set() })
    return record
  }

  let away: Away | undefined
  const side = {
    away: () => away,
    context: {
      workspace,
      streamLifetimeMs: () => lifetimeMs,
      uploadUrl: (id: string) => `${base}/upload/${id}`,
      host: (id: string, bytes: Uint8Array, name: string) => hostFile(bytes, name, 'application/octet-stream', { id }),
      echo(event: Json) {
        if (options.echo ?? true) people.hear(event, { echo: true })
        tellOthers(event)
      },
    },
    faults,
    calls,
    botToken,
    appToken,
    openConnection: () => sockets.openConnection(`ws://127.0.0.1:${port}`),
    changed,
  }
  server.on('request', (request, response) => {
    serve(side, request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head))

  return {
    ...people,
    workspace,
    apps,
    teamId: workspace.teamId,
    botUserId: workspace.botUserId,
    addUser: (input) => workspace.addUser(input),
    apiUrl: `${base}/api/`,
    fileHost: `127.0.0.1:${port}`,
    botToken,
    appToken,
    calls,
    envelopes: sockets.envelopes,
    addChannel: (input) => workspace.addChannel(input).id,
    hostFile,
    hostVoice: (bytes, fields = {}) =>
      hostFile(bytes, 'audio_message.m4a', 'audio/mp4', {
        subtype: 'slack_audio',
        media_display_type: 'audio',
        duration_ms: 3200,
        ...fields,
      }),
    transcript: (channel, thread) => transcript(workspace, channel, thread),
    status(channel, thread) {
      const status = workspace.statuses.get(`${channel}:${thread}`)
      return status === undefined || status.until < Date.now() ? undefined : status.text
    },
    session: (channel, thread) => sessionOf(workspace, `${channel}:${thread}`),
    callsOf: (method) => calls.filter((call) => call.method === method),
    script: (name, ...more) => faults.script(name, ...more),
    unscript: (name) => faults.clear(name),
    setStreamLifetime: (ms) => void (lifetimeMs = ms),
    pressButton({ channel, user, button, ts }) {
      const shown = transcript(workspace, channel).toReversed()
      for (const message of shown.filter((one) => ts === undefined || one.ts === ts)) {
        const found = message.buttons.find((one) => one.label === button || one.id === button)
        if (found !== undefined)
          return people.pressButton({
            channel,
            ts: message.ts,
            user,
            actionId: found.id,
            value: found.value,
            label: found.label,
            ...(found.block === undefined ? {} : { block: found.block }),
          })
      }
      throw new Error(`No button "${button}" in ${channel}.`)
    },
    unacked: () =>
      sockets.envelopes.filter((envelope) => !envelope.echo && envelope.attempts > 0 && envelope.ackedAt === undefined),
    postTo: (url, secret) => sockets.postTo(url, secret),
    giveUp: () => sockets.giveUp(),
    resend: (envelope) => sockets.resend(envelope),
    disconnect: (reason, which) => sockets.disconnect(reason, which),
    deafenSockets: () => sockets.deafen('refresh_requested'),
    silenceSockets: () => sockets.deafen(),
    cutSockets: () => sockets.cut(),
    sockets: () => sockets.count(),
    connections: () => ({ held: sockets.held(), attempts: sockets.attempts() }),
    counted: () => sockets.counted(),
    refused: () => sockets.refused(),
    goAway(how) {
      away = how
      sockets.away(how)
      if (how === 'refused') {
        server.close()
        server.closeAllConnections()
      }
      return async () => {
        away = undefined
        if (options.sendsAgainMs === undefined) sockets.giveUp()
        sockets.away(undefined)
        if (how === 'refused') {
          server.listen(port, '127.0.0.1')
          await once(server, 'listening')
        }
      }
    },
    forget(olderThanMs) {
      calls.length = 0
      sockets.forget()
      workspace.forgetBefore(String((Date.now() - olderThanMs) / 1000))
    },
    async until(look, what = 'what the test waits for', timeoutMs = PATIENCE_MS) {
      const deadline = AbortSignal.timeout(timeoutMs)
      for (;;) {
        const value = look()
        if (value) return value
        await once(emitter, 'change', { signal: deadline }).catch(() => {
          throw new Error(`The Slack double waited ${timeoutMs} ms in vain for ${what}.`)
        })
      }
    },
    async close() {
      await sockets.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
