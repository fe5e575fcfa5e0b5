import { createHash } from 'node:crypto'
import type { Doing } from '../delivery/job-context.ts'
import { frontMatter, nameAfter } from '../files/saved-messages/note-markdown.ts'
import type { Note } from '../files/saved-messages/save-note.ts'
import { type Message, messageKey } from '../port/message.ts'
import type { Clock, Segment } from '../port/platform.ts'
import type { ButtonPayloads } from '../port/records.ts'
import { oneLine } from '../texts/names.ts'
import { toTime } from './transcript.ts'

/** A recording that was heard: what its buttons work with, and what a restart finds instead of hearing it again. */
export interface Memo {
  readonly jobId: string
  readonly queue: string
  readonly message: Message
  /** What was understood, or what somebody made of it. */
  readonly text: string
  readonly edited?: boolean
  /** Of what was heard; absent once it was edited, and where the platform tells no times. */
  readonly segments?: readonly Segment[]
  /** ISO 639-1, where the platform tells it. */
  readonly language?: string
  readonly durationMs?: number
}

const KIND = 'memo'

/** Short enough for a button. */
export function memoId(jobId: string): string {
  return createHash('sha256').update(`${KIND}\n${jobId}`).digest('base64url').slice(0, 22)
}

export async function readMemo(payloads: ButtonPayloads, id: string): Promise<Memo | undefined> {
  const payload = await payloads.get(id)
  if (payload?.kind !== KIND) return undefined
  const { queue, ...memo } = payload.data as Memo & { readonly queue: string }
  return { ...memo, queue: queue }
}

export function keepMemo(payloads: ButtonPayloads, { queue, ...memo }: Memo, clock: Clock): Promise<void> {
  // On disk the field of the queue is called `queue`.
  return payloads.put({ id: memoId(memo.jobId), kind: KIND, data: { ...memo, queue: queue }, at: clock() })
}

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
