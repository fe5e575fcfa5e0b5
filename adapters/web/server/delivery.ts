import type { Receive } from '#bridge/port/adapter.ts'
import type { Inbound } from '#bridge/port/message.ts'
import type { Log } from '#bridge/port/platform.ts'
import type { WebChannel } from '../protocol.ts'
import { conversationOf, messageKey, toMessage } from './inbound.ts'
import type { StreamingTexts } from './outbound.ts'
import type { StoredMessage } from './store/messages.ts'
import type { WebStore } from './store/store.ts'
import { RequestFailure } from './responses.ts'

/** Delivers events of the page to the bridge: the browser gets a success only when the event is stored. */
export interface Delivery {
  open(receive: Receive): Promise<void>
  /** Accepts nothing more and waits for running deliveries. */
  close(): Promise<void>
  /** @throws {RequestFailure} 503, when the bridge did not take it: the browser may send it again. */
  deliver(inbound: Inbound): Promise<void>
  /** Delivers that a person's message is deleted, then removes it with its uploads. */
  deleteMessage(channel: WebChannel, message: StoredMessage): Promise<void>
  /** Hides the channel, and deletes its messages one by one: their files leave the collection. */
  deleteChannel(channel: WebChannel): Promise<void>
  /** Delivers a stored message and marks it. */
  deliverMessage(message: StoredMessage): Promise<void>
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createDelivery(store: WebStore, streamingTexts: Pick<StreamingTexts, 'end'>, log: Log): Delivery {
  let receive: Receive | undefined
  const underWay = new Set<Promise<void>>()

  const deliver = async (inbound: Inbound) => {
    if (!receive) {
      throw new RequestFailure(503, 'starting', 'Footbridge is just starting or stopping. Try again in a moment.')
    }
    const call = receive(inbound)
    underWay.add(call)
    try {
      await call
    } catch (error) {
      log.error(
        { err: error, key: inbound.key },
        'An event of the web page could not be stored; the page says so. Check disk and database',
      )
      throw new RequestFailure(503, 'not-taken', 'Footbridge could not take this just now. Nothing is lost: try again.')
    } finally {
      underWay.delete(call)
    }
  }

  const deliverMessage = async (stored: StoredMessage) => {
    const channel = await store.channels.get(stored.channel)
    if (!channel) return
    await deliver({
      kind: 'message',
      key: messageKey(stored.channel, stored.id),
      message: toMessage(channel, stored, await store.channels.list()),
    })
    await store.messages.accept(stored.id)
  }

  const deleteMessage = async (channel: WebChannel, { id, thread }: StoredMessage) => {
    await deliver({
      kind: 'delete',
      key: `${messageKey(channel.id, id)}:delete`,
      conversation: conversationOf(channel, { id, thread }),
      messageId: id,
    })
    await store.messages.remove(id)
  }

  const deleteChannel = async (channel: WebChannel) => {
    await store.channels.remove(channel.id)
    for (const message of await store.messages.ofChannel(channel.id)) {
      if (!message.ours) await deleteMessage(channel, message)
    }
    // The rest are Footbridge's: answers to a message were removed with it.
    for (const { id } of await store.messages.ofChannel(channel.id)) {
      streamingTexts.end(id)
      await store.messages.remove(id)
    }
  }

  return {
    deliver,
    deliverMessage,
    deleteMessage,
    deleteChannel,
    async open(given) {
      receive = given
      // Stored by an earlier process that died before the bridge had them.
      for (const message of await store.messages.waiting()) {
        await deliverMessage(message).catch(() => undefined)
      }
      for (const channel of await store.channels.leftOver()) await deleteChannel(channel).catch(() => undefined)
    },
    async close() {
      receive = undefined
      await Promise.allSettled(underWay)
    },
  }
}
