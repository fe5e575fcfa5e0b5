import {
  channelTypes,
  type DoubleChannel,
  type DoubleFile,
  type DoubleInteraction,
  type DoubleMember,
  type DoubleMessage,
  type DoubleRole,
  type DoubleUser,
} from './types.ts'

const DISCORD_EPOCH = 1_420_070_400_000
/** When all that is there at the start was made. */
export const MADE_AT = '2026-01-01T00:00:00.000Z'
/** When the further guilds were made, a millisecond after each other: no other id is as old. */
const CROWD_EPOCH = Date.UTC(2020, 0, 1)

/** Ids as Discord makes them: time in the upper 42 bits, so that they sort by age. */
function createSnowflakes() {
  let sequence = 0n
  return (at: number = Date.now()): string => {
    sequence = (sequence + 1n) & 0x3fffffn
    return ((BigInt(at - DISCORD_EPOCH) << 22n) | sequence).toString()
  }
}

/** Everything that exists in the double: one guild, its channels and threads, direct messages, people, files. */
export function createWorld() {
  const nextId = createSnowflakes()
  const users = new Map<string, DoubleUser>()
  const channels = new Map<string, DoubleChannel>()
  const files = new Map<string, DoubleFile>()
  const members = new Map<string, DoubleMember>()
  const interactions = new Map<string, DoubleInteraction>()
  const guildId = nextId()
  const botRoleId = nextId()

  const user = (name: string, options: { readonly bot?: boolean } = {}): DoubleUser => {
    const found = users.get(name)
    if (found !== undefined) return found
    const made = { id: nextId(), username: name.toLowerCase(), global_name: name, bot: options.bot ?? false }
    users.set(name, made)
    members.set(made.id, { roles: [] })
    return made
  }
  const bot = user('Footbridge', { bot: true })
  members.set(bot.id, { roles: [botRoleId] })
  const owner = user('owner')
  // View Channel, Read Message History, Send Messages, Connect and such: Discord's defaults for everybody in a new
  // guild.
  const everyday = '274879335488'
  const roles: DoubleRole[] = [
    { id: guildId, name: '@everyone', permissions: everyday },
    { id: botRoleId, name: bot.username, permissions: everyday, bot: bot.id },
  ]

  const addChannel = (channel: Omit<DoubleChannel, 'messages' | 'overwrites' | 'threadMembers'>): DoubleChannel => {
    const made = {
      ...channel,
      messages: new Map<string, DoubleMessage>(),
      overwrites: [],
      threadMembers: new Set<string>(),
    }
    channels.set(made.id, made)
    return made
  }
  const directChannelOf =
    (of: DoubleUser) =>
    (recipient: DoubleUser): DoubleChannel => {
      const all = [...channels.values()]
      const known = all.find((one) => one.recipient?.id === recipient.id && one.with === of.id)
      const made = { id: nextId(), type: channelTypes.direct, name: recipient.username, recipient, with: of.id }
      return known ?? addChannel(made)
    }
  const find = (id: string) => channels.get(id) ?? ofCrowd(id)
  const channel = (id: string): DoubleChannel => {
    const found = find(id)
    if (found === undefined) throw new Error(`The double has no channel ${id}: make it with addChannel().`)
    return found
  }
  const message = (id: string): DoubleMessage | undefined => {
    for (const { messages } of channels.values()) {
      const found = messages.get(id)
      if (found !== undefined) return found
    }
    return undefined
  }
  /** Ids of the channels of further guilds, which the double makes up when they are used. */
  const crowd = new Map<string, readonly string[]>()
  const addCrowd = (guilds: number, channelsEach: number) => {
    for (let index = 1; index <= guilds; index += 1) {
      const base = BigInt(CROWD_EPOCH - DISCORD_EPOCH + index) << 22n
      const ids = Array.from({ length: channelsEach }, (_, channelIndex) => String(base + BigInt(channelIndex + 1)))
      crowd.set(String(base), ids)
    }
  }
  const ofCrowd = (id: string): DoubleChannel | undefined => {
    if (crowd.size === 0 || !/^\d+$/.test(id)) return undefined
    const guild = String((BigInt(id) >> 22n) << 22n)
    if (crowd.get(guild)?.includes(id) !== true) return undefined
    return addChannel({ id, type: channelTypes.text, name: `channel-${id.slice(-4)}`, guildId: guild })
  }
  const userById = (id: string) => [...users.values()].find((candidate) => candidate.id === id)

  return {
    nextId,
    /** Words that AutoMod blocks in the guild. */
    blockedWords: undefined as RegExp | undefined,
    /** Message Content is on. */
    applicationFlags: 1 << 19,
    guildId,
    guildName: 'Double',
    /** Since when the bot is in the guild. */
    joinedAt: MADE_AT,
    botRoleId,
    bot,
    user,
    userById,
    channels,
    channel,
    find,
    /** Recommended number of shards, and how many may begin at once. */
    shards: { recommended: 1, atOnce: 1 },
    addChannel,
    directChannel: directChannelOf(bot),
    directChannelOf,
    message,
    files,
    owner,
    roles,
    /** Who is in the guild: all whom the double knows, until they leave. */
    members,
    crowd,
    addCrowd,
    /** By token. */
    interactions,
  }
}

export type World = ReturnType<typeof createWorld>

/** The same world as another application sees it: its bot is in the guild, too. */
export function asAnotherApplication(world: World): World {
  const bot = world.user('Another bot', { bot: true })
  const role = { id: world.nextId(), name: bot.username, permissions: world.roles[1]?.permissions ?? '0', bot: bot.id }
  world.roles.push(role)
  world.members.set(bot.id, { roles: [role.id] })
  return {
    ...world,
    bot,
    botRoleId: role.id,
    directChannel: world.directChannelOf(bot),
    applicationFlags: 1 << 19,
    interactions: new Map(),
  }
}

/** Oldest first. */
export function messagesOf(channel: DoubleChannel): DoubleMessage[] {
  return [...channel.messages.values()].toSorted((a, b) => compareIds(a.id, b.id))
}

export function compareIds(a: string, b: string): number {
  if (a === b) return 0
  return BigInt(a) < BigInt(b) ? -1 : 1
}
