import type { JobContext, MessageContext } from '#bridge/delivery/job-context.ts'
import { channelKey } from '#bridge/port/keys.ts'
import type { Message, MessageRef } from '#bridge/port/message.ts'
import type { AnswerRecord } from '#bridge/port/records.ts'
import type { FileServices } from '../services.ts'
import { dayIn, frontMatter, nameAfter, type SavedMessage, threadKey, toParagraph } from './note-markdown.ts'
import { type Note, messageNoteKey, saveNote } from './save-note.ts'
import { oneLine } from '#bridge/texts/formats.ts'

/**
 * Saves one message, of a person or ours, as a file of the channel.
 *
 * @param known the message, if the chat service has told it already
 */
export async function saveMessage(
  services: FileServices,
  ctx: JobContext,
  { conversation, id }: MessageRef,
  known?: Message,
): Promise<void> {
  const ref = { conversation, id }
  const answer = await services.store.answers.ofMessage(channelKey(conversation), id)
  await saveOrTell(services, ctx, answer ? await answerNote(ctx, ref, answer) : await messageNote(ctx, ref, known))
}

/** Saves the thread of this message as a dated file: names, times, links, and our answers. */
export async function saveThread(services: FileServices, ctx: MessageContext): Promise<void> {
  await saveOrTell(services, ctx, await threadNote(services, ctx))
}

async function saveOrTell(services: FileServices, ctx: JobContext, note: Note | undefined): Promise<void> {
  const { texts, whisper } = ctx
  if (note === undefined) return whisper(texts.conversation.nothingToKeep)
  if ((await saveNote(services, ctx, note)) === undefined) await whisper(texts.notCollecting)
}

async function messageNote(ctx: JobContext, ref: MessageRef, given?: Message): Promise<Note | undefined> {
  const { adapter, author, texts } = ctx
  const message = given ?? (await adapter.read(ref))
  if (message === undefined || message.text.trim() === '') return undefined
  const link = await adapter.permalink(ref)
  const { text, sentAt: at } = message
  const { name } = message.author
  const title = texts.conversation.keptMessage(name, dayIn(at))
  return {
    key: messageNoteKey(ref.conversation, ref.id),
    name: nameAfter(at, text),
    markdown: [
      frontMatter({ title, author: name, date: at, link, 'filed-by': author.name }),
      `# ${oneLine(title)}\n`,
      toParagraph({ name, at, text, link }, { message: texts.conversation.toTheMessage }),
    ].join('\n'),
    source: ref,
    author,
    at,
  }
}

async function answerNote(
  { adapter, author, texts }: JobContext,
  ref: MessageRef,
  answer: AnswerRecord,
): Promise<Note | undefined> {
  const { question, text, outcome } = answer
  if (outcome !== 'answered' && outcome !== 'plain') return undefined
  const link = await adapter.permalink(ref)
  const at = new Date(answer.at).toISOString()
  const asker = answer.askerName ?? answer.asker
  const sources = answer.references.map(
    ({ number, file, place }) => `- [${number}] ${file}${place === undefined ? '' : `, ${place}`}`,
  )
  const words = { message: texts.conversation.toTheMessage }
  return {
    key: messageNoteKey(ref.conversation, ref.id),
    name: nameAfter(at, question),
    markdown: [
      frontMatter({ question, asker, date: at, link, 'filed-by': author.name }),
      `# ${oneLine(question)}\n`,
      toParagraph({ name: 'Footbridge', at, text, link }, words),
      ...sources,
      '',
    ].join('\n'),
    source: ref,
    author,
    at,
  }
}

/** Most messages of a thread that get a permalink: each may cost a call of the chat service. */
const MAX_LINKS = 30
const MAX_TURNS = 1000

interface Line extends SavedMessage {
  readonly id: string
}

async function threadNote(services: FileServices, ctx: MessageContext): Promise<Note | undefined> {
  const { author, conversation, message, texts } = ctx
  const lines = await threadLines(services, ctx)
  const [first] = lines
  if (first === undefined) return undefined
  const title = texts.conversation.keptThread(dayIn(first.at))
  const words = { message: texts.conversation.toTheMessage }
  const people = [...new Set(lines.map(({ name }) => name))].join(', ')
  return {
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
  }
}

/** Messages of people from the chat service and ours from the history, in order of time. */
async function threadLines({ store }: FileServices, ctx: MessageContext): Promise<readonly Line[]> {
  const { adapter, conversation, queue, message } = ctx
  const listed = await adapter.history(conversation, message.id)
  const theirs = listed.map(({ id, author, sentAt, text }) => ({ id, name: author.name, at: sentAt, text }))
  const known = new Set(theirs.map(({ id }) => id))
  const turns = await store.history.of(queue, MAX_TURNS)
  const ours = turns
    .filter(({ messageId }) => !known.has(messageId) && messageId !== message.id)
    .filter(({ role }) => role === 'assistant')
    .map(({ messageId: id, role, author, text, at }) => {
      const name = role === 'assistant' ? 'Footbridge' : author
      return { id, name, at: new Date(at).toISOString(), text }
    })
  const lines = [...theirs, ...ours]
    .filter(({ text }) => text.trim() !== '')
    .toSorted((one, other) => one.at.localeCompare(other.at))
  return Promise.all(
    lines.map(async (line, index) => {
      const link = index < MAX_LINKS ? await adapter.permalink({ conversation, id: line.id }) : undefined
      return { ...line, link }
    }),
  )
}
