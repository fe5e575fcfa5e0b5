import type { Cursors, Log } from '#bridge/port/platform.ts'
import type { State } from '#bridge/port/state.ts'
import type { Sharing } from '#bridge/port/store.ts'

export interface DiscordAdapterOptions {
  /** From the bot page; a leading `Bot ` is accepted. */
  readonly token: string
  /** API root without version. Default: Discord's own, `https://discord.com/api`. */
  readonly apiUrl?: string
  /** Further hosts from which attachments may be downloaded, `host`, `host:port` or `host:*`; over http on loopback only. */
  readonly fileHosts?: readonly string[]
  /** Most requests of the bot in any second, interactions aside. Default 50, Discord's limit. */
  readonly globalRequestsPerSecond?: number
  /** Paces requests and new sessions over all processes; absent: there is one process. */
  readonly pacer?: Sharing['pacer']
  /** Shards of this process, of `count` in all. Default: as many as Discord recommends, all in this process. */
  readonly shards?: ShardRange
  /**
   * False: in channels, Footbridge reads only messages that mention it, and the titles of forum posts. The same holds where
   * Discord refuses the intent. Default true.
   */
  readonly messageContent?: boolean
  readonly log: Log
  /** Read position of each channel, kept over restarts; without it, messages sent while we are offline are missed. */
  readonly cursors?: Cursors
  /** Interaction tokens, with which ephemeral messages are sent; absent: they are kept in memory. */
  readonly presses?: Pick<State, 'get' | 'set'>
  /** Counts of refused requests of all processes; absent: there is one. */
  readonly refusals?: Pick<State, 'get' | 'set' | 'keys'>
  /** Id of the guild that gets the commands at once, for development. Default: all guilds, which takes a while. */
  readonly commandsGuild?: string
  /** The connection ended for good (for example a revoked token): the process should stop. */
  readonly onFatal?: (error: Error) => void
  /** Called when a call waits for a rate limit of Discord. */
  readonly onRateWait?: (waitMs: number) => void
  /** Before each request that shows something: rejects when another process may show it. */
  readonly assertAlive?: () => Promise<void>
  /** Time limits in milliseconds; the defaults suit production. */
  readonly times?: Partial<DiscordTimes>
}

/** Shards `first` to `last`, both included. */
export interface ShardRange {
  readonly first: number
  readonly last: number
  readonly count: number
}

/** Factor on the time limits of a request with a file: over a slow line, ten megabytes take two minutes. */
export const UPLOAD_FACTOR = 8

export interface DiscordTimes {
  /** From login until events flow: 60 s. */
  readonly startMs: number
  /** One HTTP attempt: 15 s. */
  readonly attemptMs: number
  /** One call with its waits and repetitions: 60 s. */
  readonly callMs: number
  /** A rate limit longer than this is reported instead of waited out: 20 s. */
  readonly rateLimitWaitMs: number
  /** Waits before an attempt is repeated after a 5xx or a lost connection. */
  readonly retriesMs: readonly number[]
  /** Waits before an event that the bridge could not store is delivered again: Discord does not repeat it. */
  readonly deliveriesMs: readonly number[]
  /** Between two edits in one channel: 1,200 ms. */
  readonly editPaceMs: number
  /** Window in which Discord accepts five edits of one channel, with a margin: 5,200 ms. */
  readonly editWindowMs: number
  /** From the request for a file to its first byte, and between two chunks: 30 s. */
  readonly fileMs: number
  /** Between two new sessions of one group of shards, with a margin: 5,500 ms. */
  readonly identifyMs: number
  /** From one server of a new session to the next, until the start goes on without those that Discord cannot serve: 5 s. */
  readonly guildsMs: number
  /** From the request for a gateway connection to its HELLO: 10 s. */
  readonly helloMs: number
  /** From IDENTIFY to READY, and from RESUME to the first event: 15 s. */
  readonly readyMs: number
  /** Pause before a gateway connection is opened the third time, or a channel read again; it doubles up to 20 times: 1 s. */
  readonly reconnectMs: number
  /** After this, and each time it has passed again, a lost connection is logged as an error: 60 s. */
  readonly lostMs: number
  /** A connection whose newest acknowledged heartbeat is older is dead, whatever it says: 2 min. */
  readonly heartbeatMs: number
  /** Wait for running calls at a stop: 10 s. */
  readonly stopMs: number
  /** Age up to which a missed question is still answered: 15 min. */
  readonly catchUpAgeMs: number
  /** Between two signs of typing; Discord shows one for 10 s: 8 s. */
  readonly typingMs: number
}

export const DEFAULT_TIMES: DiscordTimes = {
  startMs: 60_000,
  attemptMs: 15_000,
  callMs: 60_000,
  rateLimitWaitMs: 20_000,
  retriesMs: [500, 2000],
  deliveriesMs: [200, 1000, 5000],
  identifyMs: 5500,
  guildsMs: 5000,
  helloMs: 10_000,
  readyMs: 15_000,
  reconnectMs: 1000,
  lostMs: 60_000,
  heartbeatMs: 120_000,
  editPaceMs: 1200,
  editWindowMs: 5200,
  fileMs: 30_000,
  stopMs: 10_000,
  catchUpAgeMs: 15 * 60_000,
  typingMs: 8000,
}

/** Lengths in characters. https://discord.com/developers/docs/resources/message#create-message */
export const MESSAGE_LIMITS = {
  /** Text of one message; a longer answer goes on in the next message. */
  content: 2000,
  nonce: 25,
  rows: 5,
  buttonsPerRow: 5,
  customId: 100,
  /** Choices of a menu, and the length of their labels. */
  options: 25,
  option: 100,
  label: 80,
  /** Title of a dialog, and label of its field. */
  modal: 45,
  /** Files of one field in a dialog. */
  dialogFiles: 10,
} as const
