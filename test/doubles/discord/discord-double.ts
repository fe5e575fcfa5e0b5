import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Away, restAnswer } from './away.ts'
import { createFaults } from './faults.ts'
import { createFileHost } from './file-host.ts'
import { createGateway, type Gateway, intents } from './gateway.ts'
import { createMessages, type Ping } from './messages.ts'
import { channelPayload, createPayloads } from './payloads.ts'
import { createInteractions, type Interactions, type PressedButton } from './interactions.ts'
import { createPeople, type Said, type SaidFile } from './people.ts'
import { createRateLimits, type RateLimitOptions, realLimits } from './rate-limits.ts'
import { createRest } from './rest.ts'
import { transcriptOf } from './transcript.ts'
import {
  channelTypes,
  type DoubleCall,
  type DoubleChannel,
  type DoubleFault,
  type DoubleMember,
  type DoubleMessage,
  type DoubleOverwrite,
  isThread,
  type TranscriptEntry,
} from './types.ts'
import { createWatch } from './watch.ts'
import { asAnotherApplication, createWorld, type World } from './world.ts'

export interface DiscordDoubleOptions {
  /** `double-token` unless told; any other is refused with 401 and 4004. */
  readonly token?: string
  /** Real limits unless told. */
  readonly limits?: Partial<RateLimitOptions>
  /** How long a nonce is remembered: 5 minutes. */
  readonly nonceWindowMs?: number
  /** Life of an attachment address: 24 hours. */
  readonly attachmentTtlMs?: number
  /** 41,250 ms, as Discord's. */
  readonly heartbeatIntervalMs?: number
  /** False: the MESSAGE CONTENT intent is not enabled for this application (4014). */
  readonly messageContent?: boolean
  /** `Double` unless told. */
  readonly guildName?: string
  /** Further guilds, each with this many channels without a message. */
  readonly crowd?: { readonly guilds: number; readonly channels: number }
  /** Shards that Discord recommends, and how many may begin at once: 1 and 1. */
  readonly shards?: { readonly recommended: number; readonly atOnce: number }
  /** The address at which sessions are resumed has a host without an address. */
  readonly sessionHostGoes?: boolean
  /** Language of people, told with their presses: `de`. */
  readonly locale?: string
  /** Another application, whose bot is in the same guild: each is told of what people and the other one write. */
  readonly beside?: DiscordDouble
}

/** A connection of one application to what happens. */
interface Listener extends Pick<Gateway, 'dispatch'> {
  changed(): void
}

export interface DiscordDouble {
  /** For `rest.api` of discord.js and `DISCORD_API_URL`. */
  readonly apiUrl: string
  /** For `FILE_HOSTS`. */
  readonly fileHost: string
  readonly token: string
  readonly botUserId: string
  readonly botRoleId: string
  readonly guildId: string
  /** A channel called `general`, there from the start. */
  readonly channel: string
  readonly calls: readonly DoubleCall[]
  readonly pings: readonly Ping[]
  readonly gateway: Gateway
  readonly world: World
  /** All applications in the guild. */
  readonly applications: Set<Listener>
  /** Ids of the channels of each further guild. */
  readonly crowd: readonly (readonly string[])[]
  readonly addChannel: (name: string, options?: { readonly nsfw?: boolean }) => string
  /** Under a message its id is the message's own, as in Discord. Not announced: clients have to look it up. */
  readonly addThread: (
    channel: string,
    name: string,
    starterMessageId?: string,
    options?: { readonly announced?: boolean; readonly closed?: boolean },
  ) => string
  /** Locks or archives a thread, or puts a channel into slow mode. */
  readonly restrict: (channel: string, how: Partial<Pick<DoubleChannel, 'archived' | 'locked' | 'slowModeMs'>>) => void
  /** AutoMod blocks texts with these words in the server, new ones and edits. */
  readonly blockWords: (words: RegExp) => void
  /** Refuses every REST call about this channel, as for a channel that the bot may not see. */
  readonly hideChannel: (channel: string) => void
  readonly userId: (name: string) => string
  /** Of a person, a role or a channel. */
  readonly nameOf: (id: string) => string
  readonly say: (said: Said) => DoubleMessage
  readonly edit: (messageId: string, text: string) => void
  /** Takes a file out of a message that stays. */
  readonly detach: (messageId: string, fileName: string) => void
  /** MESSAGE_UPDATE without an edit, as after a link preview. */
  readonly touch: (messageId: string) => void
  /** Puts an emoji under a message, 📌 unless told. */
  readonly react: (messageId: string, user?: string, emoji?: string, hasId?: boolean) => void
  /** The gateway tells of this message once more. */
  readonly tellAgain: (messageId: string) => void
  readonly remove: (messageId: string) => void
  readonly removeMany: (messageIds: readonly string[]) => void
  readonly pressButton: (messageId: string, label: string, user?: string) => PressedButton
  /** Chooses from a menu under a message. */
  readonly choose: Interactions['choose']
  /** Fills in the dialog that their press opened, and sends it. */
  /** `ticked`: values of its boxes. */
  readonly submitModal: Interactions['submit']
  /** The same with a dialog for files, which a command opened. */
  readonly submitFiles: Interactions['submitFiles']
  /** Calls a registered command, or one on a message (`target`). */
  readonly callCommand: Interactions['call']
  readonly complete: Interactions['complete']
  /** Discord refuses commands of this name. */
  readonly refuseCommand: (name: string) => void
  /** Discord takes the MESSAGE CONTENT intent away: REST tells no words any more, and the next session closes with 4014. */
  readonly withdrawContent: () => void
  /** A channel that is no text channel. */
  readonly addPlace: (
    name: string,
    type: 'forum' | 'media' | 'stage' | 'voice' | 'announcement',
    tags?: readonly string[],
  ) => string
  /** Somebody posts in a forum; gives the id of the post, which its first message has too. */
  readonly post: (forum: string, title: string, said: Said & { readonly tags?: readonly string[] }) => string
  readonly tagsOf: (post: string) => readonly string[]
  /** A channel of a server in which the bot is not. */
  readonly addForeignChannel: (name: string) => string
  /** Lets this many milliseconds pass for every interaction. */
  readonly ageInteractions: (ms: number) => void
  /** The bot may not read the history of this channel any more. */
  readonly hideHistory: (channel: string) => void
  readonly leave: (user: string) => void
  /** Returns its id. */
  readonly addRole: (permissions: bigint, name?: string) => string
  readonly setMember: (user: string, member: DoubleMember) => void
  /** Permissions of everybody in the guild. */
  readonly setEveryone: (permissions: bigint) => void
  readonly setOverwrites: (channel: string, overwrites: readonly DoubleOverwrite[]) => void
  readonly joinThread: (thread: string, user: string) => void
  readonly hostFile: (file: SaidFile & { readonly channel?: string }) => { readonly id: string; readonly url: string }
  /** Address of a file that hangs on a message. */
  readonly fileOf: (messageId: string, name: string) => string
  /** Its bytes; empty where no file has this name. */
  readonly bytesOf: (messageId: string, name: string) => Uint8Array
  readonly expireFiles: () => void
  readonly redirectFile: (fileId: string, location: string) => void
  /** Returns a function that ends it. `script('POST /channels/:channel/messages', { kind: 'status', status: 502, afterCommit: true })`; files: `GET /attachments`. */
  readonly script: (route: string, fault: DoubleFault) => () => void
  /** Discord is away until the returned function is called. */
  readonly goAway: (how: Away) => () => Promise<void>
  readonly callsTo: (route: string) => readonly DoubleCall[]
  /** Messages that a person sees in this channel or thread now, oldest first. */
  readonly transcript: (channel: string) => readonly TranscriptEntry[]
  readonly directChannelOf: (user: string) => string
  /** Resolves with the first result that is neither undefined nor false, looked for after every request and event. */
  readonly until: <T>(look: () => T | undefined | false, timeoutMs?: number) => Promise<T>
  readonly close: () => Promise<void>
}

/** https://www.rfc-editor.org/rfc/rfc6761#section-6.4: no address, ever. */
const GONE = 'ws://gateway.invalid/gateway'

const refuses = (how: Away | undefined) => how === 'refused' || how === 'dns'

/** Starts Discord on a free loopback port: REST v10, gateway and files, with Discord's own limits. */
export async function startDiscordDouble(options: DiscordDoubleOptions = {}): Promise<DiscordDouble> {
  const token = options.token ?? 'double-token'
  const calls: DoubleCall[] = []
  const { beside } = options
  const world = beside === undefined ? createWorld() : asAnotherApplication(beside.world)
  world.guildName = options.guildName ?? world.guildName
  if (options.messageContent === false) world.applicationFlags = 0
  if (options.crowd !== undefined) world.addCrowd(options.crowd.guilds, options.crowd.channels)
  Object.assign(world.shards, options.shards)
  const faults = createFaults()
  const watch = createWatch()
  const address = { port: 0, gateway: 0 }
  const origin = () => `http://127.0.0.1:${address.port}`
  // A server of its own, which can be away alone.
  const gatewayServer = createServer()
  let away: Away | undefined
  const applications: DiscordDouble['applications'] = beside?.applications ?? new Set()
  const changed = () => applications.forEach((application) => application.changed())
  const gatewayUrl = () => (away === 'dns' ? GONE : `ws://127.0.0.1:${address.gateway}/gateway`)

  const host = createFileHost(world, { origin, ttlMs: options.attachmentTtlMs ?? 86_400_000 })
  const payloads = createPayloads(world, host)
  const limit = createRateLimits({ ...realLimits, ...options.limits })
  const server = createRest({
    token,
    calls,
    faults,
    host,
    limit,
    context: () => ({ world, gateway: all, messages, payloads, gatewayUrl, interactions }),
    changed,
    away: () => restAnswer(away),
  })
  const gateway = createGateway(gatewayServer, {
    token,
    world,
    resumeUrl: () => (options.sessionHostGoes === true ? GONE : gatewayUrl()),
    heartbeatIntervalMs: options.heartbeatIntervalMs ?? 41_250,
    changed,
  })
  /** Direct conversations are between one bot and a person. */
  const all: Listener = {
    changed,
    dispatch(event, payload, intent) {
      const isDirect = intent === intents.directMessages || intent === intents.directReactions
      for (const each of isDirect ? [gateway] : applications) each.dispatch(event, payload, intent)
    },
  }
  applications.add({ changed: watch.changed, dispatch: (...event) => gateway.dispatch(...event) })
  const nonceWindowMs = options.nonceWindowMs ?? 300_000
  const messages = createMessages({ world, gateway: all, payloads, nonceWindowMs })
  const general =
    beside === undefined
      ? world.addChannel({ id: world.nextId(), type: channelTypes.text, name: 'general' })
      : world.channel(beside.channel)
  const people = createPeople({ world, gateway: all, messages, defaultChannel: () => general.id })
  const interactions = createInteractions({
    world,
    gateway,
    messages,
    payloads,
    host: people.host,
    payloadOf: (file) => host.payload(file),
    locale: options.locale ?? 'de',
    defaultChannel: () => general.id,
  })

  const listen = async (one: typeof server, port = 0) => {
    await new Promise<void>((resolve) => one.listen(port, '127.0.0.1', resolve))
    return (one.address() as AddressInfo).port
  }
  address.port = await listen(server)
  address.gateway = await listen(gatewayServer)

  const nameOf = (id: string) =>
    world.userById(id)?.global_name ??
    world.roles.find((role) => role.id === id)?.name ??
    world.channels.get(id)?.name ??
    id
  return {
    apiUrl: `${origin()}/api`,
    fileHost: `127.0.0.1:${address.port}`,
    token,
    botUserId: world.bot.id,
    botRoleId: world.botRoleId,
    guildId: world.guildId,
    channel: general.id,
    calls,
    pings: messages.pings,
    gateway,
    world,
    applications,
    crowd: [...world.crowd.values()],
    addChannel(name, { nsfw } = {}) {
      const channel = world.addChannel({ id: world.nextId(), type: channelTypes.text, name, nsfw })
      all.dispatch('CHANNEL_CREATE', channelPayload(world, channel), intents.guilds)
      return channel.id
    },
    addThread(parentId, name, starter, { announced = true, closed = false } = {}) {
      const id = starter ?? world.nextId()
      const type = closed ? channelTypes.privateThread : channelTypes.thread
      const thread = world.addChannel({ id, type, name, parentId })
      if (announced) all.dispatch('THREAD_CREATE', channelPayload(world, thread), intents.guilds)
      return id
    },
    restrict(id, how) {
      const channel = Object.assign(world.channel(id), how)
      const event = isThread(channel.type) ? 'THREAD_UPDATE' : 'CHANNEL_UPDATE'
      all.dispatch(event, channelPayload(world, channel), intents.guilds)
    },
    blockWords: (words) => void (world.blockedWords = words),
    hideChannel: (id) => void (world.channel(id).hidden = true),
    userId: (name) => world.user(name).id,
    nameOf,
    say: people.say,
    edit: people.edit,
    detach: people.detach,
    touch: people.touch,
    react: people.react,
    tellAgain: people.tellAgain,
    remove: people.remove,
    removeMany: people.removeMany,
    pressButton: interactions.press,
    choose: interactions.choose,
    submitModal: interactions.submit,
    submitFiles: interactions.submitFiles,
    callCommand: interactions.call,
    complete: interactions.complete,
    refuseCommand: (name) => interactions.commands.refuse(name),
    withdrawContent: () => void (world.applicationFlags = 0),
    ageInteractions: interactions.age,
    hideHistory(id) {
      const channel = world.channels.get(id)
      if (channel !== undefined) channel.hidesHistory = true
    },
    addPlace(name, type, tags = []) {
      const ids = Object.fromEntries(tags.map((tag) => [world.nextId(), tag]))
      const channel = world.addChannel({ id: world.nextId(), type: channelTypes[type], name, tags: ids })
      all.dispatch('CHANNEL_CREATE', channelPayload(world, channel), intents.guilds)
      return channel.id
    },
    post(forum, title, { tags = [], ...said }) {
      const id = world.nextId()
      const known = Object.entries(world.channel(forum).tags ?? {})
      const post = world.addChannel({ id, type: channelTypes.thread, name: title, parentId: forum })
      post.appliedTags = known.filter(([, name]) => tags.includes(name)).map(([tag]) => tag)
      all.dispatch('THREAD_CREATE', { ...channelPayload(world, post), newly_created: true }, intents.guilds)
      people.say({ ...said, channel: id, id })
      return id
    },
    tagsOf: (id) => {
      const { appliedTags = [], parentId = '' } = world.channel(id)
      return appliedTags.map((tag) => world.channel(parentId).tags?.[tag] ?? '')
    },
    addForeignChannel(name) {
      const id = world.nextId()
      world.addChannel({ id, type: channelTypes.text, name, guildId: world.nextId() }).hidden = true
      return id
    },
    leave: (user) => void world.members.delete(world.user(user).id),
    addRole(permissions, name) {
      const id = world.nextId()
      world.roles.push({ id, name: name ?? `role ${id}`, permissions: permissions.toString() })
      return id
    },
    setMember: (user, member) => void world.members.set(world.user(user).id, member),
    setEveryone(permissions) {
      const everyone = world.roles[0]
      if (everyone !== undefined) everyone.permissions = permissions.toString()
    },
    setOverwrites: (id, overwrites) => void (world.channel(id).overwrites = overwrites),
    joinThread: (id, user) => void world.channel(id).threadMembers.add(world.user(user).id),
    hostFile({ channel, ...file }) {
      const hosted = people.host(channel ?? general.id, file)
      return { id: hosted.id, url: String(host.payload(hosted)['url']) }
    },
    fileOf(messageId, name) {
      const file = world.message(messageId)?.files.find((each) => each.name === name)
      return file === undefined ? '' : String(host.payload(file)['url'])
    },
    bytesOf: (messageId, name) => {
      const file = world.message(messageId)?.files.find((each) => each.name === name)
      return file?.bytes ?? new Uint8Array()
    },
    expireFiles: host.expire,
    redirectFile: host.redirect,
    script: faults.add,
    goAway(how) {
      away = how
      gateway.away(how)
      if (refuses(how)) gatewayServer.close()
      return async () => {
        away = undefined
        gateway.away(undefined)
        if (refuses(how)) await listen(gatewayServer, address.gateway)
      }
    },
    callsTo: (route) => calls.filter((call) => `${call.method} ${call.route}` === route),
    transcript: (id) => transcriptOf(world.channel(id), nameOf),
    directChannelOf: (user) => world.directChannel(world.user(user)).id,
    until: watch.until,
    async close() {
      gateway.stop()
      for (const one of [server, gatewayServer]) {
        one.closeAllConnections()
        await new Promise<void>((resolve) => one.close(() => resolve()))
      }
    },
  }
}
