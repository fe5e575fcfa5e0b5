import {
  type APIApplication,
  type APIGuild,
  ApplicationFlags,
  ChannelType,
  GatewayIntentBits,
  PermissionFlagsBits as bits,
  REST,
  Routes,
} from 'discord.js'
import { isOwnFault, ownFault } from '#adapters/shared/session.ts'
import { toAdapterError } from './errors.ts'
import { type RawChannel, type RawMember, permissionsIn } from './permissions.ts'
import { withBlock } from './rest-block.ts'

/** The permissions in use, no others; each with its name in Discord, and the functions that need it. */
const REQUIRED_PERMISSIONS = [
  [bits.ViewChannel, 'View Channel', 'nothing of it is heard'],
  [bits.SendMessages, 'Send Messages', 'nothing is answered'],
  [bits.SendMessagesInThreads, 'Send Messages in Threads', 'nothing is answered in threads and forum posts'],
  [
    bits.ReadMessageHistory,
    'Read Message History',
    'replies have no history, and missed messages, edits and deletions stay missed',
  ],
  [bits.AttachFiles, 'Attach Files', 'files and spoken answers are not handed out'],
] as const

const INVITE_PERMISSIONS = REQUIRED_PERMISSIONS.reduce((all, [bit]) => all | bit, 0n)

/** Intents of the gateway that need no approval. */
export const WITHOUT_CONTENT_INTENTS = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.GuildMessageReactions,
  GatewayIntentBits.DirectMessages,
  GatewayIntentBits.DirectMessageReactions,
] as const

/** Message Content has to be switched on at the Bot page, and approved by Discord from 10,000 users on. */
export const INTENTS = [...WITHOUT_CONTENT_INTENTS, GatewayIntentBits.MessageContent] as const

/** The functions that work without Message Content, and those that do not. */
export const WITHOUT_CONTENT =
  'Footbridge receives mentions, replies that ping it, direct messages, commands and /add. It does not receive files ' +
  'and follow-ups without a mention (docs/discord.md#without-message-content).'

const CONTENT = ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited

/** The application's id, which a bot token begins with. */
export function applicationOf(token: string | undefined): string | undefined {
  const [head = ''] = (token ?? '').replace(/^Bot /, '').split('.')
  const id = Buffer.from(head, 'base64').toString()
  return /^\d{15,22}$/.test(id) ? id : undefined
}

const link = (query: Readonly<Record<string, string>>) =>
  `https://discord.com/oauth2/authorize?${new URLSearchParams(query).toString()}`

/** The link that adds Footbridge to a server, with exactly the permissions that are used. */
export const serverInvite = (application: string): string =>
  link({ client_id: application, scope: 'bot applications.commands', permissions: INVITE_PERMISSIONS.toString() })

/** Links that add Footbridge to a server or to a person, and the settings that have to be switched on. */
export function discordInvite(application: string): string {
  return [
    'Add Footbridge to a server:',
    `  ${serverInvite(application)}`,
    `  Permissions: ${REQUIRED_PERMISSIONS.map(([, name]) => name).join(', ')}.`,
    'Take Footbridge along to other servers; it asks your own files there (Installation page: allow User Install):',
    `  ${link({ client_id: application, integration_type: '1', scope: 'applications.commands' })}`,
    'On the Bot page, switch on MESSAGE CONTENT INTENT:',
    `  https://discord.com/developers/applications/${application}/bot`,
    `  Intents: ${INTENTS.map((intent) => GatewayIntentBits[intent]).join(', ')}.`,
  ].join('\n')
}

interface Finding {
  readonly ok: boolean
  readonly text: string
}

/** Channels in which people write. */
const WRITTEN_IN: readonly ChannelType[] = [
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildForum,
  ChannelType.GuildVoice,
]
const MAX_GUILDS = 20
/** A longer wait for a rate limit is told instead. */
const MAX_WAIT_MS = 3000

/** Checks token, intent and the permissions in each channel by REST alone: a running Footbridge keeps its connection. */
export async function examineDiscord(options: {
  readonly token: string
  readonly apiUrl?: string
  /** False: Footbridge does not ask for Message Content (`DISCORD_MESSAGE_CONTENT=off`). Default true. */
  readonly messageContent?: boolean
}): Promise<readonly Finding[]> {
  const rest = new REST({
    version: '10',
    retries: 1,
    timeout: 10_000,
    makeRequest: withBlock(),
    rejectOnRateLimit: ({ retryAfter }) => retryAfter > MAX_WAIT_MS,
    ...(options.apiUrl && { api: options.apiUrl }),
  })
  rest.setToken(options.token.replace(/^Bot /, ''))
  try {
    const application = (await rest.get('/applications/@me')) as Pick<APIApplication, 'id' | 'name' | 'flags'>
    const guilds = (await rest.get(Routes.userGuilds())) as readonly Pick<APIGuild, 'id' | 'name'>[]
    const page = `https://discord.com/developers/applications/${application.id}/bot`
    const found: Finding[] = [
      { ok: true, text: `Discord accepts the token of ${application.name}` },
      contentFinding(((application.flags ?? 0) & CONTENT) !== 0, options.messageContent ?? true, page),
    ]
    if (guilds.length === 0)
      found.push({ ok: false, text: 'Discord: in no server yet. `npm run manifest discord` prints the invite link' })
    for (const guild of guilds.slice(0, MAX_GUILDS)) found.push(...(await examineGuild(rest, guild)))
    if (guilds.length > MAX_GUILDS)
      found.push({ ok: true, text: `Discord: ${guilds.length - MAX_GUILDS} more servers were not looked at` })
    return found
  } catch (error) {
    if (isOwnFault(error)) return [{ ok: false, text: ownFault('Discord', error) }]
    return [{ ok: false, text: `Discord: ${toAdapterError(error, { write: false }).message}` }]
  }
}

function contentFinding(isOn: boolean, isWanted: boolean, page: string): Finding {
  if (!isWanted) return { ok: true, text: `Discord: DISCORD_MESSAGE_CONTENT is off. ${WITHOUT_CONTENT}` }
  if (isOn) return { ok: true, text: 'Discord: MESSAGE CONTENT INTENT is on' }
  const remedy = `Switch it on at ${page}, or set DISCORD_MESSAGE_CONTENT=off`
  return { ok: false, text: `Discord: MESSAGE CONTENT INTENT is off. ${WITHOUT_CONTENT} ${remedy}` }
}

async function examineGuild(rest: REST, { id, name }: Pick<APIGuild, 'id' | 'name'>): Promise<readonly Finding[]> {
  const [guild, channels, me] = await Promise.all([
    rest.get(Routes.guild(id)) as Promise<APIGuild>,
    rest.get(Routes.guildChannels(id)) as Promise<readonly RawChannel[]>,
    rest.get(Routes.user()) as Promise<{ readonly id: string }>,
  ])
  const member = (await rest.get(Routes.guildMember(id, me.id))) as RawMember
  const written = channels.filter(({ type }) => WRITTEN_IN.includes(type))
  const lacking = written.flatMap((channel) => {
    const held = permissionsIn(guild, channel, { id: me.id, member })
    // A channel that it may not see at all is closed to it on purpose.
    if ((held & bits.ViewChannel) === 0n) return []
    const missing = REQUIRED_PERMISSIONS.filter(([bit]) => (held & bit) === 0n)
    if (missing.length === 0) return []
    const [, , why] = missing[0] ?? []
    const names = missing.map(([, label]) => label).join(', ')
    return [
      {
        ok: false,
        text: `Discord, ${name}, #${channel.name}: Footbridge lacks ${names}. Allow it for its role: ${why} until then`,
      },
    ]
  })
  const seen = written.filter((channel) => permissionsIn(guild, channel, { id: me.id, member }) !== 0n).length
  return [{ ok: seen > 0, text: `Discord, ${name}: Footbridge sees ${seen} of ${written.length} channels` }, ...lacking]
}
