import { createKeyedMutex } from '#lib/keyed-mutex.ts'
import { stableId } from '#lib/stable-id.ts'
import { personScope } from '../channels/settings.ts'
import { channelKey } from '../port/keys.ts'
import type { MessageRef } from '../port/message.ts'
import type { AnswerRecord } from '../port/records.ts'
import { languageOf } from '../texts/texts.ts'
import type { AnswerServices, Draft, QuestionContext } from './question.ts'

/** Stable across restarts; another answer to the same question gets another id. */
export function answerId({ jobId, question, rewrite }: QuestionContext): string {
  const parts = [jobId, question, ...(rewrite === undefined ? [] : [rewrite.jobId])]
  return stableId(16, ...parts)
}

function toRecord(services: AnswerServices, ctx: QuestionContext, draft: Draft): AnswerRecord {
  const { message, jobId, queue, question, from } = ctx
  const { near: _near, isRewritable: _isRewritable, ...answer } = draft
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

/**
 * Stores the answer before it is shown whole, since its buttons refer to it.
 *
 * @param shown messages that were posted for it, where it grew
 */
export async function recordDraft(
  services: AnswerServices,
  ctx: QuestionContext,
  draft: Draft,
  shown: readonly MessageRef[],
): Promise<AnswerRecord> {
  const { store } = services
  const fresh = toRecord(services, ctx, draft)
  const known = shown.length > 0 ? { messages: idsOf(shown) } : await store.answers.get(fresh.id)
  const record = { ...fresh, messages: known?.messages ?? [] }
  const near = { id: nearFilesKey(record.id), kind: 'near', data: draft.near, at: record.at }
  await Promise.all([store.answers.put(record), draft.near.length > 0 ? store.buttonPayloads.put(near) : undefined])
  return record
}

const idsOf = (refs: readonly MessageRef[]) => refs.map(({ id }) => id)

const FIRST_ANSWER = 'first-answer'
const firstAnswerLock = createKeyedMutex()

/** Whether it is the first answer that this person gets in the chat service: the same for the same job, always. */
export async function isFirstAnswer({ store }: AnswerServices, { message, jobId }: QuestionContext): Promise<boolean> {
  const scope = personScope(message.conversation, message.author.id)
  return firstAnswerLock(scope, async () => {
    const first = await store.preferences.get(scope, FIRST_ANSWER)
    if (first === undefined) await store.preferences.set(scope, FIRST_ANSWER, jobId)
    return first === undefined || first === jobId
  })
}

/** Key of the files nearest to a question: an escalation asks the people who dropped them. */
export const nearFilesKey = (id: string): string => `near-${id}`

/**
 * Records the messages that show the answer, and adds it to the history.
 *
 * @param noted ids of messages that were recorded with it, and were new then
 */
export async function recordShown(
  services: AnswerServices,
  ctx: QuestionContext,
  refs: readonly MessageRef[],
  { text, noted = [] }: { readonly text: string; readonly noted?: readonly string[] },
): Promise<void> {
  const isNoted = refs.length > 0 && noted.join('\n') === idsOf(refs).join('\n')
  if (!isNoted) await recordMessages(services, ctx, refs)
  // Each message of the answer is a turn, so that replies find this conversation; the first one has the text.
  await Promise.all(refs.map(({ id }, at) => addTurn(services, ctx, 'assistant', id, at === 0 ? text : '')))
}

/** Records the messages. An earlier answer in the same messages is no unanswered question any more. */
async function recordMessages(
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
  if (kept !== undefined) await store.answers.put({ ...kept, messages: idsOf(refs) })
}

/** Adds the question to the history. */
export async function rememberQuestion(services: AnswerServices, ctx: QuestionContext): Promise<void> {
  await addTurn(services, ctx, 'user', ctx.message.id, ctx.question)
}

async function addTurn(
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
