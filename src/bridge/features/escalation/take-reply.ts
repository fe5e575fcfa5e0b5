import { ACTION } from '../../delivery/button-ids.ts'
import type { JobPorts } from '../../delivery/job-context.ts'
import type { Sender } from '../../delivery/outbox-sender.ts'
import type { DriveRun } from '../../files/ingest/resume.ts'
import { channelKey, type ConversationRef, type Message, type MessageRef } from '../../port/message.ts'
import { shownPerson } from '../../texts/names.ts'
import { type Texts, textsFor } from '../../texts/texts.ts'
import { belongsTo, type PersonReply, type PersonState, replyOf, saveState } from './state.ts'
import { refile } from './update-saved-reply.ts'

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

/**
 * A reply was deleted, and with it its offer: its words are not filed, and go from what was filed; what others replied is
 * offered again.
 */
export async function withdrawReply(
  ports: JobPorts,
  run: DriveRun,
  deleted: MessageRef,
  senderFor: (conversation: ConversationRef, replyTo: string) => Sender,
): Promise<void> {
  const { store, clock } = ports
  const { conversation, id } = deleted
  const state = await replyOf(store, { channel: channelKey(conversation), id })
  const gone = state?.replies.find(({ messageId }) => messageId === id)
  if (state === undefined || gone === undefined) return
  const left = state.replies.filter(({ messageId }) => messageId !== id)
  const [next] = left
  const answer = await store.answers.get(state.answerId)
  if (answer !== undefined && next !== undefined) {
    if (state.end === 'filed') await refile(ports, run, answer, { gone, left })
    else if (state.end === undefined && state.replies[0]?.messageId === id) {
      // A deletion may not tell in which thread it was.
      const sender = senderFor(answer.conversation, next.messageId)
      await offerToFile(sender, textsFor(answer.language), state, next)
    }
  }
  await saveState(store, { ...state, replies: left }, clock())
}
