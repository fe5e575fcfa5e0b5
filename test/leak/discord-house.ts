import { PermissionFlagsBits as bits } from 'discord.js'
import { startDiscordDouble } from '../doubles/discord/discord-double.ts'
import { readMemo } from '../support/speech.ts'
import type { Person, House, Room } from './house.ts'

const READ = (bits.ViewChannel | bits.ReadMessageHistory).toString()

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const allow = (id: string, type: 0 | 1) => ({ id, type, allow: READ, deny: '0' })

export async function openDiscordHouse(): Promise<House> {
  const unlimited = Number.POSITIVE_INFINITY
  const discord = await startDiscordDouble({
    token: 'discord-token-0123456789',
    limits: { edits: unlimited },
  })
  const admin = discord.addRole(bits.ManageChannels)
  const present = new Map<string, Set<Person>>()

  const open = new Set<string>()

  function close(channel: string): void {
    if (open.has(channel)) return
    const inside = [...(present.get(channel) ?? [])].map((person) => allow(discord.userId(person), 1))
    discord.setOverwrites(channel, [
      { id: discord.guildId, type: 0, allow: '0', deny: READ },
      allow(discord.botRoleId, 0),
      ...inside,
    ])
  }

  return {
    service: 'discord',
    env: {
      DISCORD_TOKEN: discord.token,
      DISCORD_API_URL: discord.apiUrl,
      DISCORD_GLOBAL_RPS: '1000',
    },
    addRoom(name, kind, members, canary) {
      const [first] = members
      for (const person of members) discord.userId(person)
      discord.setMember('ada', { roles: [admin] })
      const id =
        kind === 'direct' && first !== undefined ? discord.directChannelOf(first) : discord.addChannel(name)
      present.set(id, new Set(members))
      if (kind === 'private') close(id)
      return { name, kind, members, canary, id }
    },
    addClosedThread(around, name, members, canary) {
      const id = discord.addThread(around.id, name, undefined, { closed: true })
      for (const person of members) discord.joinThread(id, person)
      return { name, kind: 'private', members, canary, id }
    },
    link: (room) => `<#${room.id}>`,
    mention: (person) => `<@${discord.userId(person)}>`,
    say(person, room, { text, files, replyTo, memo = false }) {
      return discord.say({
        user: person,
        channel: room.id,
        direct: room.kind === 'direct',
        mention: room.kind !== 'direct' && !memo,
        ...(text === undefined ? {} : { text }),
        ...(files === undefined
          ? {}
          : {
              files: files.map((file) => ({
                name: file.name,
                bytes: file.text,
                mimeType: 'text/markdown',
              })),
            }),
        ...(replyTo === undefined ? {} : { replyTo }),
        ...(memo ? { voice: { bytes: Uint8Array.from(readMemo('lighthouse.ogg')), seconds: 3 } } : {}),
      }).id
    },
    edit: (_, __, id, text) => discord.edit(id, text),
    press(person, room, label) {
      const holder = discord.transcript(room.id).findLast(({ buttons }) => buttons.includes(label))
      if (holder === undefined) throw new Error(`No button "${label}" in ${room.name}.`)
      discord.pressButton(holder.id, label, person)
    },
    leave(person, room) {
      present.get(room.id)?.delete(person)
      close(room.id)
    },
    join(person, room) {
      present.get(room.id)?.add(person)
      close(room.id)
    },
    publish(room) {
      open.add(room.id)
      discord.setOverwrites(room.id, [])
    },
    shown: (room: Room) =>
      discord
        .transcript(room.id)
        .filter(({ bot }) => bot)
        .map(({ id, text, buttons, files }) =>
          [text, ...buttons, ...files, ...files.map((name) => decode(discord.bytesOf(id, name)))].join('\n'),
        )
        .join('\n\n'),
    close: () => discord.close(),
  }
}
