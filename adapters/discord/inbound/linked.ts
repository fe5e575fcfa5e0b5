import type { MessageRef } from '#bridge/port/message.ts'
import { waitAtMost } from '#adapters/shared/session.ts'
import type { Channels } from '../channels.ts'

/** `https://discord.com/channels/<server or @me>/<channel or thread>/<message>`, as the clients copy it. */
const PERMALINK = /https:\/\/(?:ptb\.|canary\.)?discord(?:app)?\.com\/channels\/(@me|\d{1,20})\/(\d{1,20})\/(\d{1,20})/g
const MAX_LINKED = 3
/** How long a message waits for the messages that it links to, milliseconds. */
const LOOKUP_MS = 2000

/** Messages whose addresses are in a text, each once, without those of channels that we do not see. */
export async function linkedIn(content: string, channels: Pick<Channels, 'conversation'>): Promise<MessageRef[]> {
  const links = new Map([...content.matchAll(PERMALINK)].map((match) => [match[0], match]))
  const found = [...links.values()].slice(0, MAX_LINKED).map(async ([, guild = '', channel = '', id = '']) => {
    const place = channels.conversation(channel, guild === '@me' ? { guildId: undefined } : undefined)
    const conversation = await waitAtMost(LOOKUP_MS, place).catch(() => undefined)
    return conversation === undefined || conversation.workspace !== guild ? [] : [{ conversation, id }]
  })
  return (await Promise.all(found)).flat()
}
