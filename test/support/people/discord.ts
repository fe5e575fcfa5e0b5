import { PermissionFlagsBits as bits } from 'discord.js'
import { startDiscordDouble, type DiscordDouble } from '#test/doubles/discord/discord-double.ts'
import type { TranscriptEntry } from '#test/doubles/discord/types.ts'
import { findButton, type ChatWorkspace, type WorkspaceOptions } from './workspace.ts'

const READ = (bits.ViewChannel | bits.ReadMessageHistory).toString()
const allow = (id: string, type: 0 | 1) => ({ id, type, allow: READ, deny: '0' })
const MESSAGES = '/channels/:channel/messages'
const CALLS: Readonly<Record<string, 'create' | 'delete'>> = {
  [`POST ${MESSAGES}`]: 'create',
  [`DELETE ${MESSAGES}/:message`]: 'delete',
}

const OFFERS = ['Answer this?', 'Beantworten?']

export interface DiscordWorkspace extends ChatWorkspace {
  readonly discord: DiscordDouble
}

export async function openDiscord({
  admin = 'Ada',
  pressLocale = 'en-GB',
  editLimit,
  messageContent,
}: WorkspaceOptions = {}): Promise<DiscordWorkspace> {
  const discord = await startDiscordDouble({
    token: 'discord-token-0123456789',
    locale: pressLocale,
    messageContent,
    limits: editLimit === undefined ? {} : { edits: editLimit },
  })
  const names = new Map<string, string>()
  /** Who is in a private channel. */
  const members = new Map<string, Set<string>>()

  function userId(name: string): string {
    const id = discord.userId(name)
    names.set(id, name)
    return id
  }
  for (const name of ['Ada', 'Ben']) userId(name)
  discord.setMember(admin, { roles: [discord.addRole(bits.ManageChannels)] })

  function close(channel: string): void {
    const inside = members.get(channel)
    if (inside === undefined) return
    discord.setOverwrites(channel, [
      { id: discord.guildId, type: 0, allow: '0', deny: READ },
      allow(discord.botRoleId, 0),
      ...[...inside].map((person) => allow(userId(person), 1)),
    ])
  }

  function line(entry: TranscriptEntry): string {
    const said = entry.text
      .replaceAll(`<@${discord.botUserId}>`, '@Footbridge')
      .replaceAll(/<t:\d+:d>/g, '<day>')
      .replaceAll(/<https:\/\/discord\.com\/channels\/[^>]*>/g, '<link>')
    const files = entry.files.map((name) => `(${name})`)
    const buttons = entry.buttons.map((label) => `[${label}]`)
    const text = [said, ...files, ...buttons].filter((part) => part !== '').join('\n')
    return `${entry.replyTo === undefined ? '' : '↳ '}${entry.bot ? 'Footbridge' : entry.author}: ${text}`
  }

  const messages: ChatWorkspace['messages'] = async (channel) =>
    discord
      .transcript(channel.id)
      .map((entry) => ({
        id: entry.id,
        ours: entry.bot,
        only: entry.only,
        text: entry.text,
        folded: [],
        buttons: entry.buttons,
        files: entry.files,
        line: line(entry),
      }))

  const press: ChatWorkspace['press'] = async (person, channel, wanted, text, ticked) => {
    const { id, label } = findButton(await messages(channel), wanted)
    const pressed = discord.pressButton(id, label, person)
    // Discord tells a press once: one that nobody acknowledged has failed for the person, who presses again.
    if (!(await pressed.acknowledged)) return press(person, channel, wanted, text, ticked)
    if (text === undefined) return
    await discord.until(() => pressed.modal())
    if (!(await discord.submitModal(pressed, text, ticked).acknowledged))
      await press(person, channel, wanted, text, ticked)
  }

  async function wantAnswer(person: string, channel: string, recording: string): Promise<void> {
    const offered = () =>
      discord
        .transcript(channel)
        .find(({ replyTo, buttons }) => replyTo === recording && OFFERS.includes(buttons[0] ?? ''))
    const { id, buttons } = await discord.until(offered)
    const pressed = discord.pressButton(id, buttons[0] ?? '', person)
    if (!(await pressed.acknowledged)) await wantAnswer(person, channel, recording)
  }

  const command: NonNullable<ChatWorkspace['command']> = async (person, channel, name, called = {}) => {
    const made = discord.callCommand(name, { user: person, channel: channel.id, ...called })
    // Discord tells a command once: one that nobody acknowledged has failed for the person, who calls again.
    if (!(await made.acknowledged)) await command(person, channel, name, called)
  }

  const choose: NonNullable<ChatWorkspace['choose']> = async (person, channel, label) => {
    const panel = discord.transcript(channel.id).findLast(({ only, menus = [] }) => only === person && menus.length > 0)
    const made = discord.choose(panel?.id ?? '', label, person)
    if (!(await made.acknowledged)) await choose(person, channel, label)
  }

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
    attach: async () => {},
    async addChannel(name, { kind = 'public', members: inside = [] } = {}) {
      const id = discord.addChannel(name)
      if (kind === 'private') members.set(id, new Set(inside))
      close(id)
      return { id, name, kind }
    },
    addClosedThread(around, name, inside) {
      const id = discord.addThread(around.id, name, undefined, { closed: true })
      for (const person of inside) discord.joinThread(id, person)
      return { id, name, kind: 'private' }
    },
    programId: (name) => discord.userId(name),
    sayAsProgram: async (name, { id: channel }, { text, mention = false, files }) =>
      discord.say({ user: name, bot: true, channel, text, mention, files }).id,
    directOf: (person) => ({ id: discord.directChannelOf(person), name: `${person}-direct`, kind: 'direct' }),
    async say(person, { id, kind }, { text, mention = false, after, files, recording, times = 1 }) {
      discord.gateway.repeat(times)
      const said = discord.say({
        user: person,
        channel: id,
        direct: kind === 'direct',
        text,
        mention: mention && kind !== 'direct',
        replyTo: after,
        files,
        voice: recording && { bytes: recording, seconds: 3 },
      })
      discord.gateway.repeat(1)
      // Nobody can mention Footbridge in a recording: among people it is asked for an answer.
      if (recording !== undefined && kind !== 'direct' && after === undefined) await wantAnswer(person, id, said.id)
      return said.id
    },
    edit: async (_channel, id, text) => discord.edit(id, text),
    remove: async (_channel, id) => discord.remove(id),
    removeFile: async (_channel, id, name) => discord.detach(id, name),
    pin: async (person, _channel, id) => discord.react(id, person),
    press,
    choose,
    command,
    messages,
    linkTo: ({ id }) => `<#${id}>`,
    addressOf: ({ id: channel, kind }, id) =>
      `https://discord.com/channels/${kind === 'direct' ? '@me' : discord.guildId}/${channel}/${id}`,
    mention: (person) => `<@${userId(person)}>`,
    called: async () =>
      discord.pings.flatMap(({ target }) => [...names].filter(([id]) => target.includes(id)).map(([, name]) => name)),
    handedOut: async ({ id: channel }) =>
      discord
        .transcript(channel)
        .filter(({ bot }) => bot)
        .flatMap(({ id, files }) => files.map((name) => ({ name, bytes: discord.bytesOf(id, name) }))),
    signs: () => discord.callsTo('POST /channels/:channel/typing').map(() => 'typing'),
    calls: () => discord.calls.flatMap(({ method, route }) => CALLS[`${method} ${route}`] ?? []),
    leave(person, { id }) {
      members.get(id)?.delete(person)
      close(id)
    },
    join(person, { id }) {
      members.get(id)?.add(person)
      close(id)
    },
    expel: (person) => discord.leave(person),
    publish({ id }) {
      members.delete(id)
      discord.setOverwrites(id, [])
    },
    close: () => discord.close(),
  }
}
