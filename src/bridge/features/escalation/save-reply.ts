import { administers } from '#bridge/channels/permissions.ts'
import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { JobContext } from '#bridge/delivery/job-context.ts'
import { showWhole } from '#bridge/delivery/outbox-sender.ts'
import { dayIn, frontMatter, nameAfter } from '#bridge/files/saved-messages/note-markdown.ts'
import { answerNoteKey } from '#bridge/files/saved-messages/save-note.ts'
import type { Adapter } from '#bridge/port/adapter.ts'
import type { AnswerRecord } from '#bridge/port/records.ts'
import { textsFor } from '#bridge/texts/texts.ts'
import { answerOf, type Feature, type JobServices, type Press } from '../feature.ts'
import { loadEscalation, type EscalationReply, SAVE_SLOT, saveEscalation } from './escalation.ts'
import { oneLine, shownPerson } from '#bridge/texts/formats.ts'

/** Saves the replies as a file, which closes the question; or dismisses the offer. */
export const createSaveReply = (services: JobServices): Feature => ({
  buttons: [
    { id: ACTION.saveReply, run: (ctx, press) => save(services, ctx, press) },
    { id: ACTION.dropReply, run: (ctx, press) => dismiss(services, ctx, press) },
  ],
})

async function save(services: JobServices, ctx: JobContext, press: Press): Promise<void> {
  const { store, clock } = services
  const found = await loadDecision(services, ctx, press)
  if (found === undefined) return
  const { answer, state, first } = found
  const saved = await services.files.saveNote(ctx, {
    key: answerNoteKey(answer.id),
    name: nameAfter(first.at, answer.question),
    markdown: await toMarkdown(ctx.adapter, answer, state.replies),
    source: { conversation: answer.conversation, id: first.messageId },
    author: { id: first.authorId, name: first.authorName },
    at: first.at,
  })
  if (saved === undefined) return ctx.whisper(ctx.texts.notCollecting)
  // Stored with the file: when any of these messages is deleted, its words leave the file.
  const alsoFrom = state.replies.slice(1).map(({ messageId }) => messageId)
  if (alsoFrom.length > 0) await store.files.put({ ...saved, alsoFrom })
  // The receipt says why and how to retry; the question stays open.
  if (saved.state !== 'ready') return
  await store.answers.put({ ...answer, closedAt: clock() })
  const { escalation } = textsFor(answer.language)
  await replaceOffer(services, ctx, press, escalation.filed(shownPerson(first.authorName)))
  // Saved last: after a restart the same press repeats the step in the same place.
  await saveEscalation(store, { ...state, end: 'filed' }, clock())
}

/** Dismisses the offer; the question stays open. */
async function dismiss(services: JobServices, ctx: JobContext, press: Press): Promise<void> {
  const found = await loadDecision(services, ctx, press)
  if (found === undefined) return
  await replaceOffer(services, ctx, press, textsFor(found.answer.language).escalation.notFiled)
  await saveEscalation(services.store, { ...found.state, replies: [] }, services.clock())
}

/** Only the asker, the people who replied and administrators may decide; others are told so. */
async function loadDecision(services: JobServices, ctx: JobContext, press: Press) {
  const { author, texts } = ctx
  const refuse = async (why: string) => {
    await ctx.whisper(why)
    return undefined
  }
  const answer = await answerOf(services.store, ctx, press)
  const state = await loadEscalation(services.store, press.value)
  if (answer === undefined || state === undefined) return refuse(texts.feedback.tooOld)
  const [first] = state.replies
  if (state.end !== undefined || first === undefined) return refuse(texts.escalation.notOpen)
  const isTheirs = author.id === state.asker || state.replies.some(({ authorId }) => authorId === author.id)
  const may = isTheirs || (await administers(services, ctx, ctx.conversation, author.id))
  return may ? { answer, state, first } : refuse(texts.escalation.notYours)
}

/** Replaces the offer by its outcome, without buttons. */
async function replaceOffer({ store }: JobServices, ctx: JobContext, press: Press, text: string): Promise<void> {
  const row = await store.outbox.byMessage(ctx.conversation, press.messageId)
  if (row === undefined) return
  const sender = ctx.senderFor(ctx.conversation, press.messageId, row.jobId)
  await showWhole(sender, SAVE_SLOT, { kind: 'notice', text })
}

/** The replies as a markdown file. */
async function toMarkdown(
  adapter: Adapter,
  answer: AnswerRecord,
  replies: readonly EscalationReply[],
): Promise<string> {
  const { escalation } = textsFor(answer.language)
  const [first] = replies
  const date = first?.at ?? new Date(answer.at).toISOString()
  const names = [...new Set(replies.map(({ authorName }) => oneLine(authorName)))].join(', ')
  const link =
    first === undefined
      ? undefined
      : await adapter.permalink({ conversation: answer.conversation, id: first.messageId })
  return [
    frontMatter({
      question: answer.question,
      'asked-by': answer.askerName ?? answer.asker,
      'answered-by': names,
      date,
      link,
    }),
    // The body repeats the question, so that retrieval finds the file by its words.
    `# ${oneLine(answer.query ?? answer.question, 300)}\n`,
    ...replies.map(({ text }) => `${text}\n`),
    `${escalation.answeredBy(names, dayIn(date))}\n`,
  ].join('\n')
}

/**
 * Saves the replies again without one of them: the file with its words is removed at once, and this job claims one of
 * the others. A file that is not current is removed with its reply, like any other.
 */
export async function withoutReply(
  services: JobServices,
  ctx: JobContext,
  answer: AnswerRecord,
  { gone, left }: { readonly gone: EscalationReply; readonly left: readonly EscalationReply[] },
): Promise<void> {
  const [first, ...others] = left
  if (first === undefined) return
  const note = {
    conversation: answer.conversation,
    key: answerNoteKey(answer.id),
    markdown: await toMarkdown(ctx.adapter, answer, left),
  }
  await services.files.replaceNote(ctx, note, ({ language }) => ({
    note: textsFor(language).files.without(gone.authorName),
    messageId: first.messageId,
    droppedBy: first.authorId,
    droppedByName: first.authorName,
    droppedAt: first.at,
    alsoFrom: others.length > 0 ? others.map(({ messageId }) => messageId) : undefined,
  }))
}
