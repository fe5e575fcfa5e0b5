import {
  startDiscordDouble,
  type DiscordDouble,
  type DiscordDoubleOptions,
} from '../../doubles/discord/discord-double.ts'
import type { TranscriptEntry } from '../../doubles/discord/types.ts'
import type { Desk, Doing, Where } from './desk.ts'

export interface DiscordDesk extends Desk {
  readonly discord: DiscordDouble
}

const MESSAGES = '/channels/:channel/messages'
const NAMES: Readonly<Record<string, 'create' | 'delete'>> = {
  [`POST ${MESSAGES}`]: 'create',
  [`DELETE ${MESSAGES}/:message`]: 'delete',
}

/** Ada in the channel `general` of a pretended guild, and in a direct conversation. */
export async function openDiscordDesk(options: DiscordDoubleOptions = {}): Promise<DiscordDesk> {
  const discord = await startDiscordDouble({ token: 'discord-token-0123456789', ...options })
  const placeOf = ({ direct, place }: Where = {}) =>
    place ?? (direct === true ? discord.directChannelOf('Ada') : discord.channel)

  function view(entry: TranscriptEntry): string {
    const said = entry.text
      .replaceAll(`<@${discord.botUserId}>`, '@Footbridge')
      .replaceAll(/<t:\d+:d>/g, '<day>')
      .replaceAll(/<https:\/\/discord\.com\/channels\/[^>]*>/g, '<link>')
    const files = entry.files.map((name) => `(${name})`)
    const buttons = entry.buttons.map((label) => `[${label}]`)
    const text = [said, ...files, ...buttons].filter((part) => part !== '').join('\n')
    return `${entry.replyTo === undefined ? '' : '↳ '}${entry.bot ? 'Footbridge' : entry.author}: ${text}`
  }

  function does(doing: Doing): string {
    discord.gateway.repeat(doing.times ?? 1)
    const { id } = discord.say({
      user: doing.by ?? 'Ada',
      ...(doing.text === undefined ? {} : { text: doing.text }),
      ...(doing.mention === undefined ? {} : { mention: doing.mention }),
      ...(doing.direct === undefined ? {} : { direct: doing.direct }),
      ...(doing.place === undefined ? {} : { channel: doing.place }),
      ...(doing.after === undefined ? {} : { replyTo: doing.after }),
      ...(doing.files === undefined ? {} : { files: doing.files }),
      ...(doing.memo === undefined ? {} : { voice: { bytes: doing.memo, seconds: 3 } }),
    })
    discord.gateway.repeat(1)
    return id
  }

  const ours = (where?: Where) =>
    discord
      .transcript(placeOf(where))
      .filter(({ bot }) => bot)
      .map(({ id }) => id)

  return {
    service: 'discord',
    discord,
    env: {
      DISCORD_TOKEN: discord.token,
      DISCORD_API_URL: discord.apiUrl,
      DISCORD_GLOBAL_RPS: '1000',
      FILE_HOSTS: '127.0.0.1:*',
    },
    secrets: [discord.token],
    addPlace: () => discord.addChannel(`place-${discord.calls.length}`),
    does,
    sees: (where) => discord.transcript(placeOf(where)).map(view),
    ours,
    folded: () => [],
    press(label) {
      const holder = discord.transcript(discord.channel).findLast(({ buttons }) => buttons.includes(label))
      if (holder === undefined) throw new Error(`No button "${label}" in the channel.`)
      discord.pressButton(holder.id, label, 'Ada')
    },
    pin: (id) => discord.react(id, 'Ada', '📌'),
    wire: () => discord.calls.flatMap(({ method, route }) => NAMES[`${method} ${route}`] ?? []),
    signs: () => discord.callsTo('POST /channels/:channel/typing').map(() => 'typing'),
    until: (look) => discord.until(look),
    close: () => discord.close(),
  }
}
