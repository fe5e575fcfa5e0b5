import { collectionButtonId, type ChannelMap } from '#bridge/channels/channel-map.ts'
import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { MessageContext } from '#bridge/delivery/job-context.ts'
import { createSender, showWhole } from '#bridge/delivery/outbox-sender.ts'
import { isPlatformFailure } from '#bridge/port/errors.ts'
import type { Action } from '#bridge/port/message.ts'
import type { Clock, Log, Platform } from '#bridge/port/platform.ts'
import type { ChannelRecord } from '#bridge/port/records.ts'
import type { Store } from '#bridge/port/store.ts'
import { type Texts, textsFor } from '#bridge/texts/texts.ts'

/** `gone`: not on the platform any more. `remade`: another program created one of this name, without our files. */
type CollectionState = 'there' | 'gone' | 'remade'

const FRESH_MS = 60_000

interface WatchOptions {
  readonly platform: Platform
  readonly store: Pick<Store, 'channels'>
  readonly channels: Pick<ChannelMap, 'recordCreated'>
  readonly clock: Clock
  readonly log: Log
}

export type CollectionWatch = ReturnType<typeof createCollectionWatch>

/** Detects that a collection is not the one that we created, by its creation time. */
export function createCollectionWatch({ platform, store, channels, clock, log }: WatchOptions) {
  const seenAt = new Map<string, number>()

  async function stateOf(record: ChannelRecord, signal: AbortSignal): Promise<CollectionState> {
    const { collection, collectionCreatedAt: known } = record
    try {
      const { id, createdAt } = await platform.collections.get(collection, { signal })
      if (createdAt === undefined || isSameTime(createdAt, known)) return 'there'
      if (known !== undefined) return 'remade'
      await channels.recordCreated(collection, { id, createdAt })
    } catch (error) {
      if (isPlatformFailure(error) && error.code === 'not-found') return 'gone'
      log.debug({ err: error, collection }, 'The platform did not tell whether a collection still exists')
    }
    return 'there'
  }

  return {
    /**
     * Asks the platform at most once a minute; without an answer the collection counts as `there`. The first check
     * stores the creation time. Never rejects.
     */
    async check(collection: string, signal: AbortSignal): Promise<CollectionState> {
      const record = await store.channels.ofCollection(collection)
      if (record?.collectionId === undefined) return 'there'
      if (clock() - (seenAt.get(collection) ?? -FRESH_MS) < FRESH_MS) return 'there'
      const state = await stateOf(record, signal)
      if (state === 'there') seenAt.set(collection, clock())
      else {
        seenAt.delete(collection)
        log.warn(
          { collection, state },
          'A collection was removed or replaced on the platform, and not by Footbridge: "rebuild" in its channel uploads its files again',
        )
      }
      return state
    },
    /** The next check asks the platform. */
    invalidate: (collection: string): void => void seenAt.delete(collection),
    /** Accepts the collection that exists now as ours. */
    async accept(collection: string, signal: AbortSignal): Promise<void> {
      const { id, createdAt } = await platform.collections.get(collection, { signal })
      await channels.recordCreated(collection, { id, createdAt })
      seenAt.set(collection, clock())
    },
  }
}

const isSameTime = (one: string, other: string | undefined) =>
  other !== undefined && (one === other || Date.parse(one) === Date.parse(other))

/** The collection is lost while an earlier answer is shown. The message is the sentence for people. */
export class CollectionLostError extends Error {
  override readonly name = 'CollectionLostError'
}

export const rebuildButton = (texts: Texts, collection: string): Action => ({
  id: ACTION.rebuild,
  label: texts.files.button.rebuild,
  value: collectionButtonId(collection),
  style: 'primary',
})

interface NoticeOptions {
  readonly watch: CollectionWatch
  readonly store: Pick<Store, 'channels' | 'outbox' | 'sharing'>
  readonly clock: Clock
}

export type LostCollections = ReturnType<typeof createLostCollections>

/** Tells people that a collection is lost. */
export function createLostCollections({ watch, store, clock }: NoticeOptions) {
  // Two questions may detect the loss at the same time.
  const lock = store.sharing.mutex('lost')

  /** The sentence that the collection is lost and how to rebuild it; undefined: it exists. */
  async function sentence(collection: string, { files }: Texts, signal: AbortSignal): Promise<string | undefined> {
    const state = await watch.check(collection, signal)
    if (state === 'there') return undefined
    return `${state === 'gone' ? files.collectionGone : files.collectionAnew} ${files.rebuildHow}`
  }

  return {
    sentence,
    /** Call it when the platform does not know the collection: the next check asks again. */
    invalidate: watch.invalidate,
    /** The same sentence. The first time, it is also posted in this message's channel, with the button. */
    async notice(
      { message, adapter, log, signal }: Pick<MessageContext, 'message' | 'adapter' | 'log' | 'signal'>,
      collection: string,
    ): Promise<string | undefined> {
      const texts = textsFor(message.author.language)
      const lost = await sentence(collection, texts, signal)
      if (lost === undefined) return undefined
      const record = await store.channels.ofCollection(collection)
      const { thread: _, ...conversation } = message.conversation
      // Once per loss: the send is named after the lost collection.
      const jobId = `lost:${collection}:${record?.collectionCreatedAt ?? ''}:${conversation.channel}`
      const { outbox } = store
      const sender = createSender({ jobId, adapter, conversation, replyTo: message.id, outbox, clock })
      const say = async () => {
        // Only a closed row is certainly shown; otherwise the message is searched for or sent again.
        if ((await sender.rows()).some(({ state }) => state === 'closed')) return
        const actions = [rebuildButton(texts, collection)]
        await showWhole(sender, 'lost', { kind: 'error', text: lost, actions })
      }
      await lock(jobId, say).catch((error: unknown) =>
        log.warn(
          { err: error },
          'A lost collection could not be announced in its channel: "rebuild" there uploads its files again',
        ),
      )
      return lost
    },
  }
}
