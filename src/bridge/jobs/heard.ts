import { fileKindOf } from '#lib/file-kind.ts'
import { isClosing } from '#lexicon/follow-up.ts'
import { soundsLikeQuestion } from '../answers/rewrite-question.ts'
import type { ChannelSettings } from '../channels/settings.ts'
import type { ParsedCommand, Registry } from '../features/registry.ts'
import type { Attachment, Message } from '../port/message.ts'
import type { Store } from '../port/store.ts'

/** Author in a conversation where no mention is needed: one who asked us there, or another person. */
export type Follower = 'asker' | 'bystander'

/**
 * Undefined: nothing was asked in this queue.
 *
 * @param from.inbox with it, questions that wait for their answer count too. The job itself leaves it out, since it
 * would find itself.
 */
export async function followerIn(
  { history, inbox }: Pick<Store, 'history'> & Partial<Pick<Store, 'inbox'>>,
  queue: string,
  author: string,
): Promise<Follower | undefined> {
  const [asked, asks, isKnown, isOpen = false] = await Promise.all([
    history.asked(queue, author),
    inbox?.hasOpen(queue, author),
    history.has(queue),
    inbox?.hasOpen(queue),
  ])
  if (asked || asks === true) return 'asker'
  return isKnown || isOpen ? 'bystander' : undefined
}

/**
 * The work that a message asks for. If there are several parts, files come first, so that the question can use them.
 */
export interface Plan {
  /** Files for the collection. */
  readonly files: readonly Attachment[]
  /** A recording to transcribe and answer. */
  readonly voiceMessage?: Attachment
  /** Recordings that came with the question. */
  readonly recordings?: readonly Attachment[]
  /** A long text that the client made a file of: the question stands in it, and the file is kept too. */
  readonly paste?: Attachment
  /** A recording that may be meant for people: a button offers to answer it. */
  readonly offersVoice?: boolean
  /** Pictures sent with a question, for a vision model. */
  readonly pictures?: readonly Attachment[]
  /** Text to answer. */
  readonly question?: string
  readonly command?: ParsedCommand
  /** The question does not address Footbridge: it is answered from the files, or not at all. */
  readonly quiet?: true
  /** The channel is answered in threads only, and this is none. */
  readonly misplaced?: true
}

/**
 * Decides what a message asks for. Undefined: talk among people; nothing is stored.
 *
 * @param follower a follow-up in this conversation needs no mention. For a bystander only a question or a reply counts:
 * statements are meant for other people.
 */
export function route(
  message: Message,
  follower: Follower | undefined,
  parse: Registry['parse'],
  listens: ChannelSettings['listens'] = 'usual',
): Plan | undefined {
  const forUs = message.addressed || (follower !== undefined && !message.mentionsOthers && listens !== 'mentions')
  const text = message.text.trim()
  // A recording without text is a request in itself: nobody can mention us inside a voice message.
  const sounds = message.attachments.filter(({ kind }) => kind === 'voice' || kind === 'audio')
  const voiceMessage = text === '' ? sounds[0] : undefined
  const files = message.attachments.filter((attachment) => isForCollection(attachment, message))
  const parsed = forUs ? parse(text) : undefined
  // `What is this?` beside a picture asks about the picture.
  const command = parsed?.name === 'help' && message.attachments.length > 0 ? undefined : parsed
  const mayFollow = (follower === 'asker' || message.replyTo !== undefined) && !isClosing(text)
  const isAsked = message.addressed || mayFollow || soundsLikeQuestion(text)
  const question = forUs && isAsked && text !== '' && command === undefined ? text : undefined
  if (command !== undefined) return { files, command }
  const isForPeople = message.isAmongPeople === true && !message.addressed && follower === undefined
  if (voiceMessage !== undefined && isForPeople && listens !== 'questions') return { files, offersVoice: true }
  if (voiceMessage !== undefined) return { files, voiceMessage, ...(sounds.length > 1 ? { recordings: sounds } : {}) }
  const { thread, direct } = message.conversation
  const isOutside = !direct && (thread === undefined || thread === message.id)
  if (question !== undefined && listens === 'threads' && isOutside) return { files, misplaced: true }
  if (question !== undefined) {
    const plan = withPictures(message, files, question)
    return sounds.length === 0 ? plan : { ...plan, recordings: sounds }
  }
  const isOverheard = listens === 'questions' && !direct && !message.mentionsOthers && soundsLikeQuestion(text)
  if (isOverheard && text !== '') return { files, question: text, quiet: true }
  const paste = message.addressed ? message.attachments.find(({ isPaste }) => isPaste) : undefined
  if (paste !== undefined && text === '') return { files, paste }
  if (files.length > 0) return { files }
  // A mention without text gets the help.
  return message.addressed && sounds.length === 0 ? { files, command: { name: 'help', argument: '' } } : undefined
}

/** A question with a picture is about the picture; a picture without a question is a document. */
function withPictures({ attachments }: Message, files: readonly Attachment[], question: string): Plan {
  const pictures = attachments.filter(({ kind }) => kind === 'image')
  if (pictures.length === 0) return { files, question }
  return { files: files.filter(({ kind }) => kind !== 'image'), pictures, question }
}

/** The plan of an edited message: its files were handled when it was sent. */
export function withoutFiles(plan: Plan | undefined): Plan | undefined {
  const isOver = plan?.question === undefined && plan?.command === undefined && plan?.misplaced !== true
  return isOver ? undefined : { ...plan, files: [] }
}

/**
 * A picture may be a scan or a screenshot. Clips are mostly talk, so they get a receipt only if addressed to us. Other
 * unsupported files get one, with the reason, if they come with documents or without text: silence looks like success.
 */
function isForCollection(attachment: Attachment, { addressed, attachments, text }: Message): boolean {
  const { kind, name, mimeType } = attachment
  if (kind === 'document') return true
  if (kind === 'image') return addressed || mimeType !== 'image/gif'
  if (kind !== 'other') return false
  const isReadable = ['native', 'convertible'].includes(fileKindOf(name, mimeType))
  const isClip = mimeType.startsWith('video/')
  const isDropped = text.trim() === '' || attachments.some((other) => other.kind === 'document')
  return addressed || isReadable || (isDropped && !isClip)
}
