import type { APIMessage } from 'discord.js'
import type { Cursors, Log } from '../../../src/bridge/port/platform.ts'
import { hasCode } from '../../shared/session.ts'
import { idAt, isNewer, type Rest } from '../rest.ts'

const PAGE_SIZE = 100
const WRITE_AFTER_MS = 1000

/** Read position of each channel; written at most once a second per channel. */
export interface ReadMarks {
  load(): Promise<void>
  of(channel: string): string | undefined
  /** The newest of all marks at the time of `load`; undefined on the very first start. */
  readonly newestAtStart: string | undefined
  readonly keys: () => readonly string[]
  advance(channel: string, id: string): void
  /** Freezes the mark: an event of this channel could not be delivered, and the next start must find it again. */
  hold(channel: string): void
  flush(): Promise<void>
}

export function createReadMarks(cursors: Pick<Cursors, 'all' | 'set'>, log: Log): ReadMarks {
  const marks = new Map<string, string>()
  const unsaved = new Map<string, string>()
  const held = new Set<string>()
  let newestAtStart: string | undefined
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = [...unsaved]
    unsaved.clear()
    for (const [channel, id] of batch) {
      try {
        await cursors.set(channel, id)
      } catch (error) {
        log.warn(
          { err: error, channel },
          'How far a Discord channel was read could not be saved; after a restart it is read again from an older message',
        )
      }
    }
  }

  return {
    async load() {
      for (const { channel, position: id } of await cursors.all()) {
        marks.set(channel, id)
        if (newestAtStart === undefined || isNewer(id, newestAtStart)) newestAtStart = id
      }
    },
    of: (channel) => marks.get(channel),
    get newestAtStart() {
      return newestAtStart
    },
    keys: () => [...marks.keys()],
    advance(channel, id) {
      const before = marks.get(channel)
      if (held.has(channel) || (before !== undefined && !isNewer(id, before))) return
      marks.set(channel, id)
      unsaved.set(channel, id)
      if (before === undefined) {
        // A channel without a mark would count as new after a crash, and messages sent meanwhile would be skipped.
        clearTimeout(timer)
        timer = setTimeout(() => void flush(), 0)
      } else {
        timer ??= setTimeout(() => void flush(), WRITE_AFTER_MS)
      }
    },
    hold: (channel) => void held.add(channel),
    flush,
  }
}

/** GUILD_CREATE, as far as it is needed here. */
export interface RawGuild {
  readonly joined_at?: string
  readonly channels?: readonly RawChannel[]
  readonly threads?: readonly RawChannel[]
}

interface RawChannel {
  readonly id: string
  readonly last_message_id?: string | null
}

/** Marks of direct conversations have their own prefix: no guild lists these channels, so we request them. */
export const markKey = (channelId: string, direct: boolean): string => (direct ? `@me/${channelId}` : channelId)

/**
 * Finds messages sent while no session was open. Discord replays missed events only to a resumed session; our stop ends
 * the session, and a refused resume loses events too. So each channel is read on from its mark.
 */
export interface CatchUp {
  /** Call it for a new session, before which events may be missed. Returns the channels to read now. */
  sessionStarted(): readonly { readonly key: string; readonly channel: string }[]
  /** Returns the channels of this guild to read now. */
  guildSeen(guild: RawGuild): readonly { readonly key: string; readonly channel: string }[]
  /** Reads a channel up to now, once per session. Its live messages wait until then. */
  ensure(key: string, channel: string): Promise<void>
}

/** The newest message of a channel, and when the channel was created or we joined. */
interface ChannelNews {
  readonly last: string | undefined
  readonly since: string
}

/** Where to begin; undefined when nothing was missed. */
function startOf(marks: ReadMarks, news: ChannelNews | undefined, key: string, channel: string): string | undefined {
  const mark = marks.of(key)
  if (mark !== undefined) {
    if (news === undefined) return key === channel ? undefined : mark
    return news.last !== undefined && isNewer(news.last, mark) ? mark : undefined
  }
  // No session lists direct conversations: one without a mark (after a crash) is read once a message arrives in it.
  if (news === undefined) return key === channel ? undefined : marks.newestAtStart
  if (news.last === undefined) {
    // The channel is empty: every message is new.
    marks.advance(key, news.since)
    return undefined
  }
  const { newestAtStart } = marks
  // Without a mark: created since our last run, or, on a first start, old messages that are not for us.
  const isNew = newestAtStart !== undefined && isNewer(news.since, newestAtStart)
  if (isNew && isNewer(news.last, news.since)) return news.since
  marks.advance(key, news.last)
  return undefined
}

export function createCatchUp(options: {
  readonly rest: Rest
  readonly marks: ReadMarks
  readonly log: Log
  readonly deliver: (raw: APIMessage) => Promise<void>
  /** Tells what changed in messages up to this one. */
  readonly lookBack: (channel: string, direct: boolean) => Promise<void>
}): CatchUp {
  const { rest, marks, log, deliver, lookBack } = options
  const latest = new Map<string, ChannelNews>()
  let done = new Set<string>()

  async function read(channel: string, start: string): Promise<number> {
    let after = start
    for (let found = 0; ;) {
      const page = await rest.messages(channel, { after, limit: String(PAGE_SIZE) })
      for (const raw of page) {
        await deliver(raw)
        after = raw.id
      }
      found += page.length
      if (page.length < PAGE_SIZE) return found
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
      const joined = idAt(Date.parse(guild.joined_at ?? '') || undefined)
      const seen = [...(guild.channels ?? []), ...(guild.threads ?? [])]
      for (const { id, last_message_id: last } of seen) {
        latest.set(id, { last: last ?? undefined, since: isNewer(joined, id) ? joined : id })
      }
      return seen.map(({ id }) => ({ key: id, channel: id }))
    },
    async ensure(key, channel) {
      if (done.has(key)) return
      done.add(key)
      const wasKnown = marks.of(key) !== undefined
      const start = startOf(marks, latest.get(channel), key, channel)
      try {
        if (wasKnown) await lookBack(channel, key !== channel)
        if (start === undefined) return
        const found = await read(channel, start)
        if (found > 0) log.info({ channel, found }, 'Messages missed in a Discord channel were read')
      } catch (error) {
        marks.hold(key)
        if (hasCode(error, 'forbidden', 'not-found'))
          log.debug({ channel }, 'A Discord channel is not open to Footbridge any more')
        else log.warn({ err: error, channel }, 'A Discord channel could not be read up to now')
      }
    },
  }
}
