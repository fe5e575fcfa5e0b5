import { createHash } from 'node:crypto'
import { channelKey, type MessageRef } from '../port/message.ts'
import type { AnswerRecord } from '../port/records.ts'
import { languageOf } from '../texts/message-language.ts'
import type { AskPorts, AskRun, Draft } from './question.ts'

/** The same answer, shown again after a restart, is the same record; another answer to a question is another one. */
function answerId({ jobId, question, rewrite }: AskRun): string {
  const parts = [jobId, question, ...(rewrite === undefined ? [] : [rewrite.jobId])]
  return createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 16)
}

export function toRecord(ports: AskPorts, run: AskRun, draft: Draft): AnswerRecord {
  const { message, jobId, queue, question, from } = run
  const { near: _, ...answer } = draft
  const language = languageOf(message)
  return {
    ...answer,
    id: answerId(run),
    jobId,
    queue,
    channel: channelKey(message.conversation),
    conversation: message.conversation,
    ...(from === undefined ? {} : { from }),
    asker: message.author.id,
    askerName: message.author.name,
    ...(language === undefined ? {} : { language }),
    question,
    questionMessage: message.id,
    messages: [],
    at: ports.clock(),
  }
}

/** Keeps the answer before it is shown: its buttons refer to it. */
export async function keep({ store }: AskPorts, record: AnswerRecord, draft: Draft): Promise<void> {
  const known = await store.answers.get(record.id)
  await store.answers.put({ ...record, messages: known?.messages ?? [] })
  if (draft.near.length > 0) {
    await store.buttonPayloads.put({
      id: nearFilesKey(record.id),
      kind: 'near',
      data: draft.near,
      at: record.at,
    })
  }
}

/** Under which the files nearest to a question are kept, for asking who dropped them. */
export const nearFilesKey = (id: string): string => `near-${id}`

/** Notes which messages show it; what they showed before is no open question any more. */
export async function shownBy(
  { store, clock }: AskPorts,
  run: AskRun,
  refs: readonly MessageRef[],
): Promise<void> {
  const [first] = refs
  if (first === undefined) return
  const id = answerId(run)
  const earlier = await store.answers.ofMessage(channelKey(run.message.conversation), first.id)
  if (earlier?.outcome === 'nothing' && earlier.id !== id && earlier.closedAt === undefined) {
    await store.answers.put({ ...earlier, closedAt: clock() })
  }
  const kept = await store.answers.get(id)
  if (kept !== undefined) await store.answers.put({ ...kept, messages: refs.map((ref) => ref.id) })
}

/** The question becomes a turn of its conversation. */
export async function rememberQuestion(ports: AskPorts, run: AskRun): Promise<void> {
  await remember(ports, run, 'user', run.message.id, run.question)
}

export async function rememberAnswer(
  ports: AskPorts,
  run: AskRun,
  refs: readonly MessageRef[],
  text: string,
): Promise<void> {
  // Every message of the answer leads back to this conversation; the text stands with the first.
  for (const [index, ref] of refs.entries()) {
    await remember(ports, run, 'assistant', ref.id, index === 0 ? text : '')
  }
}

async function remember(
  ports: AskPorts,
  run: AskRun,
  role: 'user' | 'assistant',
  messageId: string,
  text: string,
): Promise<void> {
  await ports.store.history.append(run.queue, channelKey(run.message.conversation), {
    messageId,
    role,
    author: role === 'user' ? run.message.author.id : 'footbridge',
    text,
    at: ports.clock(),
  })
}
