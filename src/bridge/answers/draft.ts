import { isSmallTalk, isThanks } from '#lexicon/follow-up.ts'
import { OverBudgetError, overBudgetSentence } from '../channels/budgets.ts'
import { EXTRACTIVE } from '../channels/models.ts'
import { type Scope, scopeOf } from '../channels/search-scope.ts'
import { CollectionLostError } from '../files/collection/missing-collection.ts'
import { listFiles } from '../files/find-file.ts'
import type { HistoryTurn } from '../port/records.ts'
import { resolveReferences } from '../references/resolve.ts'
import { languageOf, textsFor } from '../texts/texts.ts'
import { answerShelfQuestion, answerUnknownFile } from './answer-shelf.ts'
import { askModel, refuseIfLost } from './ask-model.ts'
import { TURNS_TO_LOAD } from './history.ts'
import { closeFence, composeNothingFound, nearestOf } from './no-answer.ts'
import type { Pictures } from './pictures.ts'
import type { ExpandingSink } from './query-expansion.ts'
import type { AnswerServices, Draft, QuestionContext, Retrieval } from './question.ts'
import { isUnanswered, type ReadAnswer } from './read-answer.ts'
import { withoutMarkerWord } from './refusal.ts'
import { answerInFile, answerWhichFile } from './which-file.ts'

/** A question on its way to an answer. */
interface Drafting {
  readonly services: AnswerServices
  readonly ctx: QuestionContext
  readonly scope: Scope
  readonly out: ExpandingSink
  readonly asked: Retrieval
  readonly turns: readonly HistoryTurn[]
  /** The collection has files that can be searched. */
  readonly hasFiles: boolean
  /** The answer comes from them. */
  readonly fromFiles: boolean
}

/**
 * Drafts the answer: the first of three ways that has one. Streams it, where a model writes it.
 *
 * @param asked is filled in on the way, so that it can be recorded also when this fails.
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
    const drafting = await prepare({ services, ctx, scope, out, asked })
    return (await talk(drafting)) ?? (await answerAboutShelf(drafting)) ?? (await answerFromFiles(drafting))
  } catch (error) {
    if (error instanceof CollectionLostError && ctx.rewrite === undefined) return sentenceDraft(error.message, asked)
    throw error
  }
}

/** Picks the model and counts the question. @throws {OverBudgetError} */
async function prepare(given: Omit<Drafting, 'turns' | 'hasFiles' | 'fromFiles'>): Promise<Drafting> {
  const { services, ctx, scope, asked } = given
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
  // Small talk needs no retrieval.
  return { ...given, turns, hasFiles, fromFiles: hasFiles && !isSmallTalk(ctx.question) }
}

/** Without a language model, small talk and questions to an empty collection get a fixed sentence. */
async function talk({ services, ctx, scope, asked, hasFiles, fromFiles }: Drafting): Promise<Draft | undefined> {
  if (fromFiles || asked.model !== EXTRACTIVE) return undefined
  const { welcome, help, dropFirst, waitFirst } = ctx.texts
  const small = isThanks(ctx.question) ? welcome : help(ctx.adapter.people === undefined)
  const empty = (await hasNoFile(services, scope)) ? dropFirst : waitFirst
  return sentenceDraft(hasFiles ? small : empty, asked)
}

const hasNoFile = async (services: AnswerServices, { channel }: Scope) =>
  (await listFiles(services, channel.collection)).length === 0

/** In a message with a picture, “this” is the picture. */
const answerAboutShelf = async (drafting: Drafting): Promise<Draft | undefined> =>
  drafting.hasFiles && drafting.ctx.pictures === undefined
    ? answerShelfQuestion(drafting.services, drafting.ctx, drafting)
    : undefined

/** A language model names files by itself, and finds what one of them says. */
async function answerFromFiles(drafting: Drafting): Promise<Draft> {
  if (!drafting.fromFiles || drafting.asked.model !== EXTRACTIVE) return answerByModel(drafting)
  const ask = (question: string, file?: string) => {
    const asked = file === undefined ? drafting.asked : { ...drafting.asked, file }
    return answerByModel({ ...drafting, asked, ctx: { ...drafting.ctx, question } })
  }
  return (await answerWhichFile(drafting, ask)) ?? (await answerInFile(drafting, ask)) ?? answerByModel(drafting)
}

async function answerByModel(drafting: Drafting): Promise<Draft> {
  const { services, ctx, scope, asked, out, turns, fromFiles } = drafting
  const pictures = await ctx.pictures?.(asked.model)
  if (fromFiles) asked.collections = [scope.channel.collection]
  const { answer, first, isExpanded } = await askModel(services, ctx, { asked, turns, out }, pictures)
  const { conversation } = ctx.message
  const unanswered = isUnanswered(answer)
  const resolved = await resolveReferences(services, {
    ...ctx,
    ...asked,
    end: answer.end,
    isUnanswered: unanswered,
    conversation,
  })
  const { text, refuses } = withoutMarkerWord(resolved.text)
  // An answer from a picture cites no file and still counts as answered.
  const hasSeen = hasPictures(pictures) && !refuses && text !== ''
  if (!fromFiles || hasSeen || !unanswered) return showAnswer(drafting, { answer, resolved, text, pictures })
  const passages = [...answer.end.references, ...first.end.references]
  const nearest = nearestOf(resolved.references)
  const searched = { query: asked.query, isExpanded, nearest }
  return (
    (await answerUnknownFile(services, ctx, drafting)) ?? {
      ...asked,
      near: [...new Set(passages.map(({ file }) => file))],
      references: nearest,
      outcome: 'nothing',
      text: await composeNothingFound(services, ctx, scope, searched),
    }
  )
}

const hasPictures = (pictures: Pictures | undefined) => pictures !== undefined && pictures.images.length > 0

/** Streams the notes under an answer, and gives the whole of it. */
async function showAnswer(
  { services, ctx, scope, asked, out, hasFiles, fromFiles }: Drafting,
  read: {
    readonly answer: ReadAnswer
    readonly resolved: Awaited<ReturnType<typeof resolveReferences>>
    readonly text: string
    readonly pictures: Pictures | undefined
  },
): Promise<Draft> {
  const { answer, resolved, pictures } = read
  const { notFromFiles, notYetFromFiles, cutByLength, cutByFilter, failures, stopped } = ctx.texts
  const notes = [
    ...scope.notes,
    ...resolved.notes,
    ...(pictures?.notes ?? []),
    ...(hasFiles ? [] : [(await hasNoFile(services, scope)) ? notFromFiles : notYetFromFiles]),
    ...(answer.cutByLength ? [cutByLength] : []),
    ...(answer.cutByFilter ? [cutByFilter] : []),
    ...(answer.refusal === undefined ? [] : [failures.declined(answer.refusal)]),
    ...(answer.isStopped ? [stopped] : []),
  ]
  const below = notes.map((line) => `\n\n${line}`).join('')
  out.push(below)
  return {
    ...asked,
    text: (answer.isStopped ? closeFence(read.text) : read.text) + below,
    references: resolved.references,
    near: [],
    outcome: fromFiles ? 'answered' : 'plain',
    isRewritable: !hasPictures(pictures),
  }
}

/** @throws {OverBudgetError} */
async function chargeQuestion({ budgets }: AnswerServices, ctx: QuestionContext): Promise<void> {
  const { message, eventId, rewrite, from, author } = ctx
  // A question from a direct message counts against the budget of the channel that answers it.
  const who = { conversation: from?.conversation ?? message.conversation, personId: author.id }
  const over = await budgets.charge(who, rewrite?.jobId ?? eventId, 'questions', 1)
  if (over === undefined) return
  const language = author.id === message.author.id ? languageOf(message) : author.language
  throw new OverBudgetError(overBudgetSentence(over, 'ask', textsFor(language), { ...author, language }))
}

/** A fixed sentence: no model is asked. */
function sentenceDraft(text: string, asked: Retrieval): Draft {
  return { ...asked, model: '', text, references: [], outcome: 'plain', near: [] }
}
