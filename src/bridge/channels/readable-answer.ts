import type { ConversationRef } from '../port/message.ts'
import type { AnswerRecord } from '../port/records.ts'
import type { ChannelMap } from './channel-map.ts'

/** Whether the answer is from the files that this channel uses now, so that everybody who may ask there may read it. */
export async function isReadableIn(
  { channels }: { readonly channels: Pick<ChannelMap, 'of'> },
  conversation: ConversationRef,
  { isPrivate, outcome, collections }: Pick<AnswerRecord, 'isPrivate' | 'outcome' | 'collections'>,
): Promise<boolean> {
  if (isPrivate === true || outcome !== 'answered') return false
  const { collection } = await channels.of(conversation)
  return collections.length > 0 && collections.every((one) => one === collection)
}
