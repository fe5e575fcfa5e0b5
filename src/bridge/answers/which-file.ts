import type { Scope } from '../channels/search-scope.ts'
import { listFiles } from '../files/find-file.ts'
import { shownName } from '../texts/formats.ts'
import { filesWithWords, withoutFillers } from './file-named.ts'
import type { AnswerServices, Draft, QuestionContext } from './question.ts'
import { readShelfQuestion } from './shelf-question.ts'

/**
 * Answers which file is about something: the names of the files, above what they say about it.
 *
 * @param ask answers a question from the files; asked for the subject alone
 * @returns undefined for any other question.
 */
export async function answerWhichFile(
  given: { readonly services: AnswerServices; readonly ctx: QuestionContext; readonly scope: Scope },
  ask: (question: string) => Promise<Draft>,
): Promise<Draft | undefined> {
  const { services, ctx, scope } = given
  const asked = ctx.rewrite === undefined ? readShelfQuestion(ctx.question) : undefined
  if (asked?.kind !== 'whichFile') return undefined
  const files = await listFiles(services, scope.channel.collection)
  const named = await filesWithWords({ services, files }, withoutFillers(asked.topic), { isExact: true })
  const draft = await ask(asked.topic)
  const isAnswered = draft.outcome === 'answered'
  if (!isAnswered && named.length === 0) return draft
  const quoted = isAnswered ? draft.references.map(({ file }) => ({ displayName: file })) : []
  const names = [...new Set([...named, ...quoted].map((file) => shownName(file)))]
  const head = ctx.texts.shelf.inFiles(names)
  if (isAnswered) return { ...draft, text: `${head}\n\n${draft.text}` }
  return { ...draft, text: [head, ...scope.notes].join('\n\n'), model: '', references: [], near: [], outcome: 'plain' }
}
