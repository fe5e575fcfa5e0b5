import { command } from '#lexicon/command.ts'
import type { CommandName, Inbound, NamedConversation } from '#bridge/port/message.ts'
import { type Fields, text, toFields } from '#adapters/shared/json.ts'
import { keyOf } from './events.ts'
import { type MessageReader, type MessageReaderParts, mentionedChannels, toMarkdown } from './message.ts'

/** Slash commands and shortcuts on a message. */
export interface CommandReader {
  readonly slash: (body: unknown) => Promise<Inbound | undefined>
  readonly onMessage: (body: unknown) => Promise<Inbound | undefined>
}

export const COMMAND = '/footbridge'
/** Callback ids of the manifest. */
export const SHORTCUTS: Readonly<Record<string, CommandName>> = {
  'fb:ask': 'ask',
  'fb:save': 'save',
  'fb:translate': 'translate',
}

/** Commands by the word of the lexicon that begins them. */
const WORDS: readonly (readonly [RegExp, CommandName])[] = (
  [
    'ask',
    'files',
    'forget',
    'retry',
    'collection',
    'model',
    'usage',
    'language',
    'settings',
    'connect',
    'disconnect',
    'help',
  ] as const
).map((name) => [command(name), name])

/** The first word names the command; other text is a question, and no text asks for help. */
export function parseCommand(typed: string): { readonly name: CommandName; readonly argument: string } {
  const trimmed = typed.trim()
  const end = trimmed.search(/\s/)
  const word = (end < 0 ? trimmed : trimmed.slice(0, end)).toLowerCase()
  if (trimmed === '') return { name: 'help', argument: '' }
  const name = WORDS.find(([pattern]) => pattern.test(word))?.[1]
  return name === undefined
    ? { name: 'ask', argument: trimmed }
    : { name, argument: end < 0 ? '' : trimmed.slice(end).trim() }
}

export function createCommandReader(parts: MessageReaderParts & { readonly messages: MessageReader }): CommandReader {
  const { identity, messages } = parts
  const call = async (body: Fields, channel: string | undefined, user: string | undefined) => {
    const trigger = text(body, 'trigger_id')
    if (channel === undefined || user === undefined || trigger === undefined) return undefined
    return {
      kind: 'command',
      key: keyOf(identity.team, channel, 'command', trigger),
      author: await messages.authorOf({ user }),
      sentAt: new Date().toISOString(),
      ticket: text(body, 'response_url'),
    } as const
  }
  return {
    async slash(raw) {
      const body = toFields(raw)
      const channel = text(body, 'channel_id')
      const called = await call(body, channel, text(body, 'user_id'))
      if (called === undefined || channel === undefined) return undefined
      const typed = text(body, 'text') ?? ''
      const { name, argument } = parseCommand(typed)
      const [named] = mentionedChannels(typed)
      return {
        ...called,
        conversation: { ...messages.conversationOf(channel, ''), thread: undefined },
        messageId: `command-${called.key.split(':').at(-1)}`,
        command: {
          name,
          argument: toMarkdown(argument, identity.userId, new Map()),
          channel: named && toNamed(identity.team, named),
        },
      }
    },
    async onMessage(raw) {
      const body = toFields(raw)
      const channel = text(toFields(body['channel']), 'id')
      const wire = toFields(body['message'])
      const ts = text(body, 'message_ts') ?? text(wire, 'ts')
      const called = await call(body, channel, text(toFields(body['user']), 'id'))
      const name = SHORTCUTS[text(body, 'callback_id') ?? '']
      if (called === undefined || channel === undefined || ts === undefined || name === undefined) return undefined
      const conversation = messages.conversationOf(channel, text(wire, 'thread_ts') ?? ts)
      const target = await messages.toMessage({ ...wire, ts }, conversation)
      return { ...called, conversation, messageId: ts, command: { name, argument: '', target } }
    },
  }
}

const toNamed = (workspace: string, { id, name }: { id: string; name: string }): NamedConversation => ({
  name: name === '' ? id : name,
  conversation: { adapter: 'slack', workspace, channel: id, direct: false },
})
