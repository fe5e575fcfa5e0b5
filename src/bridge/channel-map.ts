import { createHash, randomBytes } from 'node:crypto'
import { isPlatformFailure } from './failures.ts'
import { createTurns } from './in-turn.ts'
import { channelKey, type ConversationRef } from './message.ts'
import type { Platform } from './ports.ts'
import type { ChannelRecord, Channels } from './store-port.ts'

/** Channel → collection. One channel, one collection; a direct conversation has its own. */
export interface ChannelMap {
  /** The record of this channel, made when it is new; nothing is asked of the platform. */
  of(conversation: ConversationRef): Promise<ChannelRecord>
  /** The same, with the collection certainly there on the platform. */
  collection(
    conversation: ConversationRef,
    signal: AbortSignal,
  ): Promise<ChannelRecord & { readonly collectionId: string }>
  /**
   * Whether this drop is the one in its channel that explains where files go: the first to ask is, until it has said so.
   *
   * @param begun it is the one from before a restart.
   */
  explains(conversation: ConversationRef, begun: boolean): Promise<boolean>
  change(
    conversation: ConversationRef,
    change: Partial<Pick<ChannelRecord, 'collecting' | 'explained'>>,
  ): Promise<void>
}

export function createChannelMap(channels: Channels, platform: Platform): ChannelMap {
  // Two drops in a new channel at once make one record and one collection.
  const inTurn = createTurns()
  const explaining = new Set<string>()

  async function load(conversation: ConversationRef): Promise<ChannelRecord> {
    const key = channelKey(conversation)
    const known = await channels.get(key)
    if (known !== undefined) return known
    const { thread: _, ...channel } = conversation
    const record = {
      key,
      conversation: channel,
      collection: nameFor(conversation),
      collecting: true,
      explained: false,
    }
    await channels.put(record)
    return record
  }

  return {
    of: (conversation) => inTurn(channelKey(conversation), () => load(conversation)),
    collection: (conversation, signal) =>
      inTurn(channelKey(conversation), async () => {
        const record = await load(conversation)
        const { collectionId } = record
        if (collectionId !== undefined) return { ...record, collectionId }
        const created = await createOrGet(platform, record.collection, signal)
        const whole = { ...record, collectionId: created.id }
        await channels.put(whole)
        return whole
      }),
    explains: (conversation, begun) =>
      inTurn(channelKey(conversation), async () => {
        const { key, explained } = await load(conversation)
        if (!begun && (explained || explaining.has(key))) return false
        explaining.add(key)
        return true
      }),
    change: (conversation, change) =>
      inTurn(channelKey(conversation), async () => {
        await channels.put({ ...(await load(conversation)), ...change })
      }),
  }
}

/**
 * The name is kept before the collection is made, so one that exists is ours from before a crash.
 * Collections are readable by whoever knows the id (wire facts, "What its users hit" 4): hence the random part.
 */
function nameFor(conversation: ConversationRef): string {
  const ids = createHash('sha256').update(channelKey(conversation)).digest('hex').slice(0, 10)
  const channel = conversation.channel.replace(/[^A-Za-z0-9]/g, '').slice(0, 24)
  return `${conversation.adapter}-${channel}-${ids}-${randomBytes(10).toString('hex')}`.toLowerCase()
}

async function createOrGet(platform: Platform, name: string, signal: AbortSignal) {
  try {
    return await platform.collections.create(name, { signal })
  } catch (error) {
    if (isPlatformFailure(error) && error.code === 'conflict')
      return platform.collections.get(name, { signal })
    throw error
  }
}
