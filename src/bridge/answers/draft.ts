import { isSmallTalk, isThanks } from '#lexicon/follow-up.ts'
import { OverBudgetError, overBudgetSentence } from '../channels/budgets.ts'
import { EXTRACTIVE } from '../channels/models.ts'
import { type Scope, scopeOf } from '../channels/search-scope.ts'
import { CollectionLostError } from '../files/collection/missing-collection.ts'
import { listFiles } from '../files/find-file.ts'
import { isPlatformFailure } from '../port/errors.ts'
import type { ChatRequest } from '../port/platform.ts'
import type { HistoryTurn } from '../port/records.ts'
import { resolveReferences } from '../references/resolve.ts'
import { shownChannel } from '../texts/formats.ts'
import { languageOf, textsFor } from '../texts/texts.ts'
import { answerShelfQuestion, answerUnknownFile } from './answer-shelf.ts'
import { composeMessages } from './compose-messages.ts'
import { loadHistory, TURNS_TO_LOAD } from './history.ts'
import { readLinked } from './linked.ts'
import { closeFence, composeNothingFound } from './no-answer.ts'
import type { Pictures } from './pictures.ts'
import { type ExpandingSink, searchExpanded } from './query-expansion.ts'
import type { AnswerServices, Retrieval, Draft, QuestionContext } from './question.ts'
import { readAnswer, type ReadAnswer, isUnanswered } from './read-answer.ts'
import { withoutMarkerWord } from './refusal.ts'
import { toRetrievalQuery } from './rewrite-question.ts'

/** Above the usual default of models: another answer should be worded differently. */
const ANOTHER_TEMPERATURE = 0.9

/**
 * Asks the model, streams its answer, and classifies the outcome.
 *
 * @param asked is filled in on the way, so that it can be recorded also when this fails.
 * @returns a sentence of ours as a draft, where no model is asked.
 * @throws {CollectionLostError} for a rewrite: the earlier answer stays.
 */
export async function draftAnswer(
  services: AnswerServices,
  ctx: QuestionContext,
  asked: Retrieval,
  out: ExpandingSink,
): Promise<Draft> {
  const scope = await scopeOf(services, ctx)
  if (typeof scope === 'string') return sentenceDraft(scope, asked)
  try {
    return await draftFrom(services, ctx, { asked, scope, out })
  } catch (error) {
    if (error instanceof CollectionLostError && ctx.rewrite === undefined) return sentenceDraft(error.message, asked)
    throw error
  }
}

interface DraftInput {
  readonly asked: Retrieval
  readonly scope: Scope
  readonly out: ExpandingSink
}

async function draftFrom(services: AnswerServices, ctx: QuestionContext, drafting: DraftInput): Promise<Draft> {
  const { texts } = ctx
  const { asked, scope, out } = drafting
  const { collection } = scope.channel
  await refuseIfLost(services, ctx, collection)
  // The four need nothing of each other: they are asked for together.
  const [hasFiles, model, turns] = await Promise.all([
    services.store.files.hasReady(collection),
    services.models.pick(ctx.signal, ctx.queue),
    services.store.history.of(ctx.queue, TURNS_TO_LOAD),
    chargeQuestion(services, ctx),
  ])
  asked.model = model
  const isEmpty = async () => (await listFiles(services, collection)).length === 0
  // Small talk needs no retrieval.
  const fromFiles = hasFiles && !isSmallTalk(ctx.question)
  if (!fromFiles && asked.model === EXTRACTIVE) {
    const talk = isThanks(ctx.question) ? texts.welcome : texts.help
    return sentenceDraft(hasFiles ? talk : (await isEmpty()) ? texts.dropFirst : texts.waitFirst, asked)
  }
  // Beside a picture, “this” is the picture.
  const mayBeAboutShelf = hasFiles && ctx.pictures === undefined
  const aboutShelf = mayBeAboutShelf ? await answerShelfQuestion(services, ctx, drafting) : undefined
  if (aboutShelf !== undefined) return aboutShelf
  const pictures = await ctx.pictures?.(asked.model)
  if (fromFiles) asked.collections = [collection]
  const { answer, first, isExpanded } = await askModel(services, ctx, { ...drafting, turns }, pictures)
  const { conversation } = ctx.message
  const resolved = await resolveReferences(services, { ...ctx, ...asked, end: answer.end, conversation })
  const { text: said, refuses } = withoutMarkerWord(resolved.text)
  const text = answer.isStopped ? closeFence(said) : said
  // An answer from a picture cites no file and still counts as answered.
  const hasSeen = hasPictures(pictures) && !refuses && text !== ''
  if (!fromFiles || hasSeen || !isUnanswered(answer)) {
    const note = [
      ...scope.notes,
      ...resolved.notes,
      ...(pictures?.notes ?? []),
      ...(hasFiles ? [] : [(await isEmpty()) ? texts.notFromFiles : texts.notYetFromFiles]),
      ...(answer.cutByLength ? [texts.cutByLength] : []),
      ...(answer.cutByFilter ? [texts.cutByFilter] : []),
      ...(answer.refusal === undefined ? [] : [texts.failures.declined(answer.refusal)]),
      ...(answer.isStopped ? [texts.stopped] : []),
    ].map((line) => `\n\n${line}`)
    out.push(note.join(''))
    const outcome = fromFiles ? 'answered' : 'plain'
    const shown = { text: text + note.join(''), references: resolved.references, near: [], outcome } as const
    return { ...asked, ...shown, isRewritable: !hasPictures(pictures) }
  }
  const unknownFile = await answerUnknownFile(services, ctx, drafting)
  if (unknownFile !== undefined) return unknownFile
  const passages = [...answer.end.references, ...first.end.references]
  const near = [...new Set(passages.map(({ file }) => file))]
  const searched = { query: asked.query, isExpanded, nearest: resolved.references }
  const sentence = await composeNothingFound(services, ctx, scope, searched)
  return { ...asked, near, references: [], outcome: 'nothing', text: sentence }
}

const hasPictures = (pictures: Pictures | undefined) => pictures !== undefined && pictures.images.length > 0

/** Asks; if the files say nothing, asks once more with other words for the question. */
async function askModel(
  services: AnswerServices,
  ctx: QuestionContext,
  { asked, out, turns }: DraftInput & { readonly turns: readonly HistoryTurn[] },
  pictures: Pictures | undefined,
): Promise<{ readonly answer: ReadAnswer; readonly first: ReadAnswer; readonly isExpanded: boolean }> {
  const toRequest = await prepareRequest(services, ctx, { asked, turns, images: pictures?.images })
  const { collections, model, query } = asked
  const [collection] = collections
  // No query expansion for a rewrite, which uses the passages already found, nor for a question about pictures.
  const mayExpand =
    services.expandsQueries && model !== EXTRACTIVE && ctx.rewrite === undefined && !hasPictures(pictures)
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
      // A hosted platform fits its passages itself; what was said before is ours to leave out.
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
async function refuseIfLost(
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

/** @throws {OverBudgetError} */
async function chargeQuestion({ budgets }: AnswerServices, ctx: QuestionContext): Promise<void> {
  const { message, texts, eventId, rewrite, from, author } = ctx
  // A question from a direct message counts against the budget of the channel that answers it.
  const who = { conversation: from?.conversation ?? message.conversation, personId: author.id }
  const over = await budgets.charge(who, rewrite?.jobId ?? eventId, 'questions', 1)
  if (over === undefined) return
  const toThem = author.id === message.author.id ? texts : textsFor(author.language)
  const reader = { ...author, language: author.language ?? languageOf(message) }
  throw new OverBudgetError(overBudgetSentence(over, 'ask', toThem, reader))
}

/** A sentence of ours: no model is asked. */
function sentenceDraft(text: string, asked: Retrieval): Draft {
  return { ...asked, model: '', text, references: [], outcome: 'plain', near: [] }
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
  })
}
