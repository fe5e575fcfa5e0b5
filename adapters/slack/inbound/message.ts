import type { Author } from '#bridge/port/author.ts'
import type { Attachment, ConversationRef, Message, NamedConversation } from '#bridge/port/message.ts'
import { createLru } from '#lib/lru.ts'
import { type Fields, text, toFields } from '#adapters/shared/json.ts'
import { waitAtMost } from '#adapters/shared/session.ts'
import { type Api, REPEATABLE_NOW } from '../api.ts'
import { type Identity, LOOKUP_MS } from '../config.ts'
import type { Directory } from '../directory.ts'
import { decodeEntities } from '../outbound/markup.ts'
import { isStub, isVideoClip, toAttachment, whyUntold } from './attachment.ts'
import { programMarkup } from './block-text.ts'
import { filesIn, forwardedWords } from './forward.ts'
import { linkedIn } from './linked.ts'
import { programIds, type Writer, writerOf } from './writer.ts'

/** Names of people and channels by id, for mentions. */
type Names = ReadonlyMap<string, string>

const MENTION = /<@([UW][A-Z0-9]+)(?:\|([^<>]*))?>/g
const CHANNEL_MENTION = /<#([CG][A-Z0-9]+)(?:\|([^<>]*))?>/g
const CODE = /(```[\s\S]*?```|`[^`\n]+`)/
/** Most name look-ups per message; further people and channels are shown by id. */
const MAX_LOOKUPS = 8

/** Ids of people and bots that a text mentions. */
export const mentionedIds = (markup: string): string[] => [...markup.matchAll(MENTION)].map((match) => match[1] ?? '')

/** The team of who wrote a message. `team` is missing on `file_share` messages. */
export const homeOf = (wire: Fields): string | undefined =>
  text(wire, 'user_team') ?? text(wire, 'source_team') ?? text(wire, 'team')

/** Channels that a text names, each once, in order. Slack omits names that not everybody may know. */
export function mentionedChannels(markup: string): { id: string; name: string }[] {
  const found = new Map<string, string>()
  for (const [, id = '', label = ''] of markup.matchAll(CHANNEL_MENTION)) {
    if ((found.get(id) ?? '') === '') found.set(id, decodeEntities(label))
  }
  return [...found].map(([id, name]) => ({ id, name }))
}

/** Whether the text mentions somebody besides us: a person, a group, everyone. */
export const mentionsOthers = (markup: string, ownId: string, ids: readonly string[] = mentionedIds(markup)): boolean =>
  ids.some((id) => id !== ownId) || /<!(?:channel|here|everyone|subteam\^)/.test(markup)

function decodeLink(whole: string, inner: string, names: Names): string {
  const bar = inner.indexOf('|')
  const target = bar < 0 ? inner : inner.slice(0, bar)
  const label = bar < 0 ? '' : inner.slice(bar + 1)
  const [mark = ''] = target
  if (mark === '@' || mark === '#')
    return `${mark}${label === '' ? (names.get(target.slice(1)) ?? target.slice(1)) : label}`
  if (mark === '!') return label === '' ? `@${target.slice(1).replace(/\^.*/, '')}` : label
  if (!/^[a-z][\w+.-]*:/i.test(target)) return whole
  const bare = target.replace(/^(?:mailto|tel):/, '')
  if (label === '' || label === bare || target.endsWith(`://${label}`)) return bare
  return `[${label}](${target})`
}

/** Characters without which `decodeProse` changes nothing. Most messages have no such character. */
const MARKS = /[*~•◦▪<&]/

function decodeProse(markup: string, names: Names): string {
  if (!MARKS.test(markup)) return markup
  return decodeEntities(
    markup
      .replace(/(?<![\w*])\*(?=\S)([^*\n]*[^*\s])\*(?![\w*])/g, '**$1**')
      .replace(/(?<![\w~])~(?=\S)([^~\n]*[^~\s])~(?![\w~])/g, '~~$1~~')
      .replace(/^([ \t]*)[•◦▪]\s/gm, '$1- ')
      .replace(/<([^<>\n]+)>/g, (whole, inner: string) => decodeLink(whole, inner, names)),
  )
}

/** Slack wraps addresses in angle brackets even inside code. */
const decodeCode = (markup: string): string =>
  decodeEntities(
    markup.replace(
      /<((?:https?|mailto):[^<>|\n]+)(?:\|([^<>\n]*))?>/g,
      (_, url: string, label?: string) => label ?? url,
    ),
  )

const ownMentions = createLru<RegExp>(1000)

/** Our own mention with the space around it. */
function ownMention(ownId: string): RegExp {
  const known = ownMentions.get(ownId)
  if (known !== undefined) return known
  const made = new RegExp(`(?<![ \\t])[ \\t]*<@${ownId}(?:\\|[^<>]*)?>[ \\t]*`, 'g')
  ownMentions.set(ownId, made)
  return made
}

/** Slack's markup as markdown, without our own mention. */
export function toMarkdown(markup: string, ownId: string, names: Names): string {
  return markup
    .replace(ownMention(ownId), ' ')
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? decodeCode(part) : decodeProse(part, names)))
    .join('')
    .trim()
}

/** Forwarded messages, quoted with their authors. */
function forwardedIn(wire: Fields, ownId: string): string[] {
  return forwardedWords(wire).map(({ author, markup }) => {
    const words = toMarkdown(markup, ownId, new Map())
    return `${author === undefined ? '' : `${author}: `}${words}`.replace(/^/gm, '> ')
  })
}

/** Messages of programs may have their words in blocks and attachments alone. */
const isFromProgram = (wire: Fields): boolean =>
  text(wire, 'bot_id') !== undefined || text(wire, 'subtype') === 'bot_message'

/** A file is looked up where the event gives only its id. */
async function attachmentOf(api: Api, file: Fields, { channel, workspace }: ConversationRef): Promise<Attachment> {
  if (!isStub(file)) return toAttachment(file, channel, workspace)
  const look = api.call('files.info', (web) => web.files.info({ file: text(file, 'id') ?? '' }), REPEATABLE_NOW)
  const found = look.then(
    (answer) => toAttachment(toFields(answer.file), channel, workspace),
    (error: unknown) => toAttachment(file, channel, workspace, whyUntold(error)),
  )
  return (await waitAtMost(LOOKUP_MS, found)) ?? toAttachment(file, channel, workspace, whyUntold(undefined))
}

const attachmentsOf = (api: Api, wire: Fields, conversation: ConversationRef): Promise<Attachment[]> =>
  Promise.all(filesIn(wire).map((file) => attachmentOf(api, file, conversation)))

/** People whom a text mentions, except Footbridge. */
async function peopleOf(
  mentioned: readonly string[],
  directory: Directory,
  ownId: string,
): Promise<{ id: string; name: string }[]> {
  const ids = [...new Set(mentioned)].filter((id) => id !== ownId).slice(0, MAX_LOOKUPS)
  if (ids.length === 0) return []
  const people = await Promise.all(ids.map((id) => directory.find(id, LOOKUP_MS)))
  return ids.flatMap((id, index) => {
    const name = people[index]?.name
    return name === undefined ? [] : [{ id, name }]
  })
}

/** Converts messages of the Web API and of events to those of the bridge. */
export interface MessageReader {
  /** @param writer of the message, where it is known */
  authorOf(wire: Fields, writer?: Writer): Promise<Author>
  conversationOf(channel: string, thread: string, type?: string): ConversationRef
  /** @param writer of the message, where it is known */
  toMessage(wire: Fields, conversation: ConversationRef, writer?: Writer): Promise<Message>
}

export interface MessageReaderParts {
  readonly identity: Identity
  readonly api: Api
  readonly directory: Directory
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createMessageReader({ identity, api, directory }: MessageReaderParts): MessageReader {
  const { team, userId } = identity

  async function authorOf(wire: Fields, known?: Writer): Promise<Author> {
    const id = text(wire, 'user') ?? text(wire, 'bot_id') ?? ''
    const writer = known ?? (await writerOf(wire, { identity, directory }))
    const ofProgram = writer === 'program' && { programIds: programIds(wire) }
    if (text(wire, 'user') === undefined)
      return { id, name: text(wire, 'username') ?? text(toFields(wire['bot_profile']), 'name') ?? id, ...ofProgram }
    const person = await directory.find(id, LOOKUP_MS)
    return { id, name: person?.name ?? id, language: person?.language, timeZone: person?.timeZone, ...ofProgram }
  }

  const conversationOf = (channel: string, thread: string, type?: string): ConversationRef => ({
    adapter: 'slack',
    workspace: team,
    channel,
    thread,
    direct: type === undefined ? channel.startsWith('D') : type === 'im',
  })

  /** A channel whose name we may not know is shown by id. */
  const channelsIn = (markup: string): Promise<NamedConversation[]> =>
    Promise.all(
      mentionedChannels(markup)
        .slice(0, MAX_LOOKUPS)
        .map(async ({ id, name }) => ({
          name: name === '' ? ((await directory.channelName(id, LOOKUP_MS)) ?? id) : name,
          conversation: { adapter: 'slack', workspace: team, channel: id, direct: false },
        })),
    )

  return {
    authorOf,
    conversationOf,
    async toMessage(wire, conversation, writer) {
      const markup = isFromProgram(wire) ? programMarkup(wire) : (text(wire, 'text') ?? '')
      const ts = text(wire, 'ts') ?? ''
      const ids = mentionedIds(markup)
      const [author, mentions, channels, attachments] = await Promise.all([
        authorOf(wire, writer),
        peopleOf(ids, directory, userId),
        channelsIn(markup),
        attachmentsOf(api, wire, conversation),
      ])
      const linked = linkedIn(markup, (there, thread) => conversationOf(there, thread))
      const names = new Map(mentions.map(({ id, name }) => [id, name]))
      for (const { name, conversation: named } of channels) names.set(named.channel, name)
      return {
        id: ts,
        conversation,
        author,
        text: [toMarkdown(markup, userId, names), ...forwardedIn(wire, userId)].join('\n\n').trim(),
        addressed: conversation.direct || ids.includes(userId),
        mentionsOthers: mentionsOthers(markup, userId, ids),
        attachments,
        underOurs: text(wire, 'parent_user_id') === userId ? true : undefined,
        isAmongPeople: filesIn(wire).some(isVideoClip) ? true : undefined,
        channels: channels.length === 0 ? undefined : channels,
        mentions: mentions.length === 0 ? undefined : mentions,
        ...(linked.length === 0 ? {} : { linked }),
        sentAt: new Date(Math.floor(Number(ts) * 1000)).toISOString(),
      }
    },
  }
}
