import type { MessageContext, Doing, JobPorts } from '../../delivery/job-context.ts'
import { say } from '../../delivery/reply.ts'
import type { AnswerRecord, HistoryTurn } from '../../port/records.ts'
import { channelKey, type MessageRef } from '../../port/message.ts'
import { oneLine } from '../../texts/names.ts'
import { dayIn, frontMatter, nameAfter, type Said, threadKey, toParagraph } from './note-markdown.ts'
import { fileNote, type Note } from './save-note.ts'
import { ofMessageKey } from './saved-origin.ts'

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

/** So many messages have an address each: asking for one costs a call where the service makes them. */
const LINKED = 30
const TURNS = 1000

interface Line extends Said {
  readonly id: string
}

/** The thread in which this was said becomes a dated file: names, times, links, and what we answered. */
export async function fileThread(ports: JobPorts, doing: MessageContext): Promise<void> {
  const { author, conversation, message, texts } = doing
  const whisper = (text: string) => say(doing, text, { privateTo: author.id })
  const lines = await linesOf(ports, doing)
  const [first] = lines
  if (first === undefined) return whisper(texts.conversation.nothingToKeep)
  const day = dayIn(first.at)
  const title = texts.conversation.keptThread(day)
  const words = { message: texts.conversation.toTheMessage }
  const people = [...new Set(lines.map(({ name }) => name))].join(', ')
  const filed = await fileNote(ports, doing, {
    key: threadKey(conversation),
    name: nameAfter(first.at, first.text),
    markdown: [
      frontMatter({ title, people, date: first.at, link: first.link, 'filed-by': author.name }),
      `# ${title}: ${oneLine(first.text)}\n`,
      ...lines.map((line) => toParagraph(line, words)),
    ].join('\n'),
    source: { conversation, id: first.id },
    author,
    at: message.sentAt,
  })
  if (filed === undefined) await whisper(texts.notCollecting)
}

/** What people said by the service's own account, what we said by ours; in the order in which it was said. */
async function linesOf(ports: JobPorts, doing: MessageContext): Promise<readonly Line[]> {
  const { adapter, conversation, queue, message } = doing
  const told = (await adapter.history?.(conversation, message.id)) ?? []
  const theirs = told.map(({ id, author, sentAt, text }) => ({ id, name: author.name, at: sentAt, text }))
  const known = new Set(theirs.map(({ id }) => id))
  const turns = await ports.store.history.of(queue, TURNS)
  const ours = turns
    .filter((turn) => !known.has(turn.messageId) && turn.messageId !== message.id)
    .filter(({ role }) => role === 'assistant' || adapter.history === undefined)
    .map(toLine)
  const lines = [...theirs, ...ours]
    .filter(({ text }) => text.trim() !== '')
    .toSorted((one, other) => one.at.localeCompare(other.at))
  return Promise.all(
    lines.map(async (line, index) => {
      const link = index < LINKED ? await adapter.permalink?.({ conversation, id: line.id }) : undefined
      return link === undefined ? line : { ...line, link }
    }),
  )
}

function toLine({ messageId, role, author, text, at }: HistoryTurn): Line {
  const name = role === 'assistant' ? 'Footbridge' : author
  return { id: messageId, name, at: new Date(at).toISOString(), text }
}
