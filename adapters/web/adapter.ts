import type { WebSearch } from './protocol.ts'
import type { Adapter } from '../../src/bridge/port/adapter.ts'
import type { ChannelFiles } from '../../src/bridge/port/channel-files.ts'
import { AdapterError } from '../../src/bridge/port/errors.ts'
import type { ConversationRef, Message } from '../../src/bridge/port/message.ts'
import type { Clock, Log } from '../../src/bridge/port/platform.ts'
import { hostName } from './server/access.ts'
import { createAssets } from './server/page-assets.ts'
import { createDelivery } from './server/delivery.ts'
import { createEventHub, createStatuses } from './server/live-events.ts'
import { ADAPTER, PERSON_ID, toMessage } from './server/inbound.ts'
import { createOutbound, createStreamingTexts, TEXT_LENGTH } from './server/outbound.ts'
import { createApp } from './server/routes/app.ts'
import type { RequestBindings } from './server/routes/login.ts'
import { openStore, type WebStore } from './server/store/store.ts'

export interface WebAdapterOptions {
  /** Folder of `web.sqlite` and `web-files`; created if missing. */
  readonly dataDir: string
  /** If set, a login is required on every address; required when `loopback` is false. */
  readonly password?: string
  /** The server listens on loopback only: no login needed, but only loopback host names. */
  readonly loopback: boolean
  /** Further host names (no port) under which the page may be opened. */
  readonly allowedHosts?: readonly string[]
  /** Public URL; its host is allowed too. Without it, permalinks use the address of the last browser. */
  readonly publicUrl?: string
  /** Largest file, bytes; default 200 MiB. */
  readonly maxFileBytes?: number
  /** How long the body of a login may take; default 15 s. */
  readonly loginTimeoutMs?: number
  /** Files of the channels, asked for when a request comes; default: none. */
  readonly files?: () => ChannelFiles | undefined
  /** How the platform searches, shown under the files; default: not told. */
  readonly search?: () => WebSearch | undefined
  readonly log: Log
  readonly clock?: Clock
}

export interface WebAdapter extends Adapter {
  /** Serves `/`, `/assets/*`, `/api/web/*`, `/login` and `/logout`. `address` of the peer limits password guesses. */
  fetch(request: Request, address?: string): Promise<Response>
}

const HISTORY_MESSAGES = 50

const NO_FILES: ChannelFiles = { list: async () => [], open: async () => undefined, outline: async () => undefined }

/**
 * The web page: a small chat service and its adapter in one.
 * @throws {Error} a sentence, when a password is needed and missing, or the data folder cannot be used.
 */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createWebAdapter(options: WebAdapterOptions): WebAdapter {
  const { dataDir, password, log, clock = Date.now, maxFileBytes = 200 * 1024 * 1024 } = options
  if (!options.loopback && !password) {
    throw new Error(
      'The web page needs a password on this address: set WEB_PASSWORD, or HOST=127.0.0.1 to keep it on this machine.',
    )
  }
  const store = openStore(dataDir, clock)
  const hub = createEventHub()
  const streamingTexts = createStreamingTexts((id, text) => store.messages.saveText(id, text))
  const statuses = createStatuses((status) => hub.publish({ type: 'status', status }))
  const delivery = createDelivery(store, log)
  const assets = createAssets(log)
  const { allowedHosts, publicHost } = hosts(options)
  const { loginTimeoutMs = 15_000 } = options
  const files = () => options.files?.() ?? NO_FILES
  const parts = {
    store,
    hub,
    streamingTexts,
    statuses,
    delivery,
    assets,
    files,
    search: () => options.search?.(),
    maxFileBytes,
    loginTimeoutMs,
    log,
    clock,
  }
  const app = createApp({ ...parts, password, allowedHosts, publicHost })
  store.messages.endStreams()
  if (password !== undefined) store.sessions.usePassword(password)
  const removeUnused = () =>
    store.uploads.removeUnused().catch((error: unknown) => {
      log.warn({ err: error }, 'Uploads that no message names could not be removed; the next try is in an hour.')
    })
  const hourly = setInterval(removeUnused, 3600_000).unref()

  let stopped: Promise<void> | undefined
  let origin: string | undefined
  const stop = async () => {
    clearInterval(hourly)
    await delivery.close()
    hub.close()
    streamingTexts.flush()
    store.close()
  }
  const assertRunning = () => {
    if (stopped) throw new AdapterError('network', 'The web page is stopped; try again after the restart.')
  }
  const knows = (channel: string) => !stopped && store.channels.get(channel) !== undefined
  const outbound = createOutbound({ ...parts, assertRunning })
  return {
    name: ADAPTER,
    limits: { textLength: TEXT_LENGTH, measure: (markdown) => markdown.length, editIntervalMs: 100 },
    async start(receive) {
      // Bundles in the background: only a browser that is already there waits for it.
      assets.warm()
      void removeUnused()
      await delivery.open(receive)
    },
    stop: () => (stopped ??= stop()),
    post: async (conversation, outgoing) => outbound.post(conversation, outgoing),
    edit: async (ref, outgoing) => outbound.edit(ref, outgoing),
    remove: async (ref) => outbound.remove(ref),
    upload: async (conversation, file, outgoing) => outbound.upload(conversation, file, outgoing),
    read: async ({ id }) => (stopped ? undefined : messageOf(store, id)),
    stream: async (conversation, first) => outbound.stream(conversation, first),
    find: async (conversation, send) => outbound.find(conversation, send.sendId),
    async status(conversation, text, signal) {
      if (!stopped) statuses.show(conversation, text, signal)
    },
    async open(attachment, signal) {
      const bytes = store.uploads.read(attachment.locator, signal)
      if (bytes) return bytes
      throw new AdapterError('not-found', `${attachment.name} is not on the page any more. Drop it again.`)
    },
    // One password, or none on loopback, is one account, which reads and administers everything.
    isMember: async ({ channel }, person) => person === PERSON_ID && knows(channel),
    isAdmin: async ({ channel }, person) => person === PERSON_ID && knows(channel),
    async about({ channel }) {
      const found = stopped ? undefined : store.channels.get(channel)
      return found && { name: found.name, isPublic: !found.direct }
    },
    history: async (conversation, before) => historyOf(store, conversation, before),
    async permalink({ conversation, id }) {
      const address = options.publicUrl ?? origin
      return address && `${address.replace(/\/+$/, '')}/#${conversation.channel}/${id}`
    },
    async fetch(request, address) {
      if (stopped) return new Response('Footbridge is stopping.', { status: 503 })
      const response = await app.fetch(request, { address } satisfies RequestBindings)
      const { pathname, protocol } = new URL(request.url)
      // The origin of permalinks is learned on loopback only: elsewhere the host in a request may be forged.
      if (options.loopback && response.ok && pathname.startsWith('/api/web/'))
        origin = `${protocol}//${request.headers.get('host') ?? new URL(request.url).host}`
      return response
    },
  }
}

function hosts({ loopback, allowedHosts = [], publicUrl, password }: WebAdapterOptions) {
  const publicHost = publicUrl ? new URL(publicUrl).host : undefined
  const named = [...allowedHosts, ...(publicHost ? [hostName(publicHost)] : [])]
  const own = ['127.0.0.1', 'localhost', '[::1]']
  // Beyond loopback our host names are unknown; the strict cookie keeps other sites out.
  const open = !loopback && password !== undefined && named.length === 0
  const allowed = new Set([...own, ...named].map((name) => name.toLowerCase()))
  return { allowedHosts: open ? undefined : allowed, publicHost }
}

function messageOf(store: WebStore, id: string): Message | undefined {
  const stored = store.messages.get(id)
  const channel = stored && store.channels.get(stored.channel)
  return channel && toMessage(channel, stored, store.channels.list())
}

function historyOf(store: WebStore, conversation: ConversationRef, before: string): Message[] {
  const channel = store.channels.get(conversation.channel)
  const end = store.messages.get(before)?.seq ?? Number.MAX_SAFE_INTEGER
  if (!channel) return []
  return (
    store.messages
      .thread(channel.id, conversation.thread, end, HISTORY_MESSAGES)
      // Receipts, notices and errors are no part of what was said: their words would be searched for.
      .filter(({ kind }) => kind === 'message' || kind === 'answer')
      .map((message) => toMessage(channel, message, store.channels.list()))
  )
}
