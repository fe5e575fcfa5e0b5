import { findCited, passagesOf } from '#bridge/answers/reference-cards.ts'
import { isReadableIn } from '#bridge/channels/readable-answer.ts'
import type { JobContext } from '#bridge/delivery/job-context.ts'
import type { Card, Details } from '#bridge/port/forms.ts'
import { channelKey } from '#bridge/port/keys.ts'
import type { InboundOf } from '#bridge/port/message.ts'
import type { AnswerRecord } from '#bridge/port/records.ts'
import { oneLine } from '#bridge/texts/formats.ts'
import type { JobServices } from '../feature.ts'

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
  const { store, messageAt } = services
  const ref = await messageAt(url)
  const answer = ref && (await store.answers.ofMessage(channelKey(ref.conversation), ref.id))
  return answer !== undefined && (await isReadableIn(services, conversation, answer)) ? answer : undefined
}

/** A reference of an answer in this very channel, if everybody there may still read it. */
async function detailsOf(
  services: JobServices,
  { conversation }: JobContext,
  asked: NonNullable<InboundOf<'details'>['reference']>,
): Promise<Details | undefined> {
  const cited = await findCited(services, asked)
  if (cited === undefined || cited.answer.channel !== channelKey(conversation)) return undefined
  return { reference: cited.reference, at: cited.answer.at }
}

/** Shows the answer of a card with its passages, or one of its references, to the person who opened it, if they may ask here now. */
export async function showDetails(
  services: JobServices,
  ctx: JobContext,
  { url, ticket, reference }: InboundOf<'details'>,
): Promise<void> {
  const { adapter, author, conversation, texts } = ctx
  if (adapter.app === undefined) return
  const denial = await services.authority.denial(ctx, { conversation, personId: author.id, act: 'ask' })
  if (denial !== undefined)
    return adapter.app.showDetails(conversation, ticket, { refusal: texts.channels.denied[denial] })
  const details =
    reference === undefined ? await answerDetails(services, ctx, url) : await detailsOf(services, ctx, reference)
  await adapter.app.showDetails(conversation, ticket, details ?? { refusal: texts.feedback.notShownHere })
}

async function answerDetails(services: JobServices, ctx: JobContext, url: string): Promise<Details | undefined> {
  const answer = await answerAt(services, ctx, url)
  if (answer === undefined) return undefined
  const { question, text, at } = answer
  return { title: oneLine(question, QUESTION_CHARS), text: text.trim(), references: passagesOf(answer), at }
}

function toCard({ texts }: JobContext, url: string, { question, text, references, at }: AnswerRecord): Card {
  const files = [...new Set(references.map(({ file }) => file))].slice(0, MAX_FILES)
  return {
    url,
    title: oneLine(question, QUESTION_CHARS),
    text: oneLine(text, ANSWER_CHARS),
    note: texts.commands.cardFrom(files.map((file) => oneLine(file, QUESTION_CHARS))),
    at,
  }
}
