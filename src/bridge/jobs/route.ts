import { describeFile } from '../../lib/file-kind.ts'
import { soundsLikeQuestion } from '../answers/rewrite-question.ts'
import type { ParsedCommand, Registry } from '../features/registry.ts'
import type { Attachment, Message } from '../port/message.ts'
import type { Store } from '../port/store.ts'

/** A speaker in a conversation where no mention is needed: one who asked us there, or one who did not. */
export type Follower = 'asker' | 'bystander'

/**
 * Undefined: nothing was asked in this queue.
 *
 * @param from.inbox also questions that wait for their answer count. Left out by the job itself, which would find itself there.
 */
export async function followerIn(
  { history, inbox }: Pick<Store, 'history'> & Partial<Pick<Store, 'inbox'>>,
  queue: string,
  author: string,
): Promise<Follower | undefined> {
  if ((await history.asked(queue, author)) || (await inbox?.hasOpen(queue, author)) === true) return 'asker'
  return (await history.has(queue)) || (await inbox?.hasOpen(queue)) === true ? 'bystander' : undefined
}

/** The work that a message asks for. Several at once are done in this order: files first, so that the question can use them. */
export interface Plan {
  /** Files that become the channel's knowledge. */
  readonly files: readonly Attachment[]
  /** A recording to transcribe and answer. */
  readonly voiceMessage?: Attachment
  /** Beside a question: for a model that sees. */
  readonly pictures?: readonly Attachment[]
  /** Text to be answered. */
  readonly question?: string
  readonly command?: ParsedCommand
}

/**
 * Decides what a message is for. Undefined: it is talk among people, and nothing is kept of it.
 *
 * @param follower we were already asked something in this conversation, so a follow-up needs no mention. Of a bystander it is
 *   one only where it asks something or replies to a message: what people state beside it they say to each other.
 */
export function route(message: Message, follower: Follower | undefined, parse: Registry['parse']): Plan | undefined {
  const forUs = message.addressed || (follower !== undefined && !message.mentionsOthers)
  const text = message.text.trim()
  // A recording without words beside it is a request in itself: nobody can mention us inside a voice message.
  const sounds = message.attachments.filter(({ kind }) => kind === 'voice' || kind === 'audio')
  const voiceMessage = text === '' ? sounds[0] : undefined
  const files = message.attachments.filter((attachment) => isForCollection(attachment, message))
  const command = forUs ? parse(text) : undefined
  const isAsked = message.addressed || follower === 'asker' || message.replyTo !== undefined || soundsLikeQuestion(text)
  const question = forUs && isAsked && text !== '' && command === undefined ? text : undefined
  if (command !== undefined) return { files, command }
  if (voiceMessage !== undefined) return { files, voiceMessage }
  if (question !== undefined) return withPictures(message, files, question)
  if (files.length > 0) return { files }
  // Called by name with nothing said: show what can be done rather than stay silent.
  return message.addressed && sounds.length === 0 ? { files, command: { name: 'help', argument: '' } } : undefined
}

/** A question beside a picture is about the picture; a picture without a question is a document. */
function withPictures({ attachments }: Message, files: readonly Attachment[], question: string): Plan {
  const pictures = attachments.filter(({ kind }) => kind === 'image')
  if (pictures.length === 0) return { files, question }
  return { files: files.filter(({ kind }) => kind !== 'image'), pictures, question }
}

/**
 * Pictures and clips in a channel are mostly talk: only one that is handed to us on purpose gets a receipt (which says why not).
 * Another file that nobody can read gets one, too, where it comes with documents or without a word: silence would be taken for a yes.
 */
function isForCollection(attachment: Attachment, { addressed, attachments, text }: Message): boolean {
  const { kind, name, mimeType } = attachment
  if (kind === 'document') return true
  if (kind === 'image') return addressed
  if (kind !== 'other') return false
  const isReadable = ['native', 'convertible'].includes(describeFile(name, mimeType))
  const isClip = mimeType.startsWith('video/')
  const isDropped = text.trim() === '' || attachments.some((other) => other.kind === 'document')
  return addressed || isReadable || (isDropped && !isClip)
}
