import { type APIMessage, type APIUser, Routes } from 'discord.js'
import type { HandledMessage, Recall } from '#bridge/port/adapter.ts'
import type { Log } from '#bridge/port/platform.ts'
import { hasCode } from '#adapters/shared/session.ts'
import { type Channels, targetOf } from '../channels.ts'
import { isNewer, type Rest, timeOf } from '../rest.ts'
import { type EventHandlers, isPin, PIN } from './events.ts'
import type { RawMessage } from './message.ts'

/** One page of Discord. */
const PAGE_SIZE = 100
/** Older messages with files, which are requested one by one. */
const MAX_SINGLE_REQUESTS = 20
const MARKED_MESSAGE_MS = 24 * 3_600_000

interface MissedChangesParts {
  readonly rest: Rest
  readonly channels: Pick<Channels, 'conversation'>
  readonly recall: Recall
  readonly handlers: EventHandlers
  readonly log: Log
}

/**
 * Finds edits, deletions and 📌 that were missed while no session was open: compares the newest page of a channel with
 * the messages that were handled, and looks for 📌 on the others. A channel without handled messages costs no request.
 */
export function createMissedChanges(parts: MissedChangesParts): (channel: string, direct: boolean) => Promise<void> {
  const { rest, channels, recall, log } = parts
  return async (channel, direct) => {
    const conversation = await channels.conversation(channel, direct ? { guildId: undefined } : undefined)
    const handled = (await recall(conversation, PAGE_SIZE)).toReversed()
    if (handled.length === 0) return
    const page = await rest.messages(targetOf(conversation), { limit: String(PAGE_SIZE) })
    const shown = new Map(page.map((raw) => [raw.id, raw]))
    const oldest = page[0]?.id
    // Without the permission to read the history Discord lists nothing: an empty page says nothing of any message.
    const isCovered = ({ id }: HandledMessage) =>
      oldest !== undefined && (page.length < PAGE_SIZE || !isNewer(oldest, id))
    const others = handled.filter((each) => !isCovered(each) && (page.length === 0 || each.attachments.length > 0))
    const place = { channel, guild: direct ? undefined : conversation.workspace }
    for (const each of [...handled.filter(isCovered), ...others.slice(0, MAX_SINGLE_REQUESTS)]) {
      const raw = shown.get(each.id) ?? (isCovered(each) ? undefined : await fetchMessage(rest, channel, each.id))
      await compare(parts, place, each, raw)
    }
    const known = new Set(handled.map(({ id }) => id))
    for (const raw of page) if (!known.has(raw.id) && isRecent(raw)) await tellMarks(parts, place, raw)
    log.debug({ channel, messages: handled.length }, 'A Discord channel was compared with what is known of it')
  }
}

/** When somebody put a mark is not known: on older messages it may be one that was carried out and forgotten since. */
const isRecent = ({ id }: APIMessage) => Date.now() - timeOf(id) <= MARKED_MESSAGE_MS

interface ChannelInGuild {
  readonly channel: string
  readonly guild: string | undefined
}

/** @param raw undefined: the message is deleted */
async function compare(
  parts: MissedChangesParts,
  place: ChannelInGuild,
  handled: HandledMessage,
  raw: APIMessage | undefined,
): Promise<void> {
  const { handlers } = parts
  if (raw === undefined) return handlers.deletion({ id: handled.id, channel_id: place.channel, guild_id: place.guild })
  const message: RawMessage = { ...raw, guild_id: place.guild }
  await handlers.changed(message, handled)
  await tellMarks(parts, place, raw)
}

/** Delivers each person's 📌; one that was carried out is known by its key. */
async function tellMarks(
  { rest, handlers }: MissedChangesParts,
  { channel, guild }: ChannelInGuild,
  raw: APIMessage,
): Promise<void> {
  if (raw.reactions?.some(isPin) !== true) return
  const users = await rest.get<readonly APIUser[]>(
    Routes.channelMessageReaction(channel, raw.id, encodeURIComponent(PIN)),
  )
  for (const user of users)
    await handlers.reaction({
      channel_id: channel,
      guild_id: guild,
      user_id: user.id,
      message_id: raw.id,
      member: { user },
      emoji: { id: null, name: PIN },
    })
}

async function fetchMessage(rest: Rest, channel: string, id: string): Promise<APIMessage | undefined> {
  try {
    return await rest.get<APIMessage>(Routes.channelMessage(channel, id))
  } catch (error) {
    if (hasCode(error, 'not-found')) return undefined
    throw error
  }
}
