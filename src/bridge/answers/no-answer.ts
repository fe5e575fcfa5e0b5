import { OverBudgetError } from '../channels/budgets.ts'
import type { Scope } from '../channels/search-scope.ts'
import { isShutdown, isStopped } from '../delivery/job-context.ts'
import type { StreamedAnswer } from '../delivery/streamed-answer.ts'
import { CollectionLostError } from '../files/collection/missing-collection.ts'
import { isPlatformFailure, NoAnswerError } from '../port/errors.ts'
import type { Reference } from '../port/message.ts'
import { settleLinks } from '../references/links.ts'
import { sentenceFor } from '../texts/errors.ts'
import { escapeNote, oneLine, withoutMarkup } from '../texts/formats.ts'
import { languageOf } from '../texts/texts.ts'
import type { AnswerServices, QuestionContext } from './question.ts'

/** Passages that are shown where none answers. */
const MAX_NEAREST = 3
const PASSAGE_CHARS = 200
const MIN_LINE_CHARS = 30

/**
 * The text for a question that the files do not answer. The sentences are ours, since those of a model have no source.
 * "Not in the files" is said only if the search was also by meaning; otherwise only words were compared.
 *
 * @param searched.query with words that were added to the question, if there are any.
 * @param searched.nearest as `nearestOf` gives them; their list is the second paragraph.
 */
export async function composeNothingFound(
  services: Pick<AnswerServices, 'store' | 'searchesMeaning'>,
  { texts }: Pick<QuestionContext, 'texts'>,
  scope: Scope,
  searched: {
    readonly query: string | undefined
    readonly isExpanded: boolean
    readonly nearest: readonly Reference[]
  },
): Promise<string> {
  const { noAnswer } = texts
  const entries = await services.store.files.ofCollection(scope.channel.collection)
  const files = new Set(entries.filter(({ state }) => state === 'ready').map(({ fileName }) => fileName)).size
  const words = searched.query === undefined ? undefined : withoutMarkup(searched.query).trim()
  const isMeaningSearched = services.searchesMeaning() || searched.isExpanded
  const sentence = scope.conversation.direct ? noAnswer.notInYourFiles : noAnswer.notInFiles
  const searches = searched.isExpanded ? noAnswer.searchedTwice(files, words ?? '') : noAnswer.searched(files, words)
  const { nearest } = searched
  const compared = noAnswer.comparedWords(files, words !== undefined)
  const byWords =
    nearest.length === 0
      ? `${noAnswer.noSuchWords} ${compared} ${noAnswer.tryOtherWords}`
      : `${noAnswer.noSuchAnswer} ${compared}`
  const head = isMeaningSearched ? `${sentence} ${searches}` : byWords
  const below = nearest.length === 0 ? [] : [[noAnswer.nearest, ...nearest.map(toLine)].join('\n')]
  return [head, ...below, ...scope.notes].join('\n\n')
}

/** The passages that are shown where none answers, with numbers of their own and the words that are quoted. */
export const nearestOf = (references: readonly Reference[]): readonly Reference[] =>
  references
    .filter(({ passage }) => passage.trim() !== '')
    .slice(0, MAX_NEAREST)
    .map((reference, index) => ({ ...reference, support: quotedOf(reference), number: index + 1 }))

/** A short passage whole. A title alone says nothing: the lines below it follow. */
function quotedOf({ passage, support = passage }: Reference): string {
  if (passage.length <= PASSAGE_CHARS) return passage
  const quoted = support.length < MIN_LINE_CHARS ? passage.slice(Math.max(0, passage.indexOf(support))) : support
  return quoted.slice(0, 4 * PASSAGE_CHARS).toWellFormed()
}

/** A passage of a file inside our text: one line with its mark, without markup or live links. */
function toLine({ number, passage, support = passage }: Reference): string {
  const words = oneLine(support.replace(/[#|>*`]+/g, ' '), PASSAGE_CHARS)
  return `- ${settleLinks(escapeNote(words), () => false)} [${number}]`
}

/**
 * The text in place of a failed answer, or below the part already shown, which is then marked as incomplete.
 *
 * @throws {Error} the failure itself at a shutdown, or when the question was edited or deleted.
 */
export async function toFailureText(ctx: QuestionContext, reply: StreamedAnswer, error: unknown): Promise<string> {
  const { texts, signal } = ctx
  if (signal.aborted && !isStopped(signal)) {
    await (isShutdown(signal) ? reply.settle() : reply.abandon())
    throw error
  }
  const shown = reply.begun ? `${closeFence(reply.text)}\n\n` : ''
  if (signal.aborted) return `${shown}${texts.stopped}`
  const why = toFailureSentence(ctx, error)
  return reply.begun ? `${shown}${texts.brokeOff(why)}` : why
}

/** Logs the failure, and returns the sentence for people. */
export function toFailureSentence({ log, texts, message }: QuestionContext, error: unknown): string {
  if (error instanceof OverBudgetError) {
    log.info({ person: message.author.id }, 'A budget is used up')
    return error.message
  }
  // The collection watch has logged it.
  if (error instanceof CollectionLostError) return error.message
  if (error instanceof NoAnswerError) log.info({ kind: error.kind }, 'The model gave no answer; whoever asked was told')
  else if (isPlatformFailure(error))
    log.warn({ err: error }, 'A question could not be answered; whoever asked was told why')
  else
    log.error({ err: error }, 'A question could not be answered: internal error. Whoever asked was told to try again')
  return sentenceFor(error, texts, { ...message.author, language: languageOf(message) })
}

/** Closes an open code block, so that the sentence below it is not shown as code. */
export function closeFence(text: string): string {
  const fences = text.match(/^ {0,3}(`{3,}|~{3,})/gm) ?? []
  const last = fences.at(-1)
  return fences.length % 2 === 1 && last !== undefined ? `${text}\n${last.trim()}` : text
}
