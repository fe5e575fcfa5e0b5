import { say } from '../../delivery/reply.ts'
import type { Doing, JobPorts } from '../../delivery/job-context.ts'
import { channelKey, type MessageRef } from '../../port/message.ts'
import type { AnswerRecord } from '../../port/answer-store.ts'
import { fileNote, type Note } from './save-note.ts'
import { ofMessageKey } from './saved-origin.ts'
import { dayIn, frontMatter, nameAfter, oneLine, toParagraph } from './note-markdown.ts'

/** One message, theirs or an answer of ours, becomes a file of its channel. */
export async function fileMessage(ports: JobPorts, doing: Doing, ref: MessageRef): Promise<void> {
  const { author, texts } = doing
  const whisper = (text: string) => say(doing, text, { privateTo: author.id })
  const answer = await ports.store.answers.ofMessage(channelKey(ref.conversation), ref.id)
  const note = answer === undefined ? await ofMessage(doing, ref) : await ofAnswer(doing, ref, answer)
  if (note === undefined) return whisper(texts.conversation.nothingToKeep)
  const filed = await fileNote(ports, doing, note)
  if (filed === undefined) await whisper(texts.notCollecting)
}

async function ofMessage(doing: Doing, ref: MessageRef): Promise<Note | undefined> {
  const { adapter, author, texts } = doing
  const message = await adapter.read?.(ref)
  if (message === undefined || message.text.trim() === '') return undefined
  const link = await adapter.permalink?.(ref)
  const { name } = message.author
  const at = message.sentAt
  const title = texts.conversation.keptMessage(name, dayIn(at))
  const said = { name, at, text: message.text, ...(link === undefined ? {} : { link }) }
  return {
    key: ofMessageKey(ref.conversation, ref.id),
    name: nameAfter(at, message.text),
    markdown: [
      frontMatter({ title, author: name, date: at, link, 'filed-by': author.name }),
      `# ${oneLine(title)}\n`,
      toParagraph(said, { message: texts.conversation.toTheMessage }),
    ].join('\n'),
    source: ref,
    author,
    at,
  }
}

async function ofAnswer(
  { adapter, author, texts }: Doing,
  ref: MessageRef,
  answer: AnswerRecord,
): Promise<Note | undefined> {
  if (answer.outcome !== 'answered' && answer.outcome !== 'plain') return undefined
  const link = await adapter.permalink?.(ref)
  const at = new Date(answer.at).toISOString()
  const asker = answer.askerName ?? answer.asker
  const sources = answer.references.map(
    ({ number, file, place }) => `- [${number}] ${file}${place === undefined ? '' : `, ${place}`}`,
  )
  const words = { message: texts.conversation.toTheMessage }
  return {
    key: ofMessageKey(ref.conversation, ref.id),
    name: nameAfter(at, answer.question),
    markdown: [
      frontMatter({ question: answer.question, asker, date: at, link, 'filed-by': author.name }),
      `# ${oneLine(answer.question)}\n`,
      toParagraph(
        { name: 'Footbridge', at, text: answer.text, ...(link === undefined ? {} : { link }) },
        words,
      ),
      ...sources,
      '',
    ].join('\n'),
    source: ref,
    author,
    at,
  }
}
