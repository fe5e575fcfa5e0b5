import type { Client } from 'discord.js'
import type { Adapter, Recall, Suggest } from '#bridge/port/adapter.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import { waitAtMost } from '#adapters/shared/session.ts'
import { createChannels, linkOf } from './channels.ts'
import { DEFAULT_TIMES, type DiscordAdapterOptions, MESSAGE_LIMITS } from './config.ts'
import { createConnections } from './gateway/client.ts'
import { createLink } from './gateway/link.ts'
import { createMessageContent } from './gateway/message-content.ts'
import { createDownload } from './inbound/attachment.ts'
import { createReadMarks } from './inbound/catch-up.ts'
import { type GatewayEvents, listenToGateway } from './inbound/gateway-events.ts'
import { createHistory } from './inbound/history.ts'
import { toMessage } from './inbound/message.ts'
import { registerCommands } from './inbound/command-list.ts'
import { toMenus } from './outbound/buttons.ts'
import { createEphemeral } from './outbound/ephemeral.ts'
import { createMeter, measure } from './outbound/markup.ts'
import { panelOf } from './outbound/message-body.ts'
import { createPosting } from './outbound/post.ts'
import { createReplies } from './outbound/replies.ts'
import { createTyping } from './outbound/status.ts'
import { createPermissions } from './permissions.ts'
import { createRest, idAt } from './rest.ts'

/** The `Adapter` members that Discord supports, all required. */
export type DiscordAdapter = Adapter & Required<Omit<Adapter, 'stream' | 'app' | 'messageAt'>>

const NO_SUGGESTIONS: Suggest = () => Promise.resolve([])
const NOTHING_KNOWN: Recall = () => Promise.resolve([])
const NO_CURSORS = { all: () => Promise.resolve([]), set: () => Promise.resolve() }

/** The parts of one adapter, before it connects. */
function createParts(options: DiscordAdapterOptions, onFatal: (error: Error) => void) {
  const { log } = options
  const times = { ...DEFAULT_TIMES, ...options.times }
  const limited = { until: 0, waiting: 0 }
  const content = createMessageContent(options.messageContent ?? true, log)
  const connections = createConnections(options, { times, limited, content })
  const { client } = connections
  const me = () => client().user?.id ?? ''
  const rest = createRest({ client, times, limited, onUnauthorized: onFatal })
  const channels = createChannels(client, rest, log)
  const typing = createTyping(rest, times.typingMs)
  const application = () => client().application?.id ?? me()
  const ephemeral = createEphemeral({ rest, application, presses: options.presses })
  const replies = createReplies({ rest, application, ephemeral })
  const directWith = (person: string) => channels.directWith(person)
  const names = (workspace: string) => ({
    me: me(),
    channelName: channels.channelName,
    role: (id: string) => channels.role(id, workspace),
  })
  return {
    log,
    times,
    content,
    connections,
    me,
    readsAll: content.isAsked,
    rest,
    channels,
    typing,
    ephemeral,
    names,
    application,
    replies,
    posting: createPosting({
      rest,
      me,
      times,
      pacer: options.pacer,
      posted: typing.posted,
      ephemeral,
      replies,
      directWith,
    }),
    permissions: createPermissions({ rest, log, me }),
    marks: createReadMarks(options.cursors ?? NO_CURSORS, log),
    history: createHistory({
      rest,
      me,
      toMessage: (raw, conversation) => toMessage(raw, conversation, names(conversation.workspace)),
    }),
    open: createDownload({ rest, fileHosts: options.fileHosts ?? [], idleMs: times.fileMs }),
  }
}

const limitsOf = ({
  times,
  content,
}: Pick<ReturnType<typeof createParts>, 'times' | 'content'>): Adapter['limits'] => ({
  textLength: MESSAGE_LIMITS.content,
  measure,
  meter: createMeter,
  editIntervalMs: times.editPaceMs,
  privateEditIntervalMs: times.editPaceMs,
  shortensPassages: true,
  wordlessStatus: true,
  get onlyAddressed() {
    return !content.isAsked()
  },
})

async function introduce(client: Client, commands: Parameters<typeof registerCommands>[0]): Promise<void> {
  const { shards } = client.ws
  // The process with the first shard does the work for the whole bot.
  if (shards.has(0)) await registerCommands(commands)
  const fields = {
    user: client.user?.username,
    guilds: client.guilds.cache.size,
    shards: [...shards.keys()].join(', '),
  }
  commands.log.info(fields, 'Discord is connected')
}

/**
 * Discord through discord.js. Reads mentions, direct messages, replies, threads, files and voice messages; sends
 * messages, paced edits, buttons and typing signs.
 */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createDiscordAdapter(options: DiscordAdapterOptions): DiscordAdapter {
  let state: 'new' | 'started' | 'stopped' = 'new'
  let events: GatewayEvents | undefined
  let begun: string | undefined
  let stopping: Promise<void> | undefined
  let hasFailed = false
  const ended = new AbortController()

  const onFatal = (error: Error) => {
    if (state !== 'started' || hasFailed) return
    hasFailed = true
    options.log.error({ err: error }, `Discord is lost: ${error.message}`)
    options.onFatal?.(error)
  }
  const parts = createParts(options, onFatal)
  const { log, times, rest, typing, marks, posting, permissions, history } = parts

  const link = createLink({
    ...parts,
    token: options.token,
    signal: ended.signal,
    onFatal,
    async onReady(client) {
      // From here on, messages missed in a crash are found again.
      await marks.flush()
      ended.signal.throwIfAborted()
      state = 'started'
      await introduce(client, { rest, log, application: parts.application(), guild: options.commandsGuild })
    },
  })

  /** Each call needs a connection. */
  const connected =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (state === 'started') return call(...args)
      throw new AdapterError('network', 'Footbridge is not connected to Discord: it is starting or stopping.')
    }

  async function settle(): Promise<void> {
    await events?.stop()
    await posting.settled()
    await rest.settled()
  }

  async function shutDown(): Promise<void> {
    // Queued calls are still sent after `destroy`, but new ones would fail: so wait, with a limit.
    await waitAtMost(times.stopMs, settle())
    typing.stop()
    link.stop()
    await marks.flush()
    await parts.connections.close()
  }

  return {
    name: 'discord',
    limits: limitsOf(parts),
    async start(receive, suggest = NO_SUGGESTIONS, recall = NOTHING_KNOWN) {
      if (state !== 'new') throw new AdapterError('invalid', 'This Discord adapter was started before.')
      if (options.token.trim() === '') {
        throw new AdapterError('unauthorized', 'DISCORD_TOKEN is empty. Copy it from the Bot page of the application.')
      }
      await marks.load()
      ended.signal.throwIfAborted()
      const { rememberOwn } = history
      const { removedByUs } = posting
      // A start that failed may be tried again.
      events ??= listenToGateway({ ...parts, receive, suggest, recall, rememberOwn, removedByUs })
      // Messages since the first try are for us, too, however long Discord is away.
      begun ??= idAt(Date.now())
      marks.startFrom(begun)
      const heard = events
      await link.open((client) => heard.hear(client))
    },
    stop() {
      state = 'stopped'
      ended.abort(new AdapterError('network', 'The Discord adapter was stopped while it started.'))
      return (stopping ??= shutDown())
    },
    isConnected: () => state === 'started' && !link.isLost(),
    showForm: connected(async (_, ticket, form) => {
      await parts.replies.show(ticket, panelOf(toMenus(form)))
    }),
    open: parts.open,
    post: connected(posting.post),
    edit: connected(posting.edit),
    remove: connected(posting.remove),
    upload: connected(posting.upload),
    status: (conversation, _text, signal) => typing.show(conversation, signal),
    find: connected(async (conversation, send) => {
      const replied = await parts.replies.find(conversation, send)
      return replied === undefined ? history.find(conversation, send) : replied.found
    }),
    history: connected(history.history),
    read: connected(history.read),
    isMember: connected(permissions.isMember),
    isAdmin: connected(permissions.isAdmin),
    people: { workspaceKind: 'server', kindOf: connected(permissions.kindOf), describe: async () => undefined },
    roles: {
      list: connected((conversation) => permissions.roles.list(conversation)),
      holds: connected((...asked) => permissions.roles.holds(...asked)),
    },
    describeChannel: connected(permissions.describeChannel),
    mark: connected(parts.channels.mark),
    permalink: (ref) => Promise.resolve(linkOf(ref.conversation, ref.id)),
  }
}
