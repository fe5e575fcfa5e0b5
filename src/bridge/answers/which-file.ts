import type { Scope } from '../channels/search-scope.ts'
import { listFiles } from '../files/find-file.ts'
import { shownName } from '../texts/formats.ts'
import { filesNamed, filesWithWords, withoutFillers } from './file-named.ts'
import type { AnswerServices, Draft, QuestionContext } from './question.ts'
import { readShelfQuestion } from './shelf-question.ts'

interface Given {
  readonly services: AnswerServices
  readonly ctx: QuestionContext
  readonly scope: Scope
}

const PAGE = /^pp?\.\s?(\d{1,4})$/

/**
 * Answers what one file says about something, from this file alone.
 *
 * @param ask answers a question from the file of this name
 * @returns undefined for any other question, where the name fits no file or several, and where the file says nothing of it.
 */
export async function answerInFile(
  { services, ctx, scope }: Given,
  ask: (question: string, file: string) => Promise<Draft>,
): Promise<Draft | undefined> {
  const asked = ctx.rewrite === undefined ? readShelfQuestion(ctx.question) : undefined
  if (asked?.kind !== 'inFile') return undefined
  const files = await listFiles(services, scope.channel.collection)
  const [file, ...others] = await filesNamed({ services, ctx, scope, files }, asked.name)
  if (file === undefined || others.length > 0) return undefined
  const draft = await ask(asked.topic, file.fileName)
  if (draft.outcome !== 'answered') return undefined
  const pages = draft.references.flatMap(({ place = '' }) => PAGE.exec(place)?.[1] ?? [])
  if (asked.asksPage !== true || pages.length === 0) return draft
  const head = ctx.texts.shelf.onPages([...new Set(pages)], shownName(file))
  return { ...draft, text: `${head}\n\n${draft.text}` }
}

/**
 * Answers which file is about something: the names of the files, above what they say about it.
 *
 * @param ask answers a question from the files; asked for the subject alone
 * @returns undefined for any other question.
 */
export async function answerWhichFile(
  { services, ctx, scope }: Given,
  ask: (question: string) => Promise<Draft>,
): Promise<Draft | undefined> {
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
