import { channelKey, type MessageRef } from '../port/message.ts'
import type { AskPorts, AskRun } from './question.ts'

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
