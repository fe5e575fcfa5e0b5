import { ACTION } from '../actions/ids.ts'
import type { JobPorts } from '../job-ports.ts'
import { channelKey, type ConversationRef, type Message, type MessageRef } from '../message.ts'
import { shownPerson } from '../receipt/text.ts'
import type { Sender } from '../send.ts'
import { textsFor, type Texts } from '../texts.ts'
import { belongsTo, replyOf, saveState, type PersonReply, type PersonState } from './state.ts'

/** Where the offer to file a reply stands among the sends of the reply's job. */
export const FILE_SLOT = 'file-reply'

/** Somebody replied to what people were asked: kept, and once offered to be filed. */
export async function takeReply(
  { store, clock }: JobPorts,
  run: { readonly message: Message; readonly sender: Sender; readonly texts: Texts },
  state: PersonState,
): Promise<void> {
  const { message, sender, texts } = run
  const { author, id, sentAt } = message
  const reply = {
    messageId: id,
    authorId: author.id,
    authorName: author.name,
    text: message.text.trim(),
    at: sentAt,
  }
  await belongsTo(store, { channel: channelKey(message.conversation), id }, state.answerId, clock())
  // What was filed, stays as it was filed.
  if (state.end !== undefined) return
  const known = state.replies.findIndex(({ messageId }) => messageId === id)
  const replies = known === -1 ? [...state.replies, reply] : state.replies.with(known, reply)
  await saveState(store, { ...state, replies }, clock())
  // What others add goes into the same file; one offer is enough.
  if (replies[0]?.messageId !== id) return
  await offerToFile(sender, texts, state, reply)
}

async function offerToFile(
  sender: Sender,
  texts: Texts,
  { answerId: value }: PersonState,
  { authorName }: PersonReply,
): Promise<void> {
  const text = texts.honest.fileIt(shownPerson(authorName))
  await sender.show(FILE_SLOT, {
    kind: 'notice',
    text,
    actions: [
      { id: ACTION.fileReply, label: texts.honest.fileYes, value, style: 'primary' },
      { id: ACTION.dropReply, label: texts.honest.fileNo, value },
    ],
  })
  await sender.close(FILE_SLOT, text)
}

/** A reply was deleted, and with it its offer: its words are not filed; what others replied is offered again. */
export async function withdrawReply(
  { store, clock }: Pick<JobPorts, 'store' | 'clock'>,
  deleted: MessageRef,
  senderFor: (conversation: ConversationRef, replyTo: string) => Sender,
): Promise<void> {
  const { conversation, id } = deleted
  const state = await replyOf(store, { channel: channelKey(conversation), id })
  const [first] = state?.replies ?? []
  if (state === undefined || state.end !== undefined || first === undefined) return
  const replies = state.replies.filter(({ messageId }) => messageId !== id)
  const [next] = replies
  const answer = await store.answers.get(state.answerId)
  if (answer !== undefined && next !== undefined && first.messageId === id) {
    // A deletion may not tell in which thread it was.
    const sender = senderFor(answer.conversation, next.messageId)
    await offerToFile(sender, textsFor(answer.language), state, next)
  }
  await saveState(store, { ...state, replies }, clock())
}
