/** The state of the pretended workspace: who is there, what was said, which files exist. */
import {
  type AgentSession,
  Refusal,
  type Channel,
  type ChannelKind,
  type HostedFile,
  type Json,
  type StoredMessage,
  type User,
} from './types.ts'

export interface Workspace {
  readonly teamId: string
  readonly appId: string
  readonly botUserId: string
  readonly botId: string
  readonly channels: Map<string, Channel>
  readonly users: Map<string, User>
  readonly files: Map<string, HostedFile>
  readonly messages: StoredMessage[]
  /** `channel:thread` → the status line and when it fades. */
  readonly statuses: Map<string, { readonly text: string; readonly until: number }>
  /** Views that a press lets the app open, by trigger id. Good once, for 3 seconds. */
  readonly triggers: Map<string, { readonly user: string; readonly at: number; readonly entity?: string }>
  /** App Home of each person. */
  readonly homes: Map<string, Json>
  /** What each person sees beside the chat: the details of a Work Object, or why there are none. */
  readonly flexpanes: Map<string, Json>
  /** False: the app has no Work Object Previews, and Slack leaves them out without a word. */
  hasWorkObjects?: boolean
  /** `channel:thread` → the agent session of this thread. */
  readonly sessions: Map<string, AgentSession>
  /** Dialogs that are open, by id. */
  readonly views: Map<string, { readonly user: string; readonly view: Json }>
  /** Files on their way up: asked for, and with bytes once these are there. */
  readonly uploads: Map<string, { readonly name: string; readonly length: number; bytes?: Uint8Array }>
  /**
   * Blocks that a container may not hold, in addition to those of the documentation; some say that live Slack takes no
   * `rich_text`.
   */
  refusedInContainers?: readonly string[]
  /** Blocks that are newer than the workspace. */
  refusedBlocks?: readonly string[]
  /**
   * The app is a commercial one outside the Marketplace: of channels and of threads one page in this time (a minute at
   * Slack), with 15 messages at most. https://docs.slack.dev/changelog/2025/05/29/rate-limit-changes-for-non-marketplace-apps
   */
  readEveryMs?: number
  /** When each method last read for such an app. */
  readonly lastReads: Map<string, number>
  /** Scopes of the bot token, told with each answer. */
  scopes?: readonly string[]
  /** Addresses for answers to commands, by id. */
  readonly responses: Map<
    string,
    { readonly channel: string; readonly user: string; readonly ts?: string; left: number }
  >
  responseUrl: (id: string) => string
  nextId(prefix: string): string
  nextTs(): string
  addChannel(input?: Partial<Pick<Channel, 'id' | 'name' | 'joined' | 'creator'>> & { kind?: ChannelKind }): Channel
  addUser(input?: Partial<User>): User
  channel(id: unknown): Channel
  /** In the order in which they were said, deleted ones too. */
  messagesIn(channel: string): readonly StoredMessage[]
  /** Without its first message; deleted ones too. */
  repliesTo(channel: string, ts: string): readonly StoredMessage[]
  /** Forgets messages of before: a run of a million events must not look through all of them. */
  forgetBefore(ts: string): void
  /** The message, unless deleted. */
  message(channel: string, ts: unknown): StoredMessage | undefined
  insert(message: Omit<StoredMessage, 'deleted' | 'ts'> & { ts?: string }): StoredMessage
}

const prefixes: Record<ChannelKind, string> = { channel: 'C', private: 'G', im: 'D', mpim: 'G' }

/** Its channel, and its thread there. */
const placesOf = ({ channel, threadTs }: StoredMessage) =>
  threadTs === undefined ? [channel] : [channel, `${channel}:${threadTs}`]

export function createWorkspace(teamId = 'T0HOME', botUserId = 'U0BOT'): Workspace {
  let ids = 0
  let ticks = 0
  let second = 0
  const channels = new Map<string, Channel>()
  const users = new Map<string, User>()
  const messages: StoredMessage[] = []
  const byTs = new Map<string, StoredMessage>()
  const byPlace = new Map<string, StoredMessage[]>()
  const nextId = (prefix: string) => `${prefix}${String((ids += 1)).padStart(5, '0')}`
  /** The time of now, and later than each before. */
  const nextTs = () => {
    const now = Math.floor(Date.now() / 1000)
    ticks += 1
    if (now > second || ticks === 1000) [second, ticks] = [Math.max(now, second + 1), 1]
    return `${second}.${String(ticks * 1000 + 100).padStart(6, '0')}`
  }
  const addUser = (input: Partial<User> = {}): User => {
    const id = input.id ?? nextId('U')
    const user = { name: `user ${id}`, teamId, bot: false, ...input, id }
    users.set(id, user)
    return user
  }
  function keep(message: StoredMessage): void {
    messages.push(message)
    byTs.set(`${message.channel}:${message.ts}`, message)
    for (const place of placesOf(message)) {
      const there = byPlace.get(place) ?? []
      there.push(message)
      byPlace.set(place, there)
    }
  }
  addUser({ id: botUserId, name: 'footbridge', bot: true })
  return {
    teamId,
    appId: 'A0APP',
    botUserId,
    botId: 'B0BOT',
    channels,
    users,
    files: new Map(),
    messages,
    statuses: new Map(),
    lastReads: new Map(),
    triggers: new Map(),
    views: new Map(),
    homes: new Map(),
    flexpanes: new Map(),
    sessions: new Map(),
    uploads: new Map(),
    responses: new Map(),
    responseUrl: (id) => id,
    nextId,
    nextTs,
    addUser,
    addChannel(input = {}) {
      const kind = input.kind ?? 'channel'
      const id = input.id ?? nextId(prefixes[kind])
      const channel = {
        id,
        kind,
        name: input.name ?? id.toLowerCase(),
        members: new Set<string>(),
        joined: input.joined ?? true,
        ...(input.creator === undefined ? {} : { creator: input.creator }),
      }
      channels.set(id, channel)
      return channel
    },
    channel(id) {
      const channel = typeof id === 'string' ? channels.get(id) : undefined
      if (channel === undefined) throw new Refusal('channel_not_found')
      return channel
    },
    messagesIn: (channel) => byPlace.get(channel) ?? [],
    repliesTo: (channel, ts) => byPlace.get(`${channel}:${ts}`) ?? [],
    forgetBefore(ts) {
      const kept = messages.filter((message) => message.ts >= ts)
      for (const all of [byTs, byPlace]) all.clear()
      messages.length = 0
      for (const message of kept) keep(message)
    },
    message(channel, ts) {
      const found = typeof ts === 'string' ? byTs.get(`${channel}:${ts}`) : undefined
      return found === undefined || found.deleted ? undefined : found
    },
    insert(input) {
      const message: StoredMessage = { ...input, ts: input.ts ?? nextTs(), deleted: false }
      keep(message)
      return message
    },
  }
}

/** The same workspace as another app sees it. */
export function asAnotherApp(workspace: Workspace): Workspace {
  const { id: botUserId } = workspace.addUser({ id: 'U1BOT', name: 'another app', bot: true })
  return { ...workspace, appId: appOf('B1BOT'), botId: 'B1BOT', botUserId }
}

const appOf = (botId: string) => botId.replace(/^B(.*)BOT$/, 'A$1APP')

/** A message as `conversations.replies` and events show it. */
export function toWire(workspace: Workspace, message: StoredMessage, withMetadata: boolean): Json {
  const replies =
    message.threadTs === undefined
      ? workspace.repliesTo(message.channel, message.ts).filter((m) => !m.deleted && m.ephemeralTo === undefined)
      : []
  const threadTs = message.threadTs ?? (replies.length > 0 ? message.ts : undefined)
  const user = workspace.users.get(message.user)
  const root = message.threadTs === undefined ? undefined : workspace.message(message.channel, message.threadTs)
  return {
    type: 'message',
    user: message.user,
    ...(message.botId === undefined ? {} : { bot_id: message.botId, app_id: appOf(message.botId) }),
    ...(message.subtype === undefined ? {} : { subtype: message.subtype }),
    text: message.text === '' ? (message.markdown ?? '') : message.text,
    ts: message.ts,
    team: user?.teamId ?? workspace.teamId,
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    ...(root === undefined ? {} : { parent_user_id: root.user }),
    ...(replies.length > 0 ? { reply_count: replies.length, latest_reply: replies.at(-1)?.ts } : {}),
    ...(message.blocks.length > 0 ? { blocks: message.blocks } : {}),
    ...(message.files.length > 0 ? { files: message.files } : {}),
    ...(message.edited === undefined ? {} : { edited: { user: message.user, ts: message.edited } }),
    ...message.kept,
    ...(withMetadata && message.metadata !== undefined ? { metadata: message.metadata } : {}),
  }
}
