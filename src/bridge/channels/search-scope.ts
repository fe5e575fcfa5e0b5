import type { Adapter } from '../port/adapter.ts'
import type { ConversationRef, Message, NamedConversation } from '../port/message.ts'
import type { Log } from '../port/platform.ts'
import type { Texts } from '../texts/texts.ts'
import type { ChannelMap, ChannelView } from './channel-map.ts'
import type { Authority } from './authorize.ts'
import { mayRead } from './permissions.ts'
import { shownChannel } from '../texts/formats.ts'

/** The conversation whose files may be searched. */
export interface Scope {
  readonly conversation: ConversationRef
  readonly channel: ChannelView
  /** Notes under the answer that say which files were searched, if that is not obvious. */
  readonly notes: readonly string[]
}

/**
 * The files that this asker may search here now: those of the channel, or in a direct conversation those of a named
 * channel (`from`) that the asker may read. Every answer, also a rewrite, is checked here.
 *
 * @returns a sentence if nothing may be searched.
 */
export async function scopeOf(
  { channels, authority }: { readonly channels: ChannelMap; readonly authority: Authority },
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
    return { conversation, channel, notes: channel.isLinkSuspended ? [texts.channels.linkRests] : [] }
  }
  if (!conversation.direct) return texts.channels.askInDirectOnly
  if (!(await mayRead(run, from.conversation, author.id))) return texts.channels.askInNot(shownChannel(from))
  // Discord checks a person's age only when they open the channel itself, so its files are not shown elsewhere.
  if ((await run.adapter.describeChannel(from.conversation))?.isAgeRestricted === true)
    return texts.channels.askInRestricted(shownChannel(from))
  const request = { conversation: from.conversation, personId: author.id, act: 'ask' } as const
  const denial = await authority.denial(run, request)
  if (denial !== undefined) return `${shownChannel(from)}: ${texts.channels.denied[denial]}`
  const channel = await channels.of(from.conversation)
  return { conversation: from.conversation, channel, notes: [texts.channels.answeredFrom(shownChannel(from))] }
}
