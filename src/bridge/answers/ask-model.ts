import { EXTRACTIVE } from '../channels/models.ts'
import { CollectionLostError } from '../files/collection/missing-collection.ts'
import { isPlatformFailure } from '../port/errors.ts'
import type { ChatRequest } from '../port/platform.ts'
import type { HistoryTurn } from '../port/records.ts'
import { shownChannel } from '../texts/formats.ts'
import { composeMessages } from './compose-messages.ts'
import { loadHistory } from './history.ts'
import { readLinked } from './linked.ts'
import type { Pictures } from './pictures.ts'
import { type ExpandingSink, searchExpanded } from './query-expansion.ts'
import type { AnswerServices, QuestionContext, Retrieval } from './question.ts'
import { isUnanswered, readAnswer, type ReadAnswer } from './read-answer.ts'
import { toRetrievalQuery } from './rewrite-question.ts'

/** Above the usual default of models: another answer should be worded differently. */
const ANOTHER_TEMPERATURE = 0.9

interface ModelInput {
  readonly asked: Retrieval
  readonly turns: readonly HistoryTurn[]
  readonly out: ExpandingSink
}

/** Asks; if the files say nothing, asks once more with other words for the question. */
export async function askModel(
  services: AnswerServices,
  ctx: QuestionContext,
  { asked, out, turns }: ModelInput,
  pictures: Pictures | undefined,
): Promise<{ readonly answer: ReadAnswer; readonly first: ReadAnswer; readonly isExpanded: boolean }> {
  const toRequest = await prepareRequest(services, ctx, { asked, turns, images: pictures?.images })
  const { collections, model, query } = asked
  const [collection] = collections
  // No query expansion for a rewrite, which uses the passages already found, nor for a question about pictures.
  const mayExpand =
    services.expandsQueries &&
    model !== EXTRACTIVE &&
    ctx.rewrite === undefined &&
    (pictures === undefined || pictures.images.length === 0)
  const holdsRefusals = mayExpand && collection !== undefined
  const first = await askPlatform(services, ctx, toRequest(query), { collection, out, holdsRefusals })
  if (!holdsRefusals || first.shown || !isUnanswered(first)) return { answer: first, first, isExpanded: false }
  const expanded = await searchExpanded(services, ctx, { model, collection, query, toRequest }, out)
  if (expanded !== undefined) asked.query = expanded.query
  return { answer: expanded?.answer ?? first, first, isExpanded: expanded !== undefined }
}

/** @throws {CollectionLostError} */
async function askPlatform(
  services: AnswerServices,
  ctx: QuestionContext,
  request: ChatRequest,
  options: { readonly collection: string | undefined; readonly out: ExpandingSink; readonly holdsRefusals: boolean },
): Promise<ReadAnswer> {
  const { question, signal } = ctx
  const { collection, ...reading } = options
  const read = (asked: ChatRequest) => readAnswer(services.platform, asked, { question, signal, ...reading })
  try {
    const answer = await read(request).catch((error: unknown) => {
      // A hosted platform fits its passages itself; only Footbridge can leave out the history.
      const hasHistory = request.messages.some(({ role }) => role === 'assistant')
      if (!hasHistory || !isPlatformFailure(error) || error.code !== 'too-long') throw error
      return read({ ...request, messages: withoutHistory(request.messages) })
    })
    if (collection === undefined || answer.end.references.length > 0 || !isUnanswered(answer)) return answer
    // No passages although there are files: the collection may have been replaced.
    services.lostCollections.invalidate(collection)
    await refuseIfLost(services, ctx, collection)
    return answer
  } catch (error) {
    // If the collection was just removed, people read that sentence instead of the platform's error.
    if (collection !== undefined && isPlatformFailure(error) && error.code === 'not-found') {
      services.lostCollections.invalidate(collection)
      await refuseIfLost(services, ctx, collection)
    }
    throw error
  }
}

/** The rules and the question. */
const withoutHistory = (messages: ChatRequest['messages']): ChatRequest['messages'] =>
  messages.filter(({ role }, at) => role === 'system' || at === messages.length - 1)

/**
 * In a direct conversation only the asker reads the sentence: rebuilding is done in the channel.
 *
 * @throws {CollectionLostError} with the sentence that is shown instead of an answer.
 */
export async function refuseIfLost(
  { lostCollections }: AnswerServices,
  ctx: QuestionContext,
  collection: string,
): Promise<void> {
  const { from, texts, signal } = ctx
  const lost =
    from === undefined && ctx.quiet !== true
      ? await lostCollections.notice(ctx, collection)
      : await lostCollections.sentence(collection, texts, signal)
  if (lost !== undefined) throw new CollectionLostError(from === undefined ? lost : `${shownChannel(from)}: ${lost}`)
}

/** Records the query in `asked`. */
async function prepareRequest(
  services: AnswerServices,
  ctx: QuestionContext,
  given: { readonly asked: Retrieval; readonly turns: readonly HistoryTurn[]; readonly images?: readonly string[] },
): Promise<(query: string | undefined) => ChatRequest> {
  const { question, rewrite, signal } = ctx
  const { asked, images = [] } = given
  const { model } = asked
  const [collection] = asked.collections
  const [said, linked] = await Promise.all([loadHistory(services, ctx, given.turns), readLinked(services.clock, ctx)])
  const turns = [...said, ...linked]
  const fromFiles = collection !== undefined
  // A rewrite uses the same passages: those of the recorded query.
  const query = !fromFiles
    ? undefined
    : rewrite === undefined
      ? await toRetrievalQuery(services, ctx, model, turns)
      : rewrite.earlier.query
  if (query !== undefined) asked.query = query
  const id = fromFiles ? await services.channels.ensureCreated(collection, signal) : undefined
  return (searched) => ({
    model,
    messages: composeMessages({ question, turns, fromFiles, query: searched, rewrite, images }),
    ...(rewrite?.manner === 'another' ? { temperature: ANOTHER_TEMPERATURE } : {}),
    collection: id,
    ...(asked.file === undefined ? {} : { file: asked.file }),
  })
}
