import { setTimeout as sleep } from 'node:timers/promises'
import type { Author, ConversationRef, Inbound } from '../../../src/bridge/port/message.ts'
import type { Api } from '../api.ts'
import { lookupMs } from '../config.ts'
import type { Directory } from '../directory.ts'
import { text, toFields } from '../../shared/json.ts'
import type { Fields } from '../../shared/json.ts'

/** 📌 under a message. */
export interface PinReader {
  readonly pinned: (event: unknown) => Promise<Inbound | undefined>
}

interface PinParts {
  readonly api: Api
  readonly directory: Directory
  readonly userId: string
  readonly keyOf: (channel: string, ...parts: readonly string[]) => string
  readonly conversationOf: (channel: string, thread: string) => ConversationRef
  readonly authorOf: (wire: Fields) => Promise<Author>
}

const pushpin = 'pushpin'

export function createPinReader(parts: PinParts): PinReader {
  const { api, directory, userId, keyOf, conversationOf, authorOf } = parts

  /** The event does not say in which thread the message stands. */
  async function threadOf(channel: string, ts: string): Promise<string> {
    const look = api
      .call('conversations.replies', (web) => web.conversations.replies({ channel, ts, limit: 1 }), {
        repeatable: true,
        patient: false,
      })
      .then((answer) => answer.messages?.find((one) => one.ts === ts)?.thread_ts)
      .catch(() => undefined)
    return (await Promise.race([look, sleep(lookupMs, undefined, { ref: false })])) ?? ts
  }

  return {
    async pinned(raw) {
      const event = toFields(raw)
      const item = toFields(event['item'])
      const [channel, ts] = [text(item, 'channel'), text(item, 'ts')]
      const user = text(event, 'user')
      if (text(event, 'reaction') !== pushpin || text(item, 'type') !== 'message') return undefined
      if (channel === undefined || ts === undefined || user === undefined || user === userId) return undefined
      if ((await directory.find(user, lookupMs))?.bot === true) return undefined
      return {
        kind: 'pin',
        key: keyOf(channel, ts, 'pin', user, text(event, 'event_ts') ?? ''),
        conversation: conversationOf(channel, await threadOf(channel, ts)),
        author: await authorOf({ user }),
        messageId: ts,
      }
    },
  }
}
