import { dayIn, frontMatter } from '../../files/saved-messages/note-markdown.ts'
import type { Adapter } from '../../port/adapter.ts'
import type { AnswerRecord } from '../../port/records.ts'
import { oneLine } from '../../texts/names.ts'
import { textsFor } from '../../texts/texts.ts'
import type { PersonReply } from './state.ts'

/** The file that is made of what people replied. */
export async function toMarkdown(
  adapter: Adapter,
  answer: AnswerRecord,
  replies: readonly PersonReply[],
): Promise<string> {
  const { honest } = textsFor(answer.language)
  const [first] = replies
  const date = first?.at ?? new Date(answer.at).toISOString()
  const names = [...new Set(replies.map(({ authorName }) => oneLine(authorName)))].join(', ')
  const link =
    first === undefined
      ? undefined
      : await adapter.permalink?.({ conversation: answer.conversation, id: first.messageId })
  return [
    frontMatter({
      question: answer.question,
      'asked-by': answer.askerName ?? answer.asker,
      'answered-by': names,
      date,
      link,
    }),
    // The words of the question stand in the body too: by them it will be found.
    `# ${oneLine(answer.query ?? answer.question, 300)}\n`,
    ...replies.map(({ text }) => `${text}\n`),
    `${honest.answeredBy(names, dayIn(date))}\n`,
  ].join('\n')
}
