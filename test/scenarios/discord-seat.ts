import { PermissionFlagsBits as bits } from 'discord.js'
import { startDiscordDouble } from '../doubles/discord/discord-double.ts'
import { holderOf, type Place, type Seat, type Seen } from './seat.ts'

export async function openDiscordSeat(): Promise<Seat> {
  const discord = await startDiscordDouble({ token: 'discord-token-0123456789' })
  const { channel } = discord
  const other = discord.addChannel('harbour')
  const placeOf = (place: Place = 'channel') =>
    place === 'direct' ? discord.directChannelOf('Ada') : { channel, other }[place]
  const names = new Map(
    [discord.userId('Ada'), discord.userId('Ben')].map((id, at) => [id, at === 0 ? 'Ada' : 'Ben']),
  )
  discord.setMember('Ada', { roles: [discord.addRole(bits.ManageChannels)] })
  const shown = async (place?: Place): Promise<readonly Seen[]> =>
    discord
      .transcript(placeOf(place))
      .filter(({ bot }) => bot)
      .map(({ id, text, buttons, files }) => ({ id, text, buttons, files }))
  const presses: Seat['presses'] = async (wanted, { by = 'Ada', text, place } = {}) => {
    const holder = holderOf(await shown(place), wanted)
    if (holder === undefined) throw new Error(`There is no button ${String(wanted)}.`)
    const press = discord.pressButton(holder.id, holder.label, by)
    // Discord tells a press once: one that nobody acknowledged has failed for the person, too, who presses again.
    if (!(await press.acknowledged)) {
      await presses(wanted, {
        by,
        ...(text === undefined ? {} : { text }),
        ...(place === undefined ? {} : { place }),
      })
      return
    }
    if (text === undefined) return
    await discord.until(() => press.modal())
    discord.submitModal(press, text)
  }
  return {
    env: {
      DISCORD_TOKEN: discord.token,
      DISCORD_API_URL: discord.apiUrl,
      DISCORD_GLOBAL_RPS: '1000',
      FILE_HOSTS: '127.0.0.1:*',
    },
    attach: async () => {},
    link: (place) => `<#${placeOf(place)}>`,
    name: (person) => `<@${discord.userId(person)}>`,
    async does({ place, by = 'Ada', text, mention, after, files, memo }) {
      return discord.say({
        user: by,
        channel: placeOf(place),
        direct: place === 'direct',
        ...(text === undefined ? {} : { text }),
        mention: mention === true && place !== 'direct',
        ...(after === undefined ? {} : { replyTo: after }),
        ...(files === undefined ? {} : { files }),
        ...(memo === undefined ? {} : { voice: { bytes: memo, seconds: 3 } }),
      }).id
    },
    edits: async (id, text) => discord.edit(id, text),
    deletes: async (id) => discord.remove(id),
    pins: async (id) => discord.react(id, 'Ada'),
    presses,
    shown,
    called: async () =>
      discord.pings.flatMap(({ target }) =>
        [...names].filter(([id]) => target.includes(id)).map(([, name]) => name),
      ),
    async handedOut(name) {
      const holder = (await shown()).findLast(({ files }) => files.includes(name))
      return (await fetch(discord.fileOf(holder?.id ?? '', name))).bytes()
    },
    close: () => discord.close(),
  }
}
