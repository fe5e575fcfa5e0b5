import { createTurns } from '../../../lib/keyed-mutex.ts'
import type { ChannelMap } from '../../channels/channel-map.ts'
import { sealOf } from '../../channels/channel-map.ts'
import { ACTION } from '../../delivery/button-ids.ts'
import { createSender } from '../../delivery/outbox-sender.ts'
import type { Adapter } from '../../port/adapter.ts'
import type { Action, Message } from '../../port/message.ts'
import type { Clock, Log, Platform } from '../../port/platform.ts'
import type { ChannelRecord, Channels } from '../../port/records.ts'
import type { Store } from '../../port/store.ts'
import { isPlatformFailure } from '../../texts/failure-sentence.ts'
import { type Texts, textsFor } from '../../texts/texts.ts'

/** A collection was lost where an answer stands already: the message is the sentence for people. */
export class CollectionLostError extends Error {
  override readonly name = 'CollectionLostError'
}

/** Says it when a collection was removed or made anew behind our back. */
export interface Losses {
  /** What is the matter with the collection, and what can be done; undefined: nothing. */
  sentence(collection: string, texts: Texts, signal: AbortSignal): Promise<string | undefined>
  /**
   * The same; the first time, it is said with the button in the channel of this message, too. Once: the send is named after
   * the collection that was there.
   */
  notice(
    doing: {
      readonly message: Message
      readonly adapter: Adapter
      readonly log: Log
      readonly signal: AbortSignal
    },
    collection: string,
  ): Promise<string | undefined>
  /** The platform knows it no more, whatever was seen a moment ago. */
  doubt(collection: string): void
}

export const rebuildButton = (texts: Texts, collection: string): Action => ({
  id: ACTION.rebuild,
  label: texts.files.button.rebuild,
  value: sealOf(collection),
  style: 'primary',
})

export function createLosses(options: {
  readonly watch: CollectionWatch
  readonly store: Pick<Store, 'channels' | 'outbox'>
  readonly clock: Clock
}): Losses {
  const { watch, store, clock } = options
  /** Two questions may find it at the same time. */
  const inTurn = createTurns()

  async function sentence(
    collection: string,
    { files }: Texts,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const state = await watch.look(collection, signal)
    if (state === 'there') return undefined
    return `${state === 'gone' ? files.collectionGone : files.collectionAnew} ${files.rebuildHow}`
  }

  return {
    sentence,
    doubt: (collection) => watch.doubt(collection),
    async notice({ message, adapter, log, signal }, collection) {
      const texts = textsFor(message.author.language)
      const lost = await sentence(collection, texts, signal)
      if (lost === undefined) return undefined
      const record = await store.channels.ofCollection(collection)
      const { thread: _, ...channel } = message.conversation
      const jobId = `lost:${collection}:${record?.collectionCreatedAt ?? ''}:${channel.channel}`
      const { outbox } = store
      const sender = createSender({
        jobId,
        adapter,
        conversation: channel,
        replyTo: message.id,
        outbox,
        clock,
      })
      const say = async () => {
        // Only a closed row is certainly out: one that a crash cut off is looked for, and else sent again.
        if ((await sender.rows()).some(({ state }) => state === 'closed')) return
        const actions = [rebuildButton(texts, collection)]
        await sender.show('lost', { kind: 'error', text: lost, actions })
        await sender.close('lost', lost)
      }
      await inTurn(jobId, say).catch((error: unknown) =>
        log.warn({ err: error }, 'That a collection is lost could not be said'),
      )
      return lost
    },
  }
}

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
