import type { APIMessage } from 'discord.js'
import { createLinePace } from '#bridge/port/outage.ts'
import type { Cursors, Log } from '#bridge/port/platform.ts'
import { hasCode } from '#adapters/shared/session.ts'
import { idAt, isNewer, type Rest } from '../rest.ts'

const PAGE_SIZE = 100
const WRITE_AFTER_MS = 1000

/**
 * Key of the default position, from which channels without a position of their own are read. Nothing was said in these
 * since then, so a bot in thousands of servers stores the positions of few channels.
 */
const START = '@start'

/** Read position of each channel; written at most once a second. */
export interface ReadMarks {
  load(): Promise<void>
  /** How far this channel was read: undefined on the very first start. */
  of(key: string): string | undefined
  /** Whether something was said in this channel since we know it. */
  hasOwn(key: string): boolean
  readonly keys: () => readonly string[]
  advance(key: string, id: string): void
  /** Freezes the mark: something of this channel was not delivered, and who reads it next must find it again. */
  freeze(key: string): void
  /** All up to now was read: the mark goes on. */
  thaw(key: string): void
  /** On the very first start: messages up to this id are not for us. */
  startFrom(id: string): void
  flush(): Promise<void>
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createReadMarks(cursors: Pick<Cursors, 'all' | 'set'>, log: Log): ReadMarks {
  const marks = new Map<string, string>()
  const unsaved = new Map<string, string>()
  /** Frozen marks, with the newest message since then. */
  const held = new Map<string, string | undefined>()
  let start: string | undefined
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

  function startFrom(id: string): void {
    if (start !== undefined) return
    start = id
    unsaved.set(START, id)
  }

  function advance(key: string, id: string): void {
    if (held.has(key)) {
      const newest = held.get(key)
      return void held.set(key, newest === undefined ? id : newer(newest, id))
    }
    const before = marks.get(key)
    if (before !== undefined && !isNewer(id, before)) return
    marks.set(key, id)
    unsaved.set(key, id)
    // No session tells the next start of a direct conversation: even a crash must not lose its first position.
    if (before === undefined && isDirect(key)) void flush()
    else timer ??= setTimeout(() => void flush(), WRITE_AFTER_MS)
  }

  return {
    async load() {
      for (const { channel, position } of await cursors.all()) marks.set(channel, position)
      start = marks.get(START)
      marks.delete(START)
    },
    of: (key) => marks.get(key) ?? start,
    hasOwn: (key) => marks.has(key),
    keys: () => [...marks.keys()],
    advance,
    freeze: (key) => void (held.has(key) || held.set(key, undefined)),
    thaw(key) {
      const newest = held.get(key)
      held.delete(key)
      if (newest !== undefined) advance(key, newest)
    },
    startFrom,
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
export const markKey = (channelId: string, direct: boolean): string =>
  direct ? `${DIRECT_MARK}${channelId}` : channelId

const DIRECT_MARK = '@me/'
const isDirect = (key: string) => key.startsWith(DIRECT_MARK)

/** A channel to look at: `key` is that of its mark. */
export interface MarkedChannel {
  readonly key: string
  readonly channel: string
}

/**
 * Finds messages sent while no session was open. Discord replays missed events only to a resumed session; our stop ends
 * the session, and a refused resume loses events too. So each channel is read on from its mark.
 */
export interface CatchUp {
  /** Call it for a new session of a shard, before which events may be missed. Returns the channels to read now. */
  sessionStarted(shard: number): readonly MarkedChannel[]
  /** Returns the channels of this guild to read now. */
  guildSeen(guild: RawGuild): readonly MarkedChannel[]
  /** Reads a channel up to now, once per session; its live messages wait until then. False: `again` has to be called. */
  ensure(key: string, channel: string): Promise<boolean>
  /** Reads a channel that `ensure` could not read; its live messages do not wait for it. */
  again(key: string, channel: string): Promise<boolean>
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createCatchUp(options: {
  readonly rest: Rest
  readonly marks: ReadMarks
  readonly log: Log
  readonly deliver: (raw: APIMessage) => Promise<void>
  /** Delivers the changes in messages up to this one. */
  readonly findMissedChanges: (channel: string, direct: boolean) => Promise<void>
}): CatchUp {
  const { rest, marks, log, deliver, findMissedChanges } = options
  /** Channels to look at, with the message from which they are read on; undefined: nothing was said. */
  const pending = new Map<string, string | undefined>()
  const directs = new Set<string>()
  /** Channels that could not be read. */
  const unread = new Map<string, string | undefined>()
  const lines = createLinePace()

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

  /** No session lists direct conversations: one without a mark (after a crash) is read once a message arrives in it. */
  function isNewDirect(key: string, channel: string): boolean {
    if (key === channel || marks.hasOwn(key) || directs.has(key)) return false
    directs.add(key)
    return true
  }

  async function readOn(key: string, channel: string, start: string | undefined): Promise<boolean> {
    try {
      if (marks.hasOwn(key)) await findMissedChanges(channel, key !== channel)
      const found = start === undefined ? 0 : await read(channel, start)
      if (found > 0) log.info({ channel, found }, 'Messages missed in a Discord channel were read')
      unread.delete(key)
      marks.thaw(key)
      return true
    } catch (error) {
      marks.freeze(key)
      const isClosed = hasCode(error, 'forbidden', 'not-found')
      if (isClosed) unread.delete(key)
      else unread.set(key, start)
      if (isClosed) log.debug({ channel }, 'A Discord channel is not open to Footbridge any more')
      else if (lines.isDue())
        log.warn({ err: error, channel }, 'A Discord channel could not be read up to now; it is tried again')
      return isClosed
    }
  }

  return {
    sessionStarted(shard) {
      // Discord tells direct messages to the first shard alone.
      const keys = shard === 0 ? marks.keys().filter(isDirect) : []
      for (const key of keys) pending.set(key, marks.of(key))
      return keys.map((key) => ({ key, channel: key.slice(DIRECT_MARK.length) }))
    },
    guildSeen(guild) {
      const joined = idAt(Date.parse(guild.joined_at ?? '') || undefined)
      const places: MarkedChannel[] = []
      for (const { id, last_message_id: last } of [...(guild.channels ?? []), ...(guild.threads ?? [])]) {
        const mark = marks.of(id)
        const from = mark === undefined || marks.hasOwn(id) ? mark : newer(mark, newer(joined, id))
        const isMissed = from !== undefined && typeof last === 'string' && isNewer(last, from)
        if (!isMissed && !marks.hasOwn(id)) continue
        pending.set(id, isMissed ? from : undefined)
        places.push({ key: id, channel: id })
      }
      return places
    },
    ensure(key, channel) {
      if (!pending.has(key) && !isNewDirect(key, channel)) return Promise.resolve(true)
      const start = key === channel ? pending.get(key) : marks.of(key)
      pending.delete(key)
      return readOn(key, channel, start)
    },
    async again(key, channel) {
      // A new session may have read it meanwhile.
      if (!unread.has(key) || pending.has(key)) return !unread.has(key)
      return readOn(key, channel, unread.get(key))
    },
  }
}

const newer = (one: string, other: string): string => (isNewer(one, other) ? one : other)
