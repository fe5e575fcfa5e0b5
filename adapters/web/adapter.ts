import type { WebAbout, WebSearch } from './protocol.ts'
import type { Adapter, Linked } from '#bridge/port/adapter.ts'
import type { ApiKeys } from '#bridge/port/api-keys.ts'
import type { ChannelFiles } from '#bridge/port/channel-files.ts'
import type { ChannelModels } from '#bridge/port/channel-models.ts'
import type { AccessTokens } from '#bridge/port/person-access.ts'
import type { SignIn } from '#bridge/port/sign-in.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import type { ConversationRef, Message } from '#bridge/port/message.ts'
import type { Clock, Log } from '#bridge/port/platform.ts'
import { hostName } from './server/access.ts'
import { fileAt, type Place, placeOfAddress } from './server/routes/addresses.ts'
import { createAssets } from './server/page-assets.ts'
import { createDelivery } from './server/delivery.ts'
import { createEventHub, createStatuses, type EventHub } from './server/live-events.ts'
import { ADAPTER, DIRECT, PERSON_ID, placeOnPage, toMessage, WORKSPACE } from './server/inbound.ts'
import { createPagePictures, type DrawPage } from '#adapters/shared/page-pictures.ts'
import { createOutbound, createStreamingTexts, TEXT_LENGTH } from './server/outbound.ts'
import { createApp } from './server/routes/app.ts'
import { placeOf } from './server/routes/files.ts'
import type { RequestBindings } from './server/routes/login.ts'
import { createSharedStore, openStore, type WebStore, type SharedPage } from './server/store/store.ts'

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
  /** The language model of each channel, asked for in the same way; default: the page offers no choice. */
  readonly models?: () => ChannelModels | undefined
  /** How the platform searches, shown under the files; default: not told. */
  readonly search?: () => WebSearch | undefined
  /** Switches search by meaning; default: the page cannot. */
  readonly chooseMeaning?: (on: boolean) => Promise<void>
  /** Pages of PDFs as pictures; default: passages are shown without them. */
  readonly drawPage?: DrawPage
  /** Facts for the settings; default: not told. */
  readonly about?: () => WebAbout | undefined
  /** Tokens for programs of the person at the page; default: none are made. */
  readonly tokens?: AccessTokens
  /** Keys for the API of the platform; default: none are made. */
  readonly keys?: ApiKeys
  /** Programs that sign in; default: none can. */
  readonly signIn?: SignIn
  readonly log: Log
  readonly clock?: Clock
  /** Tables that several processes share, instead of those in `dataDir`. */
  readonly shared?: SharedPage
}

export interface WebAdapter extends Adapter {
  /** Serves `/`, `/assets/*`, `/api/web/*`, `/login`, `/logout`, `/connect` and `/oauth/authorize`. `address` of the peer limits password guesses. */
  fetch(request: Request, address?: string): Promise<Response>
}

const HISTORY_MESSAGES = 50
/** The page is bundled after the start of the process; a browser that is already there has it bundled at once. */
const WARM_AFTER_MS = 2000

const NO_FILES: ChannelFiles = {
  list: async () => [],
  open: async () => undefined,
  outline: async () => undefined,
  search: async () => [],
}

/**
 * The web page: a small chat service and its adapter in one.
 * @throws {Error} a sentence, when a password is needed and missing, or the data folder cannot be used.
 */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createWebAdapter(options: WebAdapterOptions): WebAdapter {
  const { log, shared } = options
  refuseOpenPage(options)
  const { browsers, ...parts } = createParts(options)
  const { store, hub, streamingTexts, statuses, delivery, assets } = parts
  const { allowedHosts, publicHost } = hosts(options)
  const app = createApp({ ...parts, password: options.password, allowedHosts, publicHost })
  shared?.relay.listen((event) => {
    if (event.type === 'status') statuses.note(event.status)
    browsers.publish(event)
  })
  const ready = prepare(store, options)
  // The first caller is told of a failure.
  ready.catch(() => undefined)
  const removeUnused = () =>
    store.uploads.removeUnused().catch((error: unknown) => {
      log.warn({ err: error }, 'Uploads that no message names could not be removed; the next try is in an hour')
    })
  const hourly = setInterval(removeUnused, 3600_000).unref()

  let warming: NodeJS.Timeout | undefined
  let isStarted = false
  let stopped: Promise<void> | undefined
  let origin: string | undefined
  const stop = async () => {
    clearInterval(hourly)
    clearTimeout(warming)
    await delivery.close()
    hub.close()
    await streamingTexts.flush()
    store.close()
  }
  const assertRunning = () => {
    if (stopped) throw new AdapterError('network', 'The web page is stopped; try again after the restart.')
  }
  // The direct conversation is there without a chat, too.
  const knows = async (channel: string) =>
    !stopped && (channel === DIRECT || (await store.channels.get(channel)) !== undefined)
  const outbound = createOutbound({ ...parts, assertRunning })
  return {
    name: ADAPTER,
    limits: { textLength: TEXT_LENGTH, measure: (markdown) => markdown.length, editIntervalMs: 100 },
    async start(receive) {
      await ready
      warming = setTimeout(() => assets.warm(), WARM_AFTER_MS).unref()
      void removeUnused()
      await delivery.open(receive)
      isStarted = true
    },
    stop: () => (stopped ??= stop()),
    isConnected: () => isStarted && stopped === undefined,
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
      const bytes = await store.uploads.read(attachment.locator, signal)
      if (bytes) return bytes
      throw new AdapterError('not-found', 'The file is not on the page any more. Drop it again.', {
        trouble: { kind: 'gone', service: 'Footbridge' },
      })
    },
    // One password, or none on loopback, is one account, which reads and administers everything.
    isMember: async ({ channel }, person) => person === PERSON_ID && (await knows(channel)),
    isAdmin: async ({ channel }, person) => person === PERSON_ID && (await knows(channel)),
    async describeChannel({ channel, direct }) {
      if (direct) return stopped ? undefined : { name: 'Chat', isPublic: false }
      const found = stopped ? undefined : await store.channels.get(channel)
      return found && { name: found.name, isPublic: true }
    },
    history: async (conversation, before, since) => historyOf(store, conversation, before, since === undefined),
    async permalink({ conversation, id }) {
      const address = options.publicUrl ?? origin
      // A file knows the direct conversation, not the chat in which it was dropped.
      const channel = (await store.messages.get(id))?.channel ?? placeOnPage(conversation).channel
      return address && `${address.replace(/\/+$/, '')}/#${channel}/${id}`
    },
    async messageAt(url) {
      const place = stopped ? undefined : placeOfAddress(url, options.publicUrl ?? origin)
      return place && shownAt(store, parts.files(), place)
    },
    async fetch(request, address) {
      if (stopped) return new Response('Footbridge is stopping.', { status: 503 })
      await ready
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

async function messageOf(store: WebStore, id: string): Promise<Message | undefined> {
  const stored = await store.messages.get(id)
  const channel = stored && (await store.channels.get(stored.channel))
  return channel && toMessage(channel, stored, await store.channels.list())
}

async function shownAt(store: WebStore, files: ChannelFiles, place: Place): Promise<Linked | undefined> {
  if ('message' in place) {
    const message = await messageOf(store, place.message)
    const isThere = message !== undefined && placeOnPage(message.conversation).channel === place.channel
    return isThere ? { conversation: message.conversation, id: place.message } : undefined
  }
  const channel = await store.channels.get(place.channel)
  if (channel === undefined) return undefined
  const conversation = placeOf(channel)
  const found = await fileAt(files, conversation, place.file)
  return found && { conversation, ...found }
}

async function historyOf(
  store: WebStore,
  conversation: ConversationRef,
  before: string,
  withOurs: boolean,
): Promise<Message[]> {
  const { channel: id, thread } = placeOnPage(conversation)
  const channel = await store.channels.get(id)
  if (!channel) return []
  const end = (await store.messages.get(before))?.seq ?? Number.MAX_SAFE_INTEGER
  const all = await store.channels.list()
  const earlier = await store.messages.thread(id, thread, end, HISTORY_MESSAGES)
  return (
    earlier
      // Receipts, notices and errors are not part of the history: their words would be searched for.
      .filter(({ kind }) => kind === 'message' || (kind === 'answer' && withOurs))
      .map((message) => toMessage(channel, message, all))
  )
}

/** The parts that the page's server is made of. */
function createParts(options: WebAdapterOptions) {
  const { log, clock = Date.now, maxFileBytes = 200 * 1024 * 1024, loginTimeoutMs = 15_000, shared, password } = options
  const store = shared ? createSharedStore(shared.sql, clock) : openStore(options.dataDir, clock)
  const isValid = async (session: string) => password === undefined || store.sessions.valid(session)
  const browsers = createEventHub({ isValid })
  const hub = toldToAll(browsers, shared?.relay)
  const streamingTexts = createStreamingTexts((id, text) => store.messages.saveText(id, text))
  return {
    store,
    browsers,
    hub,
    streamingTexts,
    statuses: createStatuses((status) => hub.publish({ type: 'status', status })),
    delivery: createDelivery(store, streamingTexts, log),
    assets: createAssets(log),
    files: () => options.files?.() ?? NO_FILES,
    models: () => options.models?.(),
    search: () => options.search?.(),
    chooseMeaning: options.chooseMeaning,
    about: () => options.about?.(),
    pictures: options.drawPage && createPagePictures(options.drawPage, log, clock),
    tokens: options.tokens,
    keys: options.keys,
    signIn: options.signIn,
    maxFileBytes,
    loginTimeoutMs,
    log,
    clock,
  }
}

function refuseOpenPage({ loopback, password }: WebAdapterOptions): void {
  if (loopback || password) return
  throw new Error(
    'The web page needs a password on this address: set WEB_PASSWORD, or HOST=127.0.0.1 to keep it on this machine.',
  )
}

/** Events reach the browsers on other processes, too. */
const toldToAll = (browsers: EventHub, relay: SharedPage['relay'] | undefined): EventHub => ({
  ...browsers,
  publish(event) {
    browsers.publish(event)
    relay?.publish(event)
  },
})

/** The streams of the only process ended with it; other processes go on with theirs. */
async function prepare(store: WebStore, options: WebAdapterOptions): Promise<void> {
  const { shared, password, tokens, keys, log } = options
  if (shared === undefined) await store.messages.endStreams()
  // Another password ends everything that somebody with the old one has made.
  const endAll = async () => {
    await tokens?.forgetWorkspace(ADAPTER, WORKSPACE)
    const count = (await keys?.revokeAll()) ?? 0
    if (count > 0) log.warn({ count }, 'WEB_PASSWORD is new: the keys for the API that the page made are revoked')
  }
  if (password !== undefined) await store.sessions.usePassword(password, endAll)
}
