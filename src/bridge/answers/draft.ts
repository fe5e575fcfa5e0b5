import { isSmallTalk, isThanks } from '#lexicon/follow-up.ts'
import { OverBudgetError, overBudgetSentence } from '../channels/budgets.ts'
import { EXTRACTIVE } from '../channels/models.ts'
import { type Scope, scopeOf } from '../channels/search-scope.ts'
import { CollectionLostError } from '../files/collection/missing-collection.ts'
import { listFiles } from '../files/find-file.ts'
import { resolveReferences } from '../references/resolve.ts'
import { languageOf, textsFor } from '../texts/texts.ts'
import { answerShelfQuestion, answerUnknownFile } from './answer-shelf.ts'
import { askModel, refuseIfLost } from './ask-model.ts'
import { TURNS_TO_LOAD } from './history.ts'
import { closeFence, composeNothingFound } from './no-answer.ts'
import type { Pictures } from './pictures.ts'
import type { ExpandingSink } from './query-expansion.ts'
import type { AnswerServices, Draft, QuestionContext, Retrieval } from './question.ts'
import { isUnanswered } from './read-answer.ts'
import { withoutMarkerWord } from './refusal.ts'

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
  const { answer, first, isExpanded } = await askModel(services, ctx, { asked, turns, out }, pictures)
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
