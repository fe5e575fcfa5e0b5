import type { Adapter } from '../port/adapter.ts'
import type { ConversationRef, Message, NamedConversation } from '../port/message.ts'
import type { Log } from '../port/platform.ts'
import type { Texts } from '../texts/texts.ts'
import type { ChannelMap, ChannelView } from './channel-map.ts'
import { mayRead } from './permissions.ts'
import { shownChannel } from '../texts/formats.ts'

/** The files that may be searched for an answer. */
export interface Scope {
  /** The conversation whose channel's files are searched. */
  readonly conversation: ConversationRef
  readonly channel: ChannelView
  /** Sentences to stand under the answer: which files these are, where that is not plain. */
  readonly notes: readonly string[]
}

/**
 * The files that may be searched for this asker, in this conversation, now: those of the channel, or in a direct
 * conversation those of a channel that was named (`from`) and that the asker may read at this moment. Every way to an
 * answer goes through here, another try of an old one too.
 *
 * @returns a sentence where nothing may be searched.
 */
export async function scopeOf(
  { channels }: { readonly channels: ChannelMap },
  run: {
    readonly message: Pick<Message, 'conversation' | 'author'>
    readonly from?: NamedConversation
    readonly adapter: Adapter
    readonly texts: Texts
    readonly log: Log
  },
): Promise<Scope | string> {
  const { from, texts } = run
  const { conversation, author } = run.message
  if (from === undefined) {
    const channel = await channels.of(conversation)
    return { conversation, channel, notes: channel.linkRests ? [texts.channels.linkRests] : [] }
  }
  if (!conversation.direct) return texts.channels.askInDirectOnly
  if (!(await mayRead(run, from.conversation, author.id))) return texts.channels.askInNot(shownChannel(from))
  const channel = await channels.of(from.conversation)
  return {
    conversation: from.conversation,
    channel,
    notes: [texts.channels.answeredFrom(shownChannel(from))],
  }
}
