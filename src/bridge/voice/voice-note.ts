import { messageKey } from '../port/message.ts'
import type { Doing } from '../delivery/job-context.ts'
import { frontMatter, nameAfter } from '../files/saved-messages/note-markdown.ts'
import type { Note } from '../files/saved-messages/save-note.ts'
import { oneLine } from '../texts/names.ts'
import { toTime } from './transcript.ts'
import type { Memo } from './voice-message.ts'

/** A memo as a file: each stretch a paragraph with its time in front, which references find again. */
export async function toNote({ adapter, texts }: Doing, memo: Memo): Promise<Note> {
  const { message, text, segments = [] } = memo
  const { author, conversation, id, sentAt } = message
  const link = await adapter.permalink?.({ conversation, id })
  const title = texts.voice.fileTitle(author.name)
  const stretches = segments.map(({ startMs, text: said }) => `[${toTime(startMs)}] ${said.trim()}`)
  return {
    key: `memo:${messageKey(conversation, id)}`,
    name: nameAfter(sentAt, text),
    markdown: [
      frontMatter({ title, author: author.name, date: sentAt, link, kind: 'recording' }),
      `# ${oneLine(title)}\n`,
      stretches.length > 0 ? stretches.join('\n\n') : text,
      '',
    ].join('\n'),
    source: { conversation, id },
    author,
    at: sentAt,
  }
}
