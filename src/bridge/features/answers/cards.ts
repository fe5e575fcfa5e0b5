import { findCited, passagesOf } from '#bridge/answers/reference-cards.ts'
import { isReadableIn } from '#bridge/channels/readable-answer.ts'
import { isLive, nameOfDropper } from '#bridge/files/file-records.ts'
import type { JobContext } from '#bridge/delivery/job-context.ts'
import type { Card, Details } from '#bridge/port/forms.ts'
import { channelKey } from '#bridge/port/keys.ts'
import type { InboundOf } from '#bridge/port/message.ts'
import type { AnswerRecord, FileRecord } from '#bridge/port/records.ts'
import { oneLine } from '#bridge/texts/formats.ts'
import { withoutRowNote } from '#lib/table-rows.ts'
import type { JobServices } from '../feature.ts'

const MAX_LINKS = 5
const QUESTION_CHARS = 150
const ANSWER_CHARS = 500
const MAX_FILES = 4
/** The mark of a heading: the beginning of a file is shown as plain text. */
const HEADING = /^#{1,6} +/gm
/** Beginning of a file. */
const MAX_BEGINNING = 3000

/**
 * Shows answers and files that a message links to. The whole channel sees a card: it shows only files that everybody
 * there may ask for now, answers from them, and no private answer.
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
      const there = await linkedAt(services, ctx, url)
      if (there === undefined) return []
      return ['question' in there ? toCard(ctx, url, there) : await toFileCard(services, ctx, url, there)]
    }),
  )
  const cards = found.flat()
  if (cards.length > 0) await adapter.app.showCards({ conversation, id: messageId }, cards)
}

/** The answer or the file at this address, if everybody in this channel may read it. Of a drop, its first file. */
async function linkedAt(services: JobServices, { conversation }: JobContext, url: string) {
  const { store, messageAt, channels } = services
  const linked = await messageAt(url)
  if (linked === undefined) return undefined
  const { file: id, ...ref } = linked
  const answer = id === undefined ? await store.answers.ofMessage(channelKey(ref.conversation), ref.id) : undefined
  if (answer !== undefined) return (await isReadableIn(services, conversation, answer)) ? answer : undefined
  const { collection } = await channels.of(conversation)
  const dropped =
    id === undefined
      ? (await store.files.ofChannel(channelKey(ref.conversation))).filter(({ messageId }) => messageId === ref.id)
      : [await store.files.get(id)].flatMap((file) => file ?? [])
  return dropped.find((file) => isLive(file) && file.collection === collection)
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
    reference === undefined ? await linkedDetails(services, ctx, url) : await detailsOf(services, ctx, reference)
  await adapter.app.showDetails(conversation, ticket, details ?? { refusal: texts.feedback.notShownHere })
}

async function linkedDetails(services: JobServices, ctx: JobContext, url: string): Promise<Details | undefined> {
  const there = await linkedAt(services, ctx, url)
  if (there === undefined) return undefined
  if (!('question' in there))
    return { ...headOf(there), text: (await beginningOf(services, there)).trim(), references: [] }
  const { question, text, at } = there
  return { title: oneLine(question, QUESTION_CHARS), text: text.trim(), references: passagesOf(there), at }
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

const headOf = (file: FileRecord): Pick<Card, 'title' | 'at' | 'file'> => ({
  title: oneLine(file.displayName, QUESTION_CHARS),
  at: Date.parse(file.droppedAt ?? '') || file.updatedAt,
  file: { droppedBy: nameOfDropper(file), droppedAt: file.droppedAt },
})

/** Only a text that is at hand: a press waits for three seconds. */
async function beginningOf({ sources }: JobServices, { collection, fileName }: FileRecord): Promise<string> {
  const text = (await sources.cached(collection, fileName)) ?? ''
  return withoutRowNote(text).slice(0, MAX_BEGINNING).toWellFormed().replaceAll(HEADING, '')
}

async function toFileCard(services: JobServices, ctx: JobContext, url: string, file: FileRecord): Promise<Card> {
  const text = oneLine(await beginningOf(services, file), ANSWER_CHARS)
  return { ...headOf(file), url, text, note: ctx.texts.commands.cardDropped(oneLine(nameOfDropper(file))) }
}
