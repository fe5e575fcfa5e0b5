import { Routes } from 'discord.js'
import { AdapterError } from '../../../src/bridge/port/errors.ts'
import type { Log } from '../../../src/bridge/port/platform.ts'
import type { Calls } from '../rest.ts'
import { isNewer, type ReadMarks } from './read-marks.ts'
import type { RawMessage } from './message.ts'

/** What GUILD_CREATE tells of a guild, as far as it is needed here. */
export interface GuildNews {
  readonly joined_at?: string
  readonly channels?: readonly ChannelNews[]
  readonly threads?: readonly ChannelNews[]
}

interface ChannelNews {
  readonly id: string
  readonly last_message_id?: string | null
}

const pageSize = 100
const discordEpoch = 1_420_070_400_000

export const timeOf = (snowflake: string): number => Number(BigInt(snowflake) >> 22n) + discordEpoch
const snowflakeAt = (time: number): string => (BigInt(Math.max(0, time - discordEpoch)) << 22n).toString()

/** Direct messages are in no guild: their marks are kept apart, since only they have to be asked for unseen. */
export const markKey = (channelId: string, direct: boolean): string =>
  direct ? `@me/${channelId}` : channelId

/**
 * Finds what was said while no session was open. Discord replays missed events only to a session that resumes; closing
 * ours on stop ends it, and a refused resume loses events too. So each channel is read on from where we were.
 */
export interface CatchUp {
  /** A new session: what was missed before it has to be looked for. Returns the channels to look at now. */
  sessionStarted(): readonly { readonly key: string; readonly channel: string }[]
  /** Returns the channels of this guild to look at now. */
  guildSeen(guild: GuildNews): readonly { readonly key: string; readonly channel: string }[]
  /** Reads a channel up to now, once a session. Live messages of the channel wait behind it. */
  ensure(key: string, channel: string): Promise<void>
}

export function createCatchUp(options: {
  readonly calls: Calls
  readonly marks: ReadMarks
  readonly log: Log
  readonly deliver: (raw: RawMessage) => Promise<void>
}): CatchUp {
  const { calls, marks, log, deliver } = options
  const latest = new Map<string, { readonly last: string | undefined; readonly since: string }>()
  let done = new Set<string>()

  /** From where to read, or undefined when nothing was missed. */
  function startOf(key: string, channel: string): string | undefined {
    const mark = marks.of(key)
    const news = latest.get(channel)
    if (mark !== undefined) {
      if (news === undefined) return key === channel ? undefined : mark
      return news.last !== undefined && isNewer(news.last, mark) ? mark : undefined
    }
    // Of direct conversations no session tells: one without a mark, which a crash may have left so, is known once it is heard of.
    if (news === undefined) return key === channel ? undefined : marks.newestAtStart
    if (news.last === undefined) {
      // Nothing was ever said here: all that comes is new.
      marks.advance(key, news.since)
      return undefined
    }
    const { newestAtStart } = marks
    // Never seen before: new since we were last here, or, on a first start, old matter that was never ours to answer.
    const isNew = newestAtStart !== undefined && isNewer(news.since, newestAtStart)
    if (isNew && isNewer(news.last, news.since)) return news.since
    marks.advance(key, news.last)
    return undefined
  }

  async function read(channel: string, start: string): Promise<number> {
    let after = start
    for (let found = 0; ;) {
      const query = { after, limit: String(pageSize) }
      const page = await calls.get<RawMessage[]>(Routes.channelMessages(channel), { query })
      // Newest first, although it is the page that follows `after`.
      for (const raw of page.toSorted((a, b) => (isNewer(a.id, b.id) ? 1 : -1))) {
        await deliver(raw)
        after = raw.id
      }
      found += page.length
      if (page.length < pageSize) return found
    }
  }

  return {
    sessionStarted() {
      done = new Set()
      return marks
        .keys()
        .filter((key) => key.startsWith('@me/'))
        .map((key) => ({ key, channel: key.slice('@me/'.length) }))
    },
    guildSeen(guild) {
      const joined = snowflakeAt(Date.parse(guild.joined_at ?? '') || discordEpoch)
      const seen = [...(guild.channels ?? []), ...(guild.threads ?? [])]
      for (const { id, last_message_id: last } of seen) {
        latest.set(id, { last: last ?? undefined, since: isNewer(joined, id) ? joined : id })
      }
      return seen.map(({ id }) => ({ key: id, channel: id }))
    },
    async ensure(key, channel) {
      if (done.has(key)) return
      done.add(key)
      const start = startOf(key, channel)
      if (start === undefined) return
      try {
        const found = await read(channel, start)
        if (found > 0) log.info({ channel, found }, 'Read what was said in a Discord channel meanwhile')
      } catch (error) {
        marks.hold(key)
        const closed = error instanceof AdapterError && ['forbidden', 'not-found'].includes(error.code)
        if (closed) log.debug({ channel }, 'A Discord channel is not open to Footbridge any more')
        else log.warn({ err: error, channel }, 'A Discord channel could not be read up to now')
      }
    },
  }
}
