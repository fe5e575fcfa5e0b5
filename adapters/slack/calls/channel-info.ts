import { createLru } from '#lib/lru.ts'
import { type Fields, text, toFields } from '#adapters/shared/json.ts'
import { type Api, REPEATABLE } from '../api.ts'

/** The channel of a message, by its event. */
interface Seen {
  /** `channel_type` of the event: `channel` for a public one. */
  readonly type: string
  readonly isShared: boolean
  /** When the message was written, milliseconds. */
  readonly at: number
}

/** The answer of `conversations.info`, as long as events confirm it. */
export interface ChannelInfo {
  /** Asks Slack. */
  ask(channel: string): Promise<Fields>
  /** Earlier words of Slack, if a message of these seconds says the same of who may read the channel; else asks. */
  recent(channel: string): Promise<Fields>
  /** An event in or about a channel, with the envelope around it. */
  readonly seen: (event: Fields, body: Fields) => void
}

const CHANGES = new Set([
  'channel_shared',
  'channel_unshared',
  'channel_convert_to_public',
  'channel_convert_to_private',
])
const MAX_CHANNELS = 5_000
/** Events say nothing of an invitation to another company: Slack is asked again after this time, milliseconds. */
const CONFIRMABLE_MS = 600_000
/** How long a message confirms, milliseconds. */
const CONFIRMED_MS = 10_000

export function createChannelInfo(api: Api, now: () => number = Date.now): ChannelInfo {
  const told = createLru<{ readonly info: Fields; readonly at: number }>(MAX_CHANNELS)
  const events = createLru<Seen>(MAX_CHANNELS)

  async function ask(channel: string): Promise<Fields> {
    const at = now()
    const answer = await api.call('conversations.info', (web) => web.conversations.info({ channel }), REPEATABLE)
    const info = toFields(answer.channel)
    told.set(channel, { info, at })
    return info
  }

  function isConfirmed(channel: string): boolean {
    const [known, event] = [told.get(channel), events.get(channel)]
    if (known === undefined || event === undefined) return false
    const isRecent = now() - event.at < CONFIRMED_MS && now() - known.at < CONFIRMABLE_MS
    return isRecent && agrees(known.info, event)
  }

  return {
    ask,
    recent: async (channel) => (isConfirmed(channel) ? (told.get(channel)?.info ?? {}) : ask(channel)),
    seen(event, body) {
      const [channel, type] = [text(event, 'channel'), text(event, 'channel_type')]
      if (channel !== undefined && CHANGES.has(text(event, 'subtype') ?? text(event, 'type') ?? ''))
        told.delete(channel)
      const isShared = body['is_ext_shared_channel']
      const at = Math.min(Number(text(event, 'event_ts')) * 1000, now())
      if (channel === undefined || type === undefined || typeof isShared !== 'boolean' || Number.isNaN(at)) return
      // A late event says how it was.
      if (at >= (events.get(channel)?.at ?? 0)) events.set(channel, { type, isShared, at })
    },
  }
}

/**
 * Compared with the answer of Slack, not with an earlier event: between an event and an answer the channel may have
 * changed.
 */
function agrees(info: Fields, { type, isShared }: Seen): boolean {
  if (type !== 'channel' && type !== 'group') return false
  return (type === 'channel') === (info['is_private'] === false) && isShared === (info['is_ext_shared'] === true)
}
