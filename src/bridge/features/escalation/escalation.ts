import { isClosing } from '#lexicon/follow-up.ts'
import { soundsLikeQuestion } from '#bridge/answers/rewrite-question.ts'
import { channelKey } from '#bridge/port/keys.ts'
import type { Message } from '#bridge/port/message.ts'
import type { Store } from '#bridge/port/store.ts'

/** An escalation: the unanswered question that people were asked, and their replies. */
export interface Escalation {
  readonly answerId: string
  /** The job of the button press that asked them. */
  readonly jobId: string
  readonly queue: string
  readonly asker: string
  readonly replies: readonly EscalationReply[]
  readonly end?: 'filed' | 'dismissed'
}

export interface EscalationReply {
  readonly messageId: string
  readonly authorId: string
  readonly authorName: string
  readonly text: string
  /** ISO 8601. */
  readonly at: string
}

/** Slot of the message that asks people; its job is the button press. */
export const ASK_SLOT = 'escalation'
/** Slot of the offer to save a reply; its job is that of the reply. */
export const SAVE_SLOT = 'save-reply'

const KIND = 'escalation'
/** Preference of a conversation: the answer whose escalation awaits a reply there. */
const AWAITS_REPLY = 'awaits-reply'
const idOf = (answerId: string) => `${KIND}-${answerId}`

export async function loadEscalation(
  { buttonPayloads }: Pick<Store, 'buttonPayloads'>,
  answerId: string,
): Promise<Escalation | undefined> {
  const payload = await buttonPayloads.get(idOf(answerId))
  return payload?.kind === KIND ? (payload.data as Escalation) : undefined
}

/**
 * Stores the state. Once it has ended, the conversation awaits no reply, unless another question was escalated since.
 */
export async function saveEscalation(
  { buttonPayloads, preferences }: Pick<Store, 'buttonPayloads' | 'preferences'>,
  state: Escalation,
  at: number,
): Promise<void> {
  await buttonPayloads.put({ id: idOf(state.answerId), kind: KIND, data: state, at })
  if (state.end === undefined) return
  if ((await preferences.get(state.queue, AWAITS_REPLY)) === state.answerId)
    await preferences.set(state.queue, AWAITS_REPLY, undefined)
}

/** From now on, statements in this conversation count as replies to it. */
export async function expectReplies(
  { preferences }: Pick<Store, 'preferences'>,
  { queue, answerId }: Escalation,
): Promise<void> {
  await preferences.set(queue, AWAITS_REPLY, answerId)
}

/** Records that this message (the question or a reply) belongs to the escalation, also after later edits. */
export async function linkToEscalation(
  { buttonPayloads }: Pick<Store, 'buttonPayloads'>,
  message: { readonly channel: string; readonly id: string },
  answerId: string,
  at: number,
): Promise<void> {
  await buttonPayloads.put({ id: linkIdOf(message), kind: LINK_KIND, data: answerId, at })
}

/** Kind of the button payload that links a message to its escalation; kept as long as the question. */
const LINK_KIND = 'escalation-message'
const linkIdOf = ({ channel, id }: { readonly channel: string; readonly id: string }) => `${LINK_KIND}-${channel}/${id}`

async function answerOf(
  { buttonPayloads }: Pick<Store, 'buttonPayloads'>,
  message: { readonly channel: string; readonly id: string },
): Promise<string | undefined> {
  const payload = await buttonPayloads.get(linkIdOf(message))
  return payload?.kind === LINK_KIND ? String(payload.data) : undefined
}

/** The escalation that this message is known to belong to. */
export async function escalationOf(
  store: Pick<Store, 'buttonPayloads'>,
  { channel, id }: { readonly channel: string; readonly id: string },
): Promise<Escalation | undefined> {
  const known = await answerOf(store, { channel, id })
  return known === undefined ? undefined : loadEscalation(store, known)
}

/** A reply of the asker has at least this many words. */
const MIN_WORDS = 4

/**
 * The escalation that this message replies to: as a reply to the asking message, or as a statement in its thread.
 * Questions, thanks and messages to Footbridge are not replies.
 */
export async function escalationAwaitingReply(
  store: Pick<Store, 'buttonPayloads' | 'preferences'>,
  queue: string,
  message: Message,
): Promise<Escalation | undefined> {
  if (message.text.trim() === '') return undefined
  const channel = channelKey(message.conversation)
  const of = (id: string) => answerOf(store, { channel, id })
  const [repeated, repliedTo, awaited] = await Promise.all([
    of(message.id),
    message.replyTo === undefined ? undefined : of(message.replyTo),
    isStatement(message) ? store.preferences.get(queue, AWAITS_REPLY) : undefined,
  ])
  // A known reply stays one when it is repeated or edited, also after the end; so does a direct reply to the asking
  // message.
  const known = repeated ?? repliedTo
  if (known !== undefined) return loadEscalation(store, known)
  const state = awaited === undefined ? undefined : await loadEscalation(store, awaited)
  return state !== undefined && state.end === undefined && isReply(state, message) ? state : undefined
}

/** Said in a thread, to other people or to nobody. */
function isStatement({ addressed, byPlace, conversation, id, text }: Message): boolean {
  const inThread = conversation.thread !== undefined && conversation.thread !== id
  return inThread && (!addressed || byPlace === true) && !soundsLikeQuestion(text.trim()) && !isClosing(text)
}

/** The asker may reply too, but a short thanks is no reply. */
const isReply = ({ asker }: Escalation, { author, text }: Message): boolean =>
  author.id !== asker || (text.match(/[\p{L}\p{N}]+/gu) ?? []).length >= MIN_WORDS
