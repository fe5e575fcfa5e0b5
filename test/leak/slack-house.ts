import { startSlackDouble } from '../doubles/slack/double.ts'
import type { Channel } from '../doubles/slack/types.ts'
import { readMemo } from '../support/speech.ts'
import { PEOPLE, type House, type Person, type Room } from './house.ts'

const KINDS = { public: 'channel', private: 'private', direct: 'im' } as const

export async function openSlackHouse(): Promise<House> {
  const slack = await startSlackDouble()
  const users = new Map<Person, string>(PEOPLE.map((name) => [name, slack.addUser({ name }).id]))
  const idOf = (person: Person) => users.get(person) ?? ''
  const channelOf = (room: Room): Channel => slack.workspace.channel(room.id)
  return {
    service: 'slack',
    env: {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
    },
    addRoom(name, kind, members, canary) {
      const creator = idOf('ada')
      const id = slack.addChannel({ kind: KINDS[kind], ...(kind === 'direct' ? {} : { name, creator }) })
      for (const member of members) slack.workspace.channel(id).members.add(idOf(member))
      return { name, kind, members, canary, id }
    },
    link: (room) => `<#${room.id}|${room.kind === 'private' ? '' : room.name}>`,
    mention: (person) => `<@${idOf(person)}>`,
    say(person, room, { text = '', files = [], replyTo, memo = false }) {
      const hosted = files.map((file) => slack.hostFile(file.text, file.name, 'text/markdown'))
      if (memo) hosted.push(slack.hostVoice(Uint8Array.from(readMemo('lighthouse.ogg'))))
      return slack.say({
        channel: room.id,
        user: idOf(person),
        text,
        mention: room.kind !== 'direct' && !memo,
        ...(hosted.length > 0 ? { files: hosted } : {}),
        ...(replyTo === undefined ? {} : { thread: replyTo }),
      }).ts
    },
    edit: (_, room, id, text) => void slack.editMessage(room.id, id, text),
    press: (person, room, button) => void slack.pressButton({ channel: room.id, user: idOf(person), button }),
    leave: (person, room) => void channelOf(room).members.delete(idOf(person)),
    join: (person, room) => void channelOf(room).members.add(idOf(person)),
    publish(room) {
      const found = channelOf(room)
      slack.workspace.channels.set(room.id, { ...found, kind: 'channel' })
    },
    shown(room) {
      const own = slack.transcript(room.id).filter((message) => message.own)
      const given = slack.workspace.messages
        .filter(({ channel, botId, deleted }) => channel === room.id && botId !== undefined && !deleted)
        .flatMap(({ files }) => files)
      return [
        ...own.map(({ text, files }) => [text, ...files].join('\n')),
        ...given.map(({ id }) => new TextDecoder().decode(slack.workspace.files.get(String(id))?.bytes)),
      ].join('\n\n')
    },
    close: () => slack.close(),
  }
}
