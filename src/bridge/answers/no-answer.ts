import { OverBudgetError } from '../channels/budgets.ts'
import type { Scope } from '../channels/search-scope.ts'
import { isStopped } from '../delivery/job-context.ts'
import type { StreamedAnswer } from '../delivery/streamed-answer.ts'
import { CollectionLostError } from '../files/collection/missing-collection.ts'
import { isPlatformFailure } from '../port/errors.ts'
import type { MessageRef } from '../port/message.ts'
import { sentenceFor } from '../texts/errors.ts'
import { languageOf } from '../texts/texts.ts'
import type { AnswerServices, QuestionContext } from './question.ts'

/**
 * The sentences for a question that the files do not answer, in our words: the model's have no source.
 *
 * @param searched the expanded query, if there is one.
 */
export async function nothing(
  services: Pick<AnswerServices, 'store'>,
  { texts }: Pick<QuestionContext, 'texts'>,
  scope: Scope,
  searched: { readonly query: string | undefined; readonly again: boolean },
): Promise<string> {
  const { noAnswer } = texts
  const entries = await services.store.files.ofCollection(scope.channel.collection)
  const files = new Set(entries.filter(({ state }) => state === 'ready').map(({ fileName }) => fileName))
  const sentence = scope.conversation.direct ? noAnswer.notInYourFiles : noAnswer.notInFiles
  const expanded = quotable(searched.query)
  const searches = searched.again
    ? noAnswer.searchedAgain(files.size, expanded ?? '')
    : noAnswer.searched(files.size, expanded)
  return [`${sentence} ${searches}`, ...scope.notes].join('\n\n')
}

/** Words of a model inside a sentence of ours, without markup. */
function quotable(query: string | undefined): string | undefined {
  return query?.replace(/[\\`*_[\]<>~|#@]/g, '').trim()
}

/**
 * Shows a failure as one sentence: in place of the answer, or below the part already shown, which is marked as
 * incomplete. Resolves with the text shown; with nothing when the person stopped it.
 *
 * @throws {Error} the failure itself at a shutdown, or when the question was edited or deleted.
 */
export async function explain(
  ctx: QuestionContext,
  reply: StreamedAnswer,
  error: unknown,
): Promise<{ readonly text: string; readonly refs: readonly MessageRef[] } | undefined> {
  const { texts, signal } = ctx
  if (signal.aborted && !isStopped(signal)) {
    // At a shutdown, or when the question was edited or deleted.
    await reply.settle()
    throw error
  }
  if (signal.aborted) {
    const stopped = reply.begun ? `${closeFence(reply.text)}\n\n${texts.stopped}` : texts.stopped
    await reply.finish({ kind: 'notice', text: stopped })
    return undefined
  }
  const why = whyNot(ctx, error)
  const text = reply.begun ? `${closeFence(reply.text)}\n\n${texts.brokeOff(why)}` : why
  return { text, refs: await reply.finish({ kind: 'error', text }) }
}

/** Returns the sentence for people and logs the failure. */
export function whyNot({ log, texts, message }: QuestionContext, error: unknown): string {
  if (error instanceof OverBudgetError) {
    log.info({ person: message.author.id }, 'A budget is used up')
    return error.message
  }
  // The collection watch has logged it.
  if (error instanceof CollectionLostError) return error.message
  if (isPlatformFailure(error)) log.warn({ err: error }, 'A question could not be answered')
  else log.error({ err: error }, 'A question could not be answered: internal error')
  return sentenceFor(error, texts, languageOf(message))
}

/** Closes an open code block, so that the sentence below it is not shown as code. */
function closeFence(text: string): string {
  const fences = text.match(/^ {0,3}(`{3,}|~{3,})/gm) ?? []
  const last = fences.at(-1)
  return fences.length % 2 === 1 && last !== undefined ? `${text}\n${last.trim()}` : text
}
