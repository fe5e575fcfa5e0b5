import type { Json } from './payloads.ts'
import { textOf } from './validate.ts'
import type { World } from './world.ts'

const list = (value: unknown) => (Array.isArray(value) ? (value as Json[]) : [])

/** What the Message Content intent covers. `poll` is left out, the others are empty. */
const blank = ({ poll: _poll, ...message }: Json): Json => ({
  ...message,
  content: '',
  embeds: [],
  attachments: [],
  components: [],
  ...('message_snapshots' in message
    ? { message_snapshots: [{ message: { content: '', embeds: [], attachments: [] } }] }
    : {}),
})

/** A reply to the answer of a command counts as no mention, unless its words have one. */
function mentions(message: Json, world: World): boolean {
  const reference = message['message_reference'] as { message_id?: string } | undefined
  const isUnderCommand = world.message(reference?.message_id ?? '')?.ofInteraction !== undefined
  const content = textOf(message['content'])
  if (isUnderCommand && !content.includes(`<@${world.bot.id}>`)) return false
  return list(message['mentions']).some(({ id }) => id === world.bot.id)
}

/**
 * A message of a server as a bot without the intent gets it, over the gateway and over REST.
 * https://docs.discord.com/developers/events/gateway#message-content-intent
 * https://docs.discord.com/developers/gateway/you-might-not-need-a-privileged-intent
 */
export function withoutContent(message: Json, world: World): Json {
  const answered = message['referenced_message'] as Json | null | undefined
  const whole = answered ? { ...message, referenced_message: withoutContent(answered, world) } : message
  const author = message['author'] as { id?: string } | undefined
  return author?.id === world.bot.id || mentions(message, world) ? whole : blank(whole)
}
