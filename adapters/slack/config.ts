import type { Cursors, Log } from '#bridge/port/platform.ts'
import type { Sharing } from '#bridge/port/store.ts'
import type { AllowedHosts } from '#adapters/shared/files.ts'

export interface SlackOptions {
  /** `xoxb-…`: the bot's token. */
  readonly botToken: string
  /** `xapp-…`: opens Socket Mode connections (`connections:write`). Needed unless `signingSecret` is set. */
  readonly appToken?: string
  /** Events come over HTTP, signed with it, to `SlackAdapter.fetch`. */
  readonly signingSecret?: string
  /** Root of the Web API. Default `https://slack.com/api/`. */
  readonly apiUrl?: string
  /** Further hosts from which files may be downloaded: `host`, `host:port` or `host:*`. Plain http only on loopback. */
  readonly fileHosts?: readonly string[]
  readonly log: Log
  /** How far each channel of a workspace was read, kept over restarts; without it, messages of an absence are missed. */
  readonly cursorsOf?: (workspace: string) => Pick<Cursors, 'all' | 'set'>
  /** Age up to which a missed question is still answered. Default 15 min. */
  readonly catchUpAgeMs?: number
  /** Pause of the reading of missed threads after a rate limit: answers read theirs meanwhile. Default 1 min. */
  readonly readYieldMs?: number
  /** For one Web API call. Default 15 s. */
  readonly timeoutMs?: number
  /** A 429 with a longer wait is reported to the bridge at once. Default 60 s. */
  readonly maxRateLimitWaitMs?: number
  /** Pause after a second failure to connect in a row; it doubles up to 20 times as much. Default 1 s. */
  readonly reconnectMs?: number
  /** From the request for a connection to its hello. Default 10 s. */
  readonly helloMs?: number
  /** Time without any connection after which the channels are read: messages may be lost meanwhile. Default 10 s. */
  readonly gapMs?: number
  /** Socket Mode connections. Default 2: while Slack recycles one, the other receives the events. */
  readonly sockets?: number
  /** Cards are Work Objects, which open in a pane: the app's manifest has to have them. Default false. */
  readonly workObjects?: boolean
  /** Outside address, with https: that of the cards. Without it, references of answers are lines only. */
  readonly publicUrl?: string
  /** Address of the page of a reference as a picture; absent: pages are not drawn here. */
  readonly pictureOf?: (answer: string, number: number) => string
  /** Processes on our database, each with connections of its own. Default 1. */
  readonly processes?: () => number
  /** Wait between two looks whether another process uses the app-level token; three are believed. Default 10 s. */
  readonly lookAgainMs?: number
  /** Time after a start or a broken connection in which a count that is too high may be of broken ones. Default 20 min. */
  readonly quietMs?: number
  /** Least time between two appends to a stream, times the number of open streams. Default 375 ms. */
  readonly appendIntervalMs?: number
  /** Paces the appends over all processes; absent: there is one process. */
  readonly pacer?: Sharing['pacer']
  /** Called when a call waits for a rate limit of Slack. */
  readonly onRateWait?: (waitMs: number) => void
  /** Before each request that shows something: rejects when another process may show it. */
  readonly assertAlive?: () => Promise<void>
  /** Refresh interval of a status. Default half an hour, and 100 s where Slack has no agent sessions. */
  readonly statusRefreshMs?: number
}

/** An answer and a file as Work Objects: https://docs.slack.dev/messaging/work-objects-implementation */
export const ENTITY_TYPES = { answer: 'slack#/entities/content_item', file: 'slack#/entities/file' } as const

/** Path below the outside address where Slack delivers events. */
export const EVENTS_PATH = '/slack/events'
/** Path below which pages of cited PDFs are pictures. */
export const PAGES_PATH = '/slack/pages/'
/** Path to which Slack sends a browser back when somebody allowed the app. */
export const REDIRECT_PATH = '/slack/oauth_redirect'

/** After a shorter gap, Slack sends events that were not acknowledged again. */
export const GAP_MS = 10_000
/** The first try to connect, where Slack has since been away too long to send missed events again. */
export const awaySince = (begun: number, { gapMs = GAP_MS }: Pick<SlackOptions, 'gapMs'>): number | undefined =>
  Date.now() - begun >= gapMs ? begun : undefined

export const CATCH_UP_AGE_MS = 15 * 60_000

/** Our own ids, from `auth.test`. */
export interface Identity {
  readonly team: string
  readonly userId: string
  readonly botId: string
}

export const allowedHosts = (further: readonly string[] = []): AllowedHosts => ({
  own: ['files.slack.com'],
  further,
  plainHttp: 'loopback',
})

/** Answers to commands go to Slack's own host, or to the host of `SLACK_API_URL`. */
export const isResponseUrl = (url: URL, apiUrl: string | undefined): boolean =>
  url.origin === 'https://hooks.slack.com' || (apiUrl !== undefined && url.origin === URL.parse(apiUrl)?.origin)

/** Slack counts a streamed message in UTF-8 bytes and refuses it for good between 10,600 and 11,300 of them. */
export const STREAM_BUDGET_BYTES = 10_500
/** Blocks of one message are refused from about 13,170 characters on (bolt-js#2509), whatever the documentation says. */
export const BLOCKS_BUDGET_BYTES = 13_000
/** Text of one message, posted or streamed, in bytes; references and buttons use the rest. */
export const TEXT_BUDGET_BYTES = 9_000
/** Ephemeral messages are refused from about 3,000 characters on. */
export const EPHEMERAL_BUDGET_BYTES = 2_900
/** Text of one ephemeral message, in bytes; buttons use the rest. */
export const PRIVATE_TEXT_BYTES = 2_300
/** Undocumented: a stream accepts no more text after about 5 minutes. */
export const STREAM_LIFETIME_MS = 240_000
/** `chat.update` allows about 50 calls a minute in the whole workspace. */
export const EDIT_INTERVAL_MS = 1_500
/** `chat.appendStream`: 160 calls a minute over all streams of the workspace stayed under the limit. */
export const APPEND_INTERVAL_MS = 375
/** Slack removes an older status line after two minutes, and ends the work of a session after an hour. */
export const STATUS_REFRESH_MS = 100_000
export const SESSION_REFRESH_MS = 1_800_000
/** How long an event waits for a name or a file's description. The acknowledgement is due in 3 s. */
export const LOOKUP_MS = 1_200
export const METADATA_TYPE = 'footbridge_send'
