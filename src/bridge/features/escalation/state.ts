import { soundsLikeQuestion } from '../../answers/rewrite-question.ts'
import { channelKey, type Message } from '../../port/message.ts'
import type { Store } from '../../port/store.ts'

/** A question that people were asked, and what they replied. */
export interface PersonState {
  readonly answerId: string
  /** The press that asked them. */
  readonly jobId: string
  readonly queue: string
  readonly asker: string
  readonly replies: readonly PersonReply[]
  readonly end?: 'filed' | 'dismissed'
}

export interface PersonReply {
  readonly messageId: string
  readonly authorId: string
  readonly authorName: string
  readonly text: string
  /** ISO 8601. */
  readonly at: string
}

/** Slot of the message that asks people, among the sends of the press. */
export const ASK_SLOT = 'person'
/** Slot of the question whether to save a reply, among the sends of the reply's job. */
export const SAVE_SLOT = 'file-reply'

const KIND = 'person'
/** Preference of a conversation: the answer for which a reply is awaited in it. */
const CHOICE = 'awaits-person'
const idOf = (answerId: string) => `${KIND}-${answerId}`

export async function loadState(
  { buttonPayloads }: Pick<Store, 'buttonPayloads'>,
  answerId: string,
): Promise<PersonState | undefined> {
  const payload = await buttonPayloads.get(idOf(answerId))
  if (payload?.kind !== KIND) return undefined
  const { queue, ...state } = payload.data as PersonState & { readonly queue: string }
  return { ...state, queue: queue }
}

/** Kept; once it has ended, its conversation awaits no reply any more, unless something was asked there since. */
export async function saveState(
  { buttonPayloads, preferences }: Pick<Store, 'buttonPayloads' | 'preferences'>,
  state: PersonState,
  at: number,
): Promise<void> {
  // On disk the field of the queue is called `queue`.
  const { queue, ...rest } = state
  await buttonPayloads.put({ id: idOf(state.answerId), kind: KIND, data: { ...rest, queue: queue }, at })
  if (state.end === undefined) return
  if ((await preferences.get(state.queue, CHOICE)) === state.answerId)
    await preferences.set(state.queue, CHOICE, undefined)
}

/** From now on, what is stated in this conversation is a reply to it. */
export async function expectReplies(
  { preferences }: Pick<Store, 'preferences'>,
  { queue, answerId }: PersonState,
): Promise<void> {
  await preferences.set(queue, CHOICE, answerId)
}

/** This message (what asks, or a reply) belongs to it, whatever is asked later and whatever it becomes by an edit. */
export async function belongsTo(
  { buttonPayloads }: Pick<Store, 'buttonPayloads'>,
  message: { readonly channel: string; readonly id: string },
  answerId: string,
  at: number,
): Promise<void> {
  await buttonPayloads.put({ id: belongingOf(message), kind: BELONGS, data: answerId, at })
}

/** Kept as long as the question itself, and no choice of anybody's. */
const BELONGS = 'person-message'
const belongingOf = ({ channel, id }: { readonly channel: string; readonly id: string }) =>
  `${BELONGS}-${channel}/${id}`

async function answerOf(
  { buttonPayloads }: Pick<Store, 'buttonPayloads'>,
  message: { readonly channel: string; readonly id: string },
): Promise<string | undefined> {
  const payload = await buttonPayloads.get(belongingOf(message))
  return payload?.kind === BELONGS ? String(payload.data) : undefined
}

/** The escalation that this message is known to belong to. */
export async function replyOf(
  store: Pick<Store, 'buttonPayloads'>,
  { channel, id }: { readonly channel: string; readonly id: string },
): Promise<PersonState | undefined> {
  const known = await answerOf(store, { channel, id })
  return known === undefined ? undefined : loadState(store, known)
}

/** A reply of the asker has at least so many words. */
const FEWEST_WORDS = 4

/**
 * What this message replies to, when people were asked here and it is a reply: to that message itself, or in its thread by
 * somebody who states something. Words to us, questions and thanks are none.
 */
export async function awaitedHere(
  store: Pick<Store, 'buttonPayloads' | 'preferences'>,
  queue: string,
  message: Message,
): Promise<PersonState | undefined> {
  if (message.text.trim() === '') return undefined
  const channel = channelKey(message.conversation)
  const of = (id: string) => answerOf(store, { channel, id })
  // Told again, or edited: a reply stays one, also when all is over. Then: a reply to the very message that asks.
  const known = (await of(message.id)) ?? (message.replyTo && (await of(message.replyTo)))
  if (known !== undefined) return loadState(store, known)
  const awaited = await store.preferences.get(queue, CHOICE)
  const state = awaited === undefined ? undefined : await loadState(store, awaited)
  return state !== undefined && state.end === undefined && isStated(state, message) ? state : undefined
}

function isStated({ asker }: PersonState, message: Message): boolean {
  const { addressed, author, conversation, id } = message
  const text = message.text.trim()
  const inThread = conversation.thread !== undefined && conversation.thread !== id
  if (!inThread || addressed || soundsLikeQuestion(text)) return false
  // The asker may have found it out; a word of thanks is no reply.
  return author.id !== asker || (text.match(/[\p{L}\p{N}]+/gu) ?? []).length >= FEWEST_WORDS
}
