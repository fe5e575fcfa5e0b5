import type {
  WebAbout,
  WebChannel,
  WebEvent,
  WebHistory,
  WebMessage,
  WebState,
  WebStatus,
  WebSearch,
} from '#adapters/web/protocol.ts'

/** A message that this browser is sending; removed once the server has accepted it. */
export interface Pending {
  readonly id: string
  readonly channel: string
  readonly thread?: string | undefined
  readonly text: string
  readonly files: readonly { readonly name: string; readonly sizeBytes: number }[]
  /** Share of uploaded bytes, 0 to 1; absent without files. */
  readonly progress?: number
  /** Why sending failed. */
  readonly failure?: string
}

export interface ChannelLog {
  readonly messages: readonly WebMessage[]
  /** `before` of the next page of older messages; null: all are loaded. */
  readonly before: string | null
}

export interface ChatState {
  readonly channels: readonly WebChannel[]
  readonly login: boolean
  readonly maxFileBytes: number
  readonly search?: WebSearch
  readonly about?: WebAbout
  readonly connect?: boolean
  readonly apiKeys?: boolean
  readonly pictures?: boolean
  readonly sample?: boolean
  readonly loaded: boolean
  readonly connected: boolean
  /** Only channels opened since the connection began. */
  readonly logs: Readonly<Record<string, ChannelLog>>
  /** Events that arrived while a channel's history was loading; applied on top of it. */
  readonly early: Readonly<Record<string, readonly WebEvent[]>>
  /** Number of full reloads: responses to requests from before the last one are ignored. */
  readonly round: number
  readonly statuses: readonly WebStatus[]
  readonly pending: readonly Pending[]
  readonly unread: readonly string[]
  readonly current: string
}

export type ChatAction =
  | { readonly type: 'state'; readonly state: WebState }
  /** The history of a channel is loading. */
  | { readonly type: 'asked'; readonly channel: string }
  | { readonly type: 'history'; readonly channel: string; readonly history: WebHistory; readonly older: boolean }
  | { readonly type: 'events'; readonly events: readonly WebEvent[] }
  | { readonly type: 'connected'; readonly connected: boolean }
  | { readonly type: 'open'; readonly channel: string }
  | { readonly type: 'pending'; readonly pending: Pending }
  | { readonly type: 'settled'; readonly id: string }

export const EMPTY: ChatState = {
  channels: [],
  login: false,
  maxFileBytes: Number.MAX_SAFE_INTEGER,
  loaded: false,
  connected: true,
  logs: {},
  early: {},
  round: 0,
  statuses: [],
  pending: [],
  unread: [],
  current: '',
}

export function reduce(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case 'state':
      // Loaded logs may miss events now: each channel is reloaded when opened.
      return { ...state, ...action.state, loaded: true, logs: {}, early: {}, round: state.round + 1 }
    case 'asked':
      return { ...state, early: { ...state.early, [action.channel]: [] } }
    case 'history':
      return withHistory(state, action.channel, action.history, action.older)
    case 'events':
      return action.events.reduce((before, event) => applyEvent(withEarlyEvent(before, event), event), state)
    case 'connected':
      return { ...state, connected: action.connected }
    case 'open':
      return { ...state, current: action.channel, unread: state.unread.filter((id) => id !== action.channel) }
    case 'pending': {
      const others = state.pending.filter(({ id }) => id !== action.pending.id)
      return { ...state, pending: [...others, action.pending] }
    }
    case 'settled':
      return { ...state, pending: state.pending.filter(({ id }) => id !== action.id) }
    default:
      return action satisfies never
  }
}

function applyEvent(state: ChatState, event: WebEvent): ChatState {
  switch (event.type) {
    case 'hello':
      return state
    case 'channel': {
      const at = state.channels.findIndex(({ id }) => id === event.channel.id)
      return {
        ...state,
        channels: at < 0 ? [...state.channels, event.channel] : state.channels.with(at, event.channel),
      }
    }
    case 'channel-gone':
      return {
        ...state,
        channels: state.channels.filter(({ id }) => id !== event.channel),
        unread: state.unread.filter((id) => id !== event.channel),
      }
    case 'status':
      return { ...state, statuses: withStatus(state.statuses, event.status) }
    case 'message':
      return withLog(markUnread(state, event.message), event)
    case 'removed':
    case 'delta':
      return withLog(state, event)
    default:
      // Unknown events of a newer server are ignored.
      return state
  }
}

function withEarlyEvent(state: ChatState, event: WebEvent): ChatState {
  const channel = channelOf(event)
  const early = channel === undefined ? undefined : state.early[channel]
  if (channel === undefined || early === undefined) return state
  return { ...state, early: { ...state.early, [channel]: [...early, event] } }
}

/** The channel whose messages an event changes. */
function channelOf(event: WebEvent): string | undefined {
  if (event.type === 'message') return event.message.channel
  return event.type === 'removed' || event.type === 'delta' ? event.channel : undefined
}

function applyToMessages(messages: readonly WebMessage[], event: WebEvent): readonly WebMessage[] {
  switch (event.type) {
    case 'message':
      return upsert(messages, event.message)
    case 'removed':
      return messages.filter(({ id }) => id !== event.id)
    case 'delta':
      return messages.map((message) => (message.id === event.id ? grow(message, event.at, event.text) : message))
    case 'hello':
    case 'channel':
    case 'channel-gone':
    case 'status':
      return messages
    default:
      return messages
  }
}

function markUnread(state: ChatState, message: WebMessage): ChatState {
  const seen = !message.ours || message.channel === state.current || state.unread.includes(message.channel)
  return seen ? state : { ...state, unread: [...state.unread, message.channel] }
}

function withLog(state: ChatState, event: WebEvent): ChatState {
  const channel = channelOf(event)
  const log = channel === undefined ? undefined : state.logs[channel]
  if (channel === undefined || !log) return state
  const messages = applyToMessages(log.messages, event)
  return { ...state, logs: { ...state.logs, [channel]: { ...log, messages } } }
}

function withHistory(state: ChatState, channel: string, history: WebHistory, older: boolean): ChatState {
  const known = state.logs[channel]
  if (older && !known) return state
  // The newer copy of each message wins; early events are applied on top.
  const { [channel]: early = [], ...others } = state.early
  const loaded = history.messages.reduce(upsert, known?.messages ?? [])
  const messages = older ? loaded : early.reduce(applyToMessages, loaded)
  const before = known && !older ? known.before : history.before
  return { ...state, early: older ? state.early : others, logs: { ...state.logs, [channel]: { messages, before } } }
}

/** Inserts or updates a message; an older copy of a known one is ignored. */
export function upsert(messages: readonly WebMessage[], message: WebMessage): readonly WebMessage[] {
  const at = messages.findIndex(({ id }) => id === message.id)
  const known = messages[at]
  if (!known) return [...messages, message].toSorted((a, b) => a.seq - b.seq)
  const stale = known.rev > message.rev || (known.rev === message.rev && known.text.length > message.text.length)
  return stale ? messages : messages.with(at, message)
}

/** Adds a streamed piece at its offset; text that is there already is not added twice. */
export function grow(message: WebMessage, at: number, piece: string): WebMessage {
  const missing = message.text.length - at
  if (!message.streaming || missing < 0 || missing >= piece.length) return message
  return { ...message, text: message.text + piece.slice(missing) }
}

function withStatus(statuses: readonly WebStatus[], status: WebStatus): readonly WebStatus[] {
  const others = statuses.filter(({ channel, thread }) => channel !== status.channel || thread !== status.thread)
  return status.text === null ? others : [...others, status]
}

/** A root message and its replies. */
export interface Thread {
  /** Id of the root, also if the root itself is deleted or not loaded. */
  readonly id: string
  readonly root?: WebMessage
  readonly replies: readonly WebMessage[]
  readonly pending: readonly Pending[]
  readonly status?: string
}

/** Groups the messages of a channel, oldest root first. In a chat every message is its own root. */
export function toThreads(
  messages: readonly WebMessage[],
  pending: readonly Pending[],
  statuses: readonly WebStatus[],
): readonly Thread[] {
  const known = new Set(messages.map(({ id }) => id))
  const waiting = pending.filter(({ id }) => !known.has(id))
  const groups = new Map<string, { root?: WebMessage; replies: WebMessage[]; pending: Pending[] }>()
  const groupOf = (id: string) => {
    const group = groups.get(id) ?? { replies: [], pending: [] }
    groups.set(id, group)
    return group
  }
  for (const message of messages) {
    if (message.thread === undefined) groupOf(message.id).root = message
    else groupOf(message.thread).replies.push(message)
  }
  for (const message of waiting) groupOf(message.thread ?? message.id).pending.push(message)
  return [...groups].map(([id, group]) => {
    const status = statuses.find(({ thread }) => thread === id)?.text
    return { id, ...group, status: status ?? undefined }
  })
}
