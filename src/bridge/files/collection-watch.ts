import type { ChannelMap } from '../channels/channel-map.ts'
import { isPlatformFailure } from '../texts/failure-sentence.ts'
import type { Clock, Log, Platform } from '../port/platform.ts'
import type { ChannelRecord, Channels } from '../port/store.ts'

/** `gone`: the platform has it no more. `anew`: one of the same name was made behind our back, with none of our files. */
export type CollectionState = 'there' | 'gone' | 'anew'

/** Notices when a collection is not the one that we made: its time of creation tells. */
export interface CollectionWatch {
  /**
   * Asked of the platform at most once a minute; what it does not tell counts as `there`. The first look remembers when it
   * was made. Never throws.
   */
  look(collection: string, signal: AbortSignal): Promise<CollectionState>
  /** The next look asks the platform, however short ago the last one was. */
  doubt(collection: string): void
  /** What is there now is ours, whatever was before. */
  accept(collection: string, signal: AbortSignal): Promise<void>
}

const FRESH_MS = 60_000

export function createCollectionWatch(options: {
  readonly platform: Platform
  readonly channels: Channels
  readonly map: Pick<ChannelMap, 'made'>
  readonly clock: Clock
  readonly log: Log
}): CollectionWatch {
  const { platform, channels, map, clock, log } = options
  const seenAt = new Map<string, number>()

  async function judge(record: ChannelRecord, signal: AbortSignal): Promise<CollectionState> {
    const { collection, collectionCreatedAt: known } = record
    try {
      const { id, createdAt } = await platform.collections.get(collection, { signal })
      if (createdAt === undefined || isSame(createdAt, known)) return 'there'
      if (known !== undefined) return 'anew'
      await map.made(collection, { id, createdAt })
    } catch (error) {
      if (isPlatformFailure(error) && error.code === 'not-found') return 'gone'
      log.debug({ err: error, collection }, 'Whether a collection is still there could not be told')
    }
    return 'there'
  }

  async function look(collection: string, signal: AbortSignal): Promise<CollectionState> {
    const record = await channels.ofCollection(collection)
    if (record?.collectionId === undefined) return 'there'
    if (clock() - (seenAt.get(collection) ?? -FRESH_MS) < FRESH_MS) return 'there'
    const state = await judge(record, signal)
    if (state === 'there') seenAt.set(collection, clock())
    else {
      seenAt.delete(collection)
      log.warn({ collection, state }, 'A collection was removed behind our back')
    }
    return state
  }

  return {
    look,
    doubt: (collection) => void seenAt.delete(collection),
    async accept(collection, signal) {
      const { id, createdAt } = await platform.collections.get(collection, { signal })
      await map.made(collection, { id, ...(createdAt === undefined ? {} : { createdAt }) })
      seenAt.set(collection, clock())
    },
  }
}

const isSame = (one: string, other: string | undefined) =>
  other !== undefined && (one === other || Date.parse(one) === Date.parse(other))
