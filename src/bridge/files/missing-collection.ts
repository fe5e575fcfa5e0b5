import { ACTION } from '../delivery/button-ids.ts'
import type { Adapter } from '../port/adapter.ts'
import { sealOf } from '../channels/collection-name.ts'
import type { CollectionWatch } from './collection-watch.ts'
import { createTurns } from '../../lib/keyed-mutex.ts'
import type { Action, Message } from '../port/message.ts'
import type { Clock, Log } from '../port/platform.ts'
import { createSender } from '../delivery/outbox-sender.ts'
import type { Store } from '../port/store.ts'
import { textsFor, type Texts } from '../texts/texts.ts'

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
