import { isReadableIn } from '../channels/readable-answer.ts'
import type { MessageContext } from '../delivery/job-context.ts'
import { showWhole } from '../delivery/outbox-sender.ts'
import { AdapterError, isTransientFailure } from '../port/errors.ts'
import type { Reference } from '../port/message.ts'
import type { AnswerRecord } from '../port/records.ts'
import type { AnswerServices } from './question.ts'

type Rights = Parameters<typeof isReadableIn>[0]

const SLOT = 'cards.'

/** References of an answer that have a passage to show. */
export const passagesOf = ({ references }: Pick<AnswerRecord, 'references'>): readonly Reference[] =>
  references.filter(({ passage }) => passage.trim() !== '')

/** A reference of an answer that everybody in its channel may read; undefined: it does not exist (any more). */
export async function findCited(
  services: Pick<AnswerServices, 'channels' | 'store'>,
  { answer: id, number }: { readonly answer: string; readonly number: number },
): Promise<{ readonly answer: AnswerRecord; readonly reference: Reference } | undefined> {
  const answer = await services.store.answers.get(id)
  const reference = answer?.references.find((one) => one.number === number)
  if (answer === undefined || reference === undefined) return undefined
  return (await isReadableIn(services, answer.conversation, answer)) ? { answer, reference } : undefined
}

/** Takes away the cards of every answer to this question except this one. */
export async function removeReferenceCards({ sender }: Pick<MessageContext, 'sender'>, kept?: string): Promise<void> {
  for (const slot of await sender.slots()) {
    if (!slot.startsWith(SLOT) || slot === kept) continue
    await sender.locate(slot)
    await sender.remove(slot)
  }
}

/** The answer itself is shown: its job must not be given up for its cards. */
const MAX_ATTEMPTS = 4

/** A message under an answer with a card for each reference, where the service can open those in a pane. */
export async function showReferenceCards(
  services: Rights,
  ctx: MessageContext,
  answer: AnswerRecord | undefined,
): Promise<void> {
  if (ctx.adapter.app?.opensReferences !== true) return
  try {
    await replaceCards(services, ctx, answer)
  } catch (error) {
    const mayPass = isTransientFailure(error) && ctx.attempt < MAX_ATTEMPTS
    if (!(error instanceof AdapterError) || mayPass) throw error
    ctx.log.warn(
      { err: error },
      'The references of an answer have no cards to open beside the chat: the answer shows them',
    )
  }
}

/** The message is sent once: Slack forgets the cards of a message that is edited. */
async function replaceCards(services: Rights, ctx: MessageContext, answer: AnswerRecord | undefined): Promise<void> {
  const { conversation, sender, texts } = ctx
  const references = answer === undefined ? [] : passagesOf(answer)
  const isMeant = answer !== undefined && references.length > 0 && (await isReadableIn(services, conversation, answer))
  const slot = isMeant ? SLOT + answer.id : undefined
  await removeReferenceCards(ctx, slot)
  if (!isMeant || slot === undefined) return
  await sender.locate(slot)
  if ((await sender.slots()).includes(slot)) return
  const text = texts.conversation.passages
  await showWhole(sender, slot, { kind: 'passages', text, references, cardsOf: { answer: answer.id, at: answer.at } })
}
