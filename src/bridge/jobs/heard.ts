import { fileKindOf } from '#lib/file-kind.ts'
import { isClosing } from '#lexicon/follow-up.ts'
import { soundsLikeQuestion } from '../answers/rewrite-question.ts'
import type { ChannelSettings } from '../channels/settings.ts'
import type { Escalation } from '../features/escalation/escalation.ts'
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

/** A message as Footbridge hears it: the facts by which `handlers.ts` chooses a handler. */
export interface Heard {
  readonly message: Message
  /** Trimmed. */
  readonly text: string
  readonly follower: Follower | undefined
  readonly listens: ChannelSettings['listens']
  /** The escalation that it replies to. */
  readonly repliesTo?: Escalation
  readonly command?: ParsedCommand
  /** Text to answer. */
  readonly question?: string
  /** The channel is answered in threads only, and this question is not in a thread. */
  readonly isMisplaced: boolean
  /** Pictures sent with a question, which is about them. One without a question is a document. */
  readonly pictures: readonly Attachment[]
  /** Recordings: voice messages and sound files. */
  readonly sounds: readonly Attachment[]
  /** Files for the collection. */
  readonly files: readonly Attachment[]
}

interface HearingOptions {
  /** A follow-up in this conversation needs no mention. Of a bystander only a question or a reply counts. */
  readonly follower: Follower | undefined
  readonly parse: Registry['parse']
  /** Default: `usual`. */
  readonly listens?: ChannelSettings['listens']
  readonly repliesTo?: Escalation
  /** The files of an edited message were handled when it was sent. */
  readonly isEdit?: boolean
}

/** A program is heard where it mentions us or has files: it runs no commands, and follows up on nothing. */
function hearProgram(message: Message): Heard {
  const text = message.text.trim()
  const question = message.addressed && text !== '' ? text : undefined
  return {
    message,
    text,
    follower: undefined,
    listens: undefined,
    question,
    isMisplaced: false,
    pictures: [],
    sounds: [],
    files: message.attachments.filter((one) => isForCollection(one, message)),
  }
}

export function hear(message: Message, options: HearingOptions): Heard {
  if (!isPerson(message)) return hearProgram(message)
  const { follower, parse, listens = 'usual', repliesTo, isEdit = false } = options
  const { addressed, attachments, mentionsOthers, replyTo } = message
  const text = message.text.trim()
  const isForUs = addressed || (follower !== undefined && !mentionsOthers && listens !== 'mentions')
  const parsed = isForUs ? parse(text) : undefined
  // `What is this?` in a message with a picture asks about the picture.
  const command = parsed?.name === 'help' && attachments.length > 0 ? undefined : parsed
  const mayFollow = (follower === 'asker' || replyTo !== undefined) && !isClosing(text)
  const asks = text !== '' && (addressed || mayFollow || soundsLikeQuestion(text))
  const isAsked = isForUs && asks && command === undefined
  const isMisplaced = isAsked && listens === 'threads' && isOutsideThread(message)
  const question = isAsked && !isMisplaced ? text : undefined
  const pictures = question === undefined ? [] : attachments.filter(({ kind }) => kind === 'image')
  const isFile = (one: Attachment) => !isEdit && !pictures.includes(one) && isForCollection(one, message)
  return {
    message,
    text,
    follower,
    listens,
    repliesTo,
    command,
    question,
    isMisplaced,
    pictures,
    sounds: attachments.filter(({ kind }) => kind === 'voice' || kind === 'audio'),
    files: attachments.filter(isFile),
  }
}

export const isPerson = ({ author }: Pick<Message, 'author'>): boolean => author.programIds === undefined

const isOutsideThread = ({ id, conversation: { direct, thread } }: Message) =>
  !direct && (thread === undefined || thread === id)

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

/** It is for us, and the service keeps back what it says. */
export const isWithheld = ({ message }: Heard): boolean => message.isWithheld === true

export const isReply = ({ repliesTo }: Heard): boolean => repliesTo !== undefined

export const isCommand = ({ command }: Heard): boolean => command !== undefined

/** A recording without text is a request in itself: nobody can mention us inside a voice message. */
export const isRecording = ({ text, sounds }: Heard): boolean => text === '' && sounds.length > 0

/** It may be meant for people: it is answered on request. */
export const isRecordingAmongPeople = (heard: Heard): boolean =>
  isRecording(heard) &&
  heard.message.isAmongPeople === true &&
  !heard.message.addressed &&
  heard.follower === undefined &&
  heard.listens !== 'questions'

export const isMisplaced = (heard: Heard): boolean => heard.isMisplaced

export const isQuestion = ({ question }: Heard): boolean => question !== undefined

export const isProgramsQuestion = ({ question, message }: Heard): boolean =>
  question !== undefined && !isPerson(message)

/** A question to nobody in particular, in time, in a channel that answers those from the files or not at all. */
export const isOverheard = ({ message, text, listens }: Heard): boolean =>
  listens === 'questions' &&
  text !== '' &&
  message.missed !== true &&
  !message.conversation.direct &&
  !message.mentionsOthers &&
  soundsLikeQuestion(text)

/** A long text that the client made a file of: the question is in it, and the file is kept too. */
export const isPaste = ({ message, text }: Heard): boolean =>
  text === '' && message.addressed && isPerson(message) && message.attachments.some((one) => one.isPaste)

export const hasFiles = ({ files }: Heard): boolean => files.length > 0

/** A mention without text. */
export const isBareMention = ({ message, sounds }: Heard): boolean =>
  message.addressed && isPerson(message) && sounds.length === 0
