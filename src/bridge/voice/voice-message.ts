import { stableId } from '../../lib/stable-id.ts'
import type { JobContext } from '../delivery/job-context.ts'
import { frontMatter, nameAfter } from '../files/saved-messages/note-markdown.ts'
import type { Note } from '../files/saved-messages/save-note.ts'
import { type Message, messageKey } from '../port/message.ts'
import type { Clock, Segment } from '../port/platform.ts'
import type { ButtonPayloads } from '../port/records.ts'
import { toTime } from './transcript.ts'
import { oneLine } from '../texts/formats.ts'

/** A voice message that was transcribed: for its buttons, and for a restart, which does not transcribe it again. */
export interface VoiceMessage {
  readonly jobId: string
  readonly queue: string
  readonly message: Message
  /** The transcript, as it was heard or as somebody corrected it. */
  readonly text: string
  readonly edited?: boolean
  /** With their times; absent once it was edited, and where the platform tells no times. */
  readonly segments?: readonly Segment[]
  /** ISO 639-1, where the platform tells it. */
  readonly language?: string
  readonly durationMs?: number
}

/** As button payloads have it on disk. */
const KIND = 'memo'

/** Short enough for a button. */
export const voiceMessageId = (jobId: string): string => stableId(22, KIND, jobId)

// On disk the field of the queue is called `lane`.
type Stored = Omit<VoiceMessage, 'queue'> & { readonly lane: string }

export async function readVoiceMessage(payloads: ButtonPayloads, id: string): Promise<VoiceMessage | undefined> {
  const payload = await payloads.get(id)
  if (payload?.kind !== KIND) return undefined
  const { lane, ...voiceMessage } = payload.data as Stored
  return { ...voiceMessage, queue: lane }
}

export function keepVoiceMessage(
  payloads: ButtonPayloads,
  { queue, ...voiceMessage }: VoiceMessage,
  clock: Clock,
): Promise<void> {
  const data: Stored = { ...voiceMessage, lane: queue }
  return payloads.put({ id: voiceMessageId(data.jobId), kind: KIND, data, at: clock() })
}

/** A voice message as a file: each stretch a paragraph with its time in front, which references find again. */
export async function toNote({ adapter, texts }: JobContext, voiceMessage: VoiceMessage): Promise<Note> {
  const { message, text, segments = [] } = voiceMessage
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
