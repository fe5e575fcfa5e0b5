import type { JobContext } from '#bridge/delivery/job-context.ts'
import type { Card } from '#bridge/port/forms.ts'
import { channelKey } from '#bridge/port/keys.ts'
import type { InboundOf } from '#bridge/port/message.ts'
import type { AnswerRecord } from '#bridge/port/records.ts'
import { oneLine } from '#bridge/texts/formats.ts'
import type { JobServices } from '../feature.ts'
import { passagesOf } from './passages.ts'

const MAX_LINKS = 5
const QUESTION_CHARS = 150
const ANSWER_CHARS = 500
const MAX_FILES = 4

/**
 * Shows answers that a message links to. The whole channel sees a card: it shows only answers from files that everybody
 * there may ask for now, and no private answer.
 */
export async function showCards(
  services: JobServices,
  ctx: JobContext,
  { messageId, urls }: InboundOf<'links'>,
): Promise<void> {
  const { adapter, author, conversation } = ctx
  if (adapter.app === undefined) return
  const denial = await services.authority.denial(ctx, { conversation, personId: author.id, act: 'ask' })
  if (denial !== undefined) return
  const found = await Promise.all(
    urls.slice(0, MAX_LINKS).map(async (url) => {
      const answer = await answerAt(services, ctx, url)
      return answer === undefined ? [] : [toCard(ctx, url, answer)]
    }),
  )
  const cards = found.flat()
  if (cards.length > 0) await adapter.app.showCards({ conversation, id: messageId }, cards)
}

/** The answer at this address, if everybody in this channel may read it. */
async function answerAt(services: JobServices, { conversation }: JobContext, url: string) {
  const { store, channels, messageAt } = services
  const ref = await messageAt(url)
  const answer = ref && (await store.answers.ofMessage(channelKey(ref.conversation), ref.id))
  if (answer === undefined || answer.isPrivate === true || answer.outcome !== 'answered') return undefined
  const { collection } = await channels.of(conversation)
  const isReadable = answer.collections.length > 0 && answer.collections.every((one) => one === collection)
  return isReadable ? answer : undefined
}

/** Shows the answer of a card with its passages to the person who opened it, if they may ask here now. */
export async function showDetails(
  services: JobServices,
  ctx: JobContext,
  { url, ticket }: InboundOf<'details'>,
): Promise<void> {
  const { adapter, author, conversation, texts } = ctx
  if (adapter.app === undefined) return
  const denial = await services.authority.denial(ctx, { conversation, personId: author.id, act: 'ask' })
  const answer = denial === undefined ? await answerAt(services, ctx, url) : undefined
  const details =
    answer === undefined
      ? { refusal: denial === undefined ? texts.feedback.notShownHere : texts.channels.denied[denial] }
      : { title: oneLine(answer.question, QUESTION_CHARS), text: answer.text.trim(), references: passagesOf(answer) }
  await adapter.app.showDetails(conversation, ticket, details)
}

function toCard({ texts }: JobContext, url: string, { question, text, references }: AnswerRecord): Card {
  const files = [...new Set(references.map(({ file }) => file))].slice(0, MAX_FILES)
  return {
    url,
    title: oneLine(question, QUESTION_CHARS),
    text: oneLine(text, ANSWER_CHARS),
    note: texts.commands.cardFrom(files.map((file) => oneLine(file, QUESTION_CHARS))),
  }
}
