import { stableId } from '#lib/stable-id.ts'
import type { JobContext } from '../delivery/job-context.ts'
import { frontMatter, nameAfter } from '../files/saved-messages/note-markdown.ts'
import type { Note } from '../files/saved-messages/save-note.ts'
import { messageKey } from '../port/keys.ts'
import type { Message } from '../port/message.ts'
import type { Clock, Segment } from '../port/platform.ts'
import type { ButtonPayloads } from '../port/records.ts'
import { toTime } from './transcript.ts'
import { oneLine } from '../texts/formats.ts'

/** A transcribed voice message: for its buttons, and so that a restart does not transcribe it again. */
export interface VoiceMessage {
  readonly jobId: string
  readonly queue: string
  readonly message: Message
  /** The transcript, or its correction or translation. */
  readonly text: string
  readonly edited?: boolean
  /** With times; absent after a correction, and if the platform returns none. */
  readonly segments?: readonly Segment[]
  /** ISO 639-1, if the platform returns it. */
  readonly language?: string
  readonly durationMs?: number
}

/** Kind of the button payload on disk. */
const KIND = 'voice-message'

/** Short enough for a button. */
export const voiceMessageId = (jobId: string): string => stableId(22, KIND, jobId)

export async function readVoiceMessage(payloads: ButtonPayloads, id: string): Promise<VoiceMessage | undefined> {
  const payload = await payloads.get(id)
  return payload?.kind === KIND ? (payload.data as VoiceMessage) : undefined
}

export function keepVoiceMessage(payloads: ButtonPayloads, voiceMessage: VoiceMessage, clock: Clock): Promise<void> {
  return payloads.put({ id: voiceMessageId(voiceMessage.jobId), kind: KIND, data: voiceMessage, at: clock() })
}

/** A voice message as a note: one paragraph per segment, with its time in front for references. */
export async function toNote({ adapter, texts }: JobContext, voiceMessage: VoiceMessage): Promise<Note> {
  const { message, text, segments = [] } = voiceMessage
  const { author, conversation, id, sentAt } = message
  const link = await adapter.permalink({ conversation, id })
  const title = texts.voice.fileTitle(author.name)
  const stretches = segments.map(({ startMs, text: said }) => `[${toTime(startMs)}] ${said.trim()}`)
  return {
    key: `voice:${messageKey(conversation, id)}`,
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
