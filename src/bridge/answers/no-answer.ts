import { OverBudgetError } from '../channels/budgets.ts'
import type { Scope } from '../channels/search-scope.ts'
import { isStopped } from '../delivery/job-context.ts'
import type { StreamedAnswer } from '../delivery/streamed-answer.ts'
import { CollectionLostError } from '../files/collection/missing-collection.ts'
import type { MessageRef } from '../port/message.ts'
import { isPlatformFailure, sentenceFor } from '../texts/errors.ts'
import { languageOf } from '../texts/texts.ts'
import type { AnswerServices, QuestionContext } from './question.ts'

/**
 * The sentences where the files do not answer: our own words, since the model's have nothing to rest on.
 *
 * @param searched what was searched for, where that is more than the question.
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
  const told = quotable(searched.query)
  const said = searched.again ? noAnswer.searchedAgain(files.size, told ?? '') : noAnswer.searched(files.size, told)
  return [`${sentence} ${said}`, ...scope.notes].join('\n\n')
}

/** A model's words inside a sentence of ours: nothing in them becomes markup. */
function quotable(query: string | undefined): string | undefined {
  return query?.replace(/[\\`*_[\]<>~|#@]/g, '').trim()
}

/**
 * A failure becomes one sentence: in place of the answer, or under what was already shown, which is marked as incomplete.
 * Resolves with what is shown now; with nothing when the person stopped it.
 *
 * @throws {Error} the failure itself when whoever aborted takes it from here.
 */
export async function explain(
  ctx: QuestionContext,
  reply: StreamedAnswer,
  error: unknown,
): Promise<{ readonly text: string; readonly refs: readonly MessageRef[] } | undefined> {
  const { texts, signal } = ctx
  if (signal.aborted && !isStopped(signal)) {
    // The process stops, or the question was changed or deleted.
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

/** The sentence for people, and the failure itself for the log. */
export function whyNot({ log, texts, message }: QuestionContext, error: unknown): string {
  if (error instanceof OverBudgetError) {
    log.info({ person: message.author.id }, 'A budget is used up')
    return error.message
  }
  // The watch has logged it.
  if (error instanceof CollectionLostError) return error.message
  if (isPlatformFailure(error)) log.warn({ err: error }, 'A question could not be answered')
  else log.error({ err: error }, 'A question could not be answered, by a fault of ours')
  return sentenceFor(error, texts, languageOf(message))
}

/** A sentence under half a code block must not become code. */
function closeFence(text: string): string {
  const fences = text.match(/^ {0,3}(`{3,}|~{3,})/gm) ?? []
  const last = fences.at(-1)
  return fences.length % 2 === 1 && last !== undefined ? `${text}\n${last.trim()}` : text
}
