import { nearFilesKey } from '../answers/record.ts'
import type { JobContext } from '../delivery/job-context.ts'
import { withdrawEscalation, withdrawReply } from '../features/escalation/replies.ts'
import { collectionsOf, filesSavedFrom } from '../files/saved-messages/save-note.ts'
import { channelKey, messageKey } from '../port/keys.ts'
import type { Inbound, InboundOf, MessageRef } from '../port/message.ts'
import type { Job, Store } from '../port/store.ts'
import { voiceMessageId } from '../voice/voice-message.ts'
import type { JobServices } from '../features/feature.ts'

/**
 * A message was deleted: removes its text, its answer and the files made from it. Rejects when it should be retried.
 */
export async function onDelete(
  services: JobServices,
  ctx: JobContext,
  { conversation, messageId }: InboundOf<'delete'>,
): Promise<void> {
  const { store } = services
  const original = await store.inbox.ofMessage(messageKey(conversation, messageId))
  if (original !== undefined) {
    const deleted = { conversation, id: messageId }
    await removeResults(services, ctx, original.id, deleted)
    await withdrawReply(services, ctx, deleted)
  }
  await removeSaved(services, ctx, { conversation, id: messageId })
  const dropped = original === undefined ? [] : await store.files.ofJob(original.id)
  const collections = await collectionsOf(store, conversation)
  await services.files.resumeAll(ctx, [...dropped.map(({ collection }) => collection), ...collections])
}

/** Removes the files, the receipt and the answer of the deleted message's job, then the text. */
async function removeResults(
  services: JobServices,
  ctx: JobContext,
  ofJob: string,
  deleted: MessageRef,
): Promise<void> {
  const { store, files } = services
  for (const file of await store.files.ofJob(ofJob))
    if (file.state !== 'removed') await services.files.remove(ctx, file)
  // Otherwise a waiting update would post the receipt again.
  await files.receipts.end(ofJob)
  const { conversation } = deleted
  for (const { ref, sendId } of await store.outbox.ofJob(ofJob)) {
    if (ref !== undefined) {
      await removeSaved(services, ctx, { conversation, id: ref.id })
      await ctx.adapter.remove(ref)
      await store.history.remove(channelKey(conversation), ref.id)
    }
    await store.outbox.drop(sendId)
  }
  await eraseWords(services, ctx, deleted)
}

/** Removes the files that were saved from this message. */
async function removeSaved(services: JobServices, ctx: JobContext, { conversation, id }: MessageRef): Promise<void> {
  for (const file of await filesSavedFrom(services.store, conversation, id)) await services.files.remove(ctx, file)
}

/**
 * Erases the text of a deleted message from our records: question, transcript, answer, unanswered question and votes.
 * Author and time of the message remain.
 */
export async function eraseWords(
  { store, clock }: Pick<JobServices, 'store' | 'clock'>,
  ctx: Pick<JobContext, 'adapter' | 'log'>,
  { conversation, id }: MessageRef,
): Promise<void> {
  const channel = channelKey(conversation)
  for (const answer of await store.answers.ofQuestion(channel, id)) {
    await withdrawEscalation({ store, clock }, ctx, answer)
    await store.buttonPayloads.take(nearFilesKey(answer.id))
    await store.answers.remove(answer.id)
  }
  for (const { id: jobId, inbound } of await store.inbox.allOfMessage(messageKey(conversation, id))) {
    await store.buttonPayloads.take(voiceMessageId(jobId))
    await store.inbox.replaceEvent(jobId, withoutWords(inbound))
  }
  await store.history.remove(channel, id)
}

/** Text typed into a dialog is stored where it takes effect and deleted with that: the job keeps none of it. */
export async function eraseTypedText({ inbox }: Pick<Store, 'inbox'>, { id, inbound }: Job): Promise<void> {
  if (inbound.kind === 'action' && inbound.action.text !== undefined)
    await inbox.replaceEvent(id, withoutWords(inbound))
}

function withoutWords(inbound: Inbound): Inbound {
  if (inbound.kind === 'message' || inbound.kind === 'edit')
    return { ...inbound, message: { ...inbound.message, text: '' } }
  return inbound.kind === 'action' ? { ...inbound, action: { ...inbound.action, text: '' } } : inbound
}
