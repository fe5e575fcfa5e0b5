import type { ButtonDoing, JobPorts } from './job-context.ts'
import { createSender, type Content, type Sender } from './outbox-sender.ts'
import { say } from './reply.ts'

/** The send of the message under which a button stands; undefined where it is not on record any more, or can't be edited. */
async function holderOf(
  { store, clock }: Pick<JobPorts, 'store' | 'clock'>,
  { adapter, inbound }: ButtonDoing,
): Promise<{ readonly sender: Sender; readonly slot: string } | undefined> {
  const row = await store.outbox.byMessage(inbound.conversation, inbound.messageId)
  if (row === undefined || adapter.edit === undefined) return undefined
  const { jobId, slot, conversation } = row
  const sender = createSender({
    jobId,
    adapter,
    conversation,
    replyTo: inbound.messageId,
    outbox: store.outbox,
    clock,
  })
  return { sender, slot }
}

/** Says it in the place of the message with the button, which loses its buttons unless `more` has some. */
export async function sayInPlace(
  ports: Pick<JobPorts, 'store' | 'clock'>,
  doing: ButtonDoing,
  text: string,
  more: Partial<Omit<Content, 'text'>> = {},
): Promise<void> {
  const holder = await holderOf(ports, doing)
  if (holder === undefined) return say(doing, text, more)
  await holder.sender.show(holder.slot, { kind: 'notice', text, ...more })
  await holder.sender.close(holder.slot, text)
}
