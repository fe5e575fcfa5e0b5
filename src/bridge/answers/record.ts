import { stableId } from '../../lib/stable-id.ts'
import { channelKey, type MessageRef } from '../port/message.ts'
import type { AnswerRecord } from '../port/records.ts'
import { languageOf } from '../texts/texts.ts'
import type { AnswerServices, Draft, QuestionContext } from './question.ts'

/** Stable across restarts; another answer to the same question gets another id. */
function answerId({ jobId, question, rewrite }: QuestionContext): string {
  const parts = [jobId, question, ...(rewrite === undefined ? [] : [rewrite.jobId])]
  return stableId(16, ...parts)
}

function toRecord(services: AnswerServices, ctx: QuestionContext, draft: Draft): AnswerRecord {
  const { message, jobId, queue, question, from } = ctx
  const { near: _, ...answer } = draft
  const language = languageOf(message)
  return {
    ...answer,
    id: answerId(ctx),
    jobId,
    queue,
    channel: channelKey(message.conversation),
    conversation: message.conversation,
    from,
    isPrivate: ctx.invocation?.privateTo === undefined ? undefined : true,
    asker: message.author.id,
    askerName: message.author.name,
    language,
    question,
    questionMessage: message.id,
    messages: [],
    at: services.clock(),
  }
}

/** Stores the answer before it is shown, since its buttons refer to it. */
export async function recordDraft(services: AnswerServices, ctx: QuestionContext, draft: Draft): Promise<AnswerRecord> {
  const { store } = services
  const record = toRecord(services, ctx, draft)
  const known = await store.answers.get(record.id)
  await store.answers.put({ ...record, messages: known?.messages ?? [] })
  if (draft.near.length > 0) {
    await store.buttonPayloads.put({ id: nearFilesKey(record.id), kind: 'near', data: draft.near, at: record.at })
  }
  return record
}

/** Key of the files nearest to a question: an escalation asks the people who dropped them. */
export const nearFilesKey = (id: string): string => `near-${id}`

/** Records the messages that show the answer, and adds it to the history. */
export async function recordShown(
  services: AnswerServices,
  ctx: QuestionContext,
  refs: readonly MessageRef[],
  text: string,
): Promise<void> {
  await noteMessages(services, ctx, refs)
  // Each message of the answer is a turn, so that replies find this conversation; the first one has the text.
  for (const [index, ref] of refs.entries()) {
    await remember(services, ctx, 'assistant', ref.id, index === 0 ? text : '')
  }
}

/** Records the messages. An earlier answer in the same messages is no unanswered question any more. */
async function noteMessages(
  { store, clock }: AnswerServices,
  ctx: QuestionContext,
  refs: readonly MessageRef[],
): Promise<void> {
  const [first] = refs
  if (first === undefined) return
  const id = answerId(ctx)
  const earlier = await store.answers.ofMessage(channelKey(ctx.message.conversation), first.id)
  if (earlier?.outcome === 'nothing' && earlier.id !== id && earlier.closedAt === undefined) {
    await store.answers.put({ ...earlier, closedAt: clock() })
  }
  const kept = await store.answers.get(id)
  if (kept !== undefined) await store.answers.put({ ...kept, messages: refs.map((ref) => ref.id) })
}

/** Adds the question to the history. */
export async function rememberQuestion(services: AnswerServices, ctx: QuestionContext): Promise<void> {
  await remember(services, ctx, 'user', ctx.message.id, ctx.question)
}

async function remember(
  services: AnswerServices,
  ctx: QuestionContext,
  role: 'user' | 'assistant',
  messageId: string,
  text: string,
): Promise<void> {
  await services.store.history.append(ctx.queue, channelKey(ctx.message.conversation), {
    messageId,
    role,
    author: role === 'user' ? ctx.message.author.id : 'footbridge',
    text,
    at: services.clock(),
  })
}
