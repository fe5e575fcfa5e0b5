import { OverBudgetError, overBudgetSentence } from '../channels/budgets.ts'
import { EXTRACTIVE } from '../channels/models.ts'
import { scopeOf } from '../channels/search-scope.ts'
import { CollectionLostError } from '../files/collection/missing-collection.ts'
import { listFiles } from '../files/find-file.ts'
import { isPlatformFailure } from '../port/errors.ts'
import type { ChatRequest } from '../port/platform.ts'
import { resolveReferences } from '../references/resolve.ts'
import { languageOf, textsFor } from '../texts/texts.ts'
import { composeMessages } from './compose-messages.ts'
import { saidBefore } from './history.ts'
import { nothing } from './no-answer.ts'
import { lookAgain, type AnswerOutput } from './query-expansion.ts'
import type { AnswerServices, Draft, QuestionContext } from './question.ts'
import { readAnswer, type ReadAnswer, saysNothing } from './read-answer.ts'
import { isSmallTalk, withoutWord } from './refusal.ts'
import { toQuery } from './rewrite-question.ts'
import { shownChannel } from '../texts/formats.ts'

/** Model, query and collections of a question, as far as they were determined; recorded also when it fails. */
export interface Trail {
  model: string
  query?: string
  collections: readonly string[]
}

/** Above the usual default of models: another answer should be worded differently. */
const ANOTHER_TEMPERATURE = 0.9

/** Asks the model, streams its answer, and classifies the outcome. */
export async function draftAnswer(
  services: AnswerServices,
  ctx: QuestionContext,
  trail: Trail,
  out: AnswerOutput,
): Promise<Draft> {
  const { texts } = ctx
  const scope = await scopeOf(services, ctx)
  if (typeof scope === 'string') return bare(scope, trail)
  const { collection } = scope.channel
  const lost = await lostSentence(services, ctx, collection)
  if (lost !== undefined) return bare(lost, trail)
  const hasFiles = await services.store.files.hasReady(collection)
  // Small talk needs no retrieval.
  const fromFiles = hasFiles && !isSmallTalk(ctx.question)
  await spend(services, ctx)
  trail.model = await services.models.pick(ctx.signal, ctx.queue)
  const isEmpty = !hasFiles && (await listFiles(services, collection)).length === 0
  if (!fromFiles && trail.model === EXTRACTIVE)
    return bare(hasFiles ? texts.help : isEmpty ? texts.dropFirst : texts.waitFirst, trail)
  if (fromFiles) trail.collections = [collection]
  const pictures = await ctx.pictures?.(trail.model)
  const toRequest = await asking(services, ctx, trail, fromFiles ? collection : undefined, pictures?.images)
  const hasPictures = pictures !== undefined && pictures.images.length > 0
  // No query expansion for a rewrite, which uses the passages already found, nor for a question about pictures.
  const holds =
    services.secondLook && fromFiles && trail.model !== EXTRACTIVE && ctx.rewrite === undefined && !hasPictures
  const looks = await look(services, ctx, trail, { collection, toRequest, out, holds })
  if (typeof looks === 'string') return bare(looks, trail)
  const { answer, near, again } = looks
  const { end, cutByLength } = answer
  const { conversation } = ctx.message
  const resolved = await resolveReferences(services, { ...ctx, ...trail, end, conversation })
  const { text, refuses } = withoutWord(resolved.text)
  const notes = [
    ...scope.notes,
    ...resolved.notes,
    ...(pictures?.notes ?? []),
    ...(hasFiles ? [] : [isEmpty ? texts.notFromFiles : texts.notYetFromFiles]),
    ...(cutByLength ? [texts.cutByLength] : []),
  ]
  const note = notes.map((line) => `\n\n${line}`).join('')
  const draft = { ...trail, text: text + note, references: resolved.references, near: [] }
  if (!fromFiles) {
    out.push(note)
    return { ...draft, outcome: 'plain' }
  }
  // An answer from a picture cites no file and still counts as answered.
  const hasSeen = hasPictures && !refuses && text !== ''
  if (hasSeen || !saysNothing(answer)) {
    out.push(note)
    return { ...draft, outcome: 'answered' }
  }
  const sentence = await nothing(services, ctx, scope, { query: trail.query, again })
  return { ...draft, near, references: [], outcome: 'nothing', text: sentence }
}

interface Looks {
  readonly answer: ReadAnswer
  /** Names of the files of the retrieved passages, best first. */
  readonly near: readonly string[]
  /** Query expansion was used. */
  readonly again: boolean
}

/**
 * Asks; if retrieval finds nothing, asks once more with an expanded query.
 *
 * @returns a sentence if the collection is gone.
 */
async function look(
  services: AnswerServices,
  ctx: QuestionContext,
  trail: Trail,
  options: {
    readonly collection: string
    readonly toRequest: (query: string | undefined) => ChatRequest
    readonly out: AnswerOutput
    readonly holds: boolean
  },
): Promise<Looks | string> {
  const { collection, toRequest, out, holds } = options
  const { model, query } = trail
  const first = await lookFirst(services, ctx, trail, toRequest(query), { out, holds })
  if (typeof first === 'string') return first
  const second =
    holds && !first.shown && saysNothing(first)
      ? await lookAgain(services, ctx, { model, collection, query, toRequest }, out)
      : undefined
  if (second !== undefined) trail.query = second.query
  const answer = second?.answer ?? first
  const passages = [...answer.end.references, ...first.end.references]
  return { answer, near: [...new Set(passages.map(({ file }) => file))], again: second !== undefined }
}

/** @returns a sentence if the collection is gone. */
async function lookFirst(
  services: AnswerServices,
  ctx: QuestionContext,
  { collections: [collection] }: Trail,
  request: ChatRequest,
  options: { readonly out: AnswerOutput; readonly holds: boolean },
): Promise<ReadAnswer | string> {
  const { question, signal } = ctx
  try {
    const answer = await readAnswer(services.platform, request, { question, signal, ...options })
    if (collection === undefined || answer.end.references.length > 0 || !saysNothing(answer)) return answer
    // No passages although there are files: the collection may have been replaced.
    services.lostCollections.doubt(collection)
    return (await lostSentence(services, ctx, collection)) ?? answer
  } catch (error) {
    // If the collection was just removed, people read that sentence instead of the platform's error.
    const isMissing = isPlatformFailure(error) && error.code === 'not-found'
    if (!isMissing || collection === undefined) throw error
    services.lostCollections.doubt(collection)
    const gone = await lostSentence(services, ctx, collection)
    if (gone === undefined) throw error
    return gone
  }
}

/**
 * The sentence shown instead of an answer when the collection is lost. In a direct conversation only the asker reads
 * it: rebuilding is done in the channel.
 *
 * @throws {CollectionLostError} for a rewrite: the earlier answer stays.
 */
async function lostSentence(
  { lostCollections }: AnswerServices,
  ctx: QuestionContext,
  collection: string,
): Promise<string | undefined> {
  const { from, rewrite, texts, signal } = ctx
  const lost =
    from === undefined
      ? await lostCollections.notice(ctx, collection)
      : await lostCollections.sentence(collection, texts, signal)
  if (lost === undefined) return undefined
  const sentence = from === undefined ? lost : `${shownChannel(from)}: ${lost}`
  if (rewrite !== undefined) throw new CollectionLostError(sentence)
  return sentence
}

/** @throws {OverBudgetError} */
async function spend({ budgets }: AnswerServices, ctx: QuestionContext): Promise<void> {
  const { message, texts, eventId, rewrite, from, author } = ctx
  // A question from a direct message counts against the budget of the channel that answers it.
  const who = { conversation: from?.conversation ?? message.conversation, personId: author.id }
  const over = await budgets.spend(who, rewrite?.jobId ?? eventId, 'questions', 1)
  if (over === undefined) return
  const toThem = author.id === message.author.id ? texts : textsFor(author.language)
  throw new OverBudgetError(overBudgetSentence(over, 'ask', toThem, author.language ?? languageOf(message)))
}

function bare(text: string, trail: Trail): Draft {
  return { ...trail, model: '', text, references: [], outcome: 'plain', near: [] }
}

/** Builds the request, and records its query in `trail`. */
async function asking(
  services: AnswerServices,
  ctx: QuestionContext,
  trail: Trail,
  collection: string | undefined,
  images: readonly string[] = [],
): Promise<(query: string | undefined) => ChatRequest> {
  const { question, rewrite, signal } = ctx
  const { model } = trail
  const turns = await saidBefore(services, ctx)
  const fromFiles = collection !== undefined
  // A rewrite uses the same passages: those of the recorded query.
  const query = !fromFiles
    ? undefined
    : rewrite === undefined
      ? await toQuery(services, ctx, model, turns)
      : rewrite.earlier.query
  if (query !== undefined) trail.query = query
  const id = fromFiles ? await services.channels.ensure(collection, signal) : undefined
  return (searched) => ({
    model,
    messages: composeMessages({ question, turns, fromFiles, query: searched, rewrite, images }),
    ...(rewrite?.manner === 'another' ? { temperature: ANOTHER_TEMPERATURE } : {}),
    collection: id,
  })
}
