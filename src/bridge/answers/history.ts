import { estimateTokens } from '#lib/tokens.ts'
import type { Adapter } from '../port/adapter.ts'
import type { Message } from '../port/message.ts'
import type { Clock, Log } from '../port/platform.ts'
import type { HistoryTurn } from '../port/records.ts'

/** Most turns that are loaded. */
export const TURNS_TO_LOAD = 40
/** Author of the turn at which a person began a new conversation in the same place. */
export const CONVERSATION_START = 'new conversation'
/** An answer does not wait longer than this for a chat service to return the thread. */
const TIMEOUT_MS = 3000

/** The thread is read from this turn of our record on, newest first: earlier messages rarely matter. */
const QUESTIONS_TO_LOOK_BACK = 10
/** A long message must not displace all earlier ones, characters. */
export const MAX_SAID_CHARS = 2000

/** A turn of the history. */
export interface SaidTurn extends HistoryTurn {
  /** Said to other people in the same thread: it is not on our record. */
  readonly isOverheard?: true
  /** The question links to it. */
  readonly isLinked?: true
  /** The first message of the thread: of a long thread, the messages after it are not read. */
  readonly isRoot?: true
}

interface HistoryContext {
  readonly message: Message
  readonly adapter: Adapter
  readonly log: Log
}

/**
 * The history of this conversation before the message, oldest first: our own record, and in a thread the messages of
 * people between the answers. The chat service is asked for those each time, since talk among people is not stored.
 *
 * @param all newest turns of its queue, at most `TURNS_TO_LOAD`, oldest first
 */
export async function loadHistory(
  { clock }: { readonly clock: Clock },
  ctx: HistoryContext,
  all: readonly HistoryTurn[],
): Promise<readonly SaidTurn[]> {
  const startsAt = all.findLastIndex(({ author }) => author === CONVERSATION_START)
  const turns = all.slice(startsAt + 1)
  // For a question that is answered again, the turns from the question on are left out.
  const asked = turns.findIndex(({ messageId, role }) => role === 'user' && messageId === ctx.message.id)
  const before = asked === -1 ? turns : turns.slice(0, asked)
  const { conversation, id, replyTo } = ctx.message
  const isInThread = !conversation.direct && conversation.thread !== undefined && conversation.thread !== id
  const ended = all.slice(0, startsAt + 1)
  const isCalledIn = before.length + ended.length === 0 && (replyTo !== undefined || (conversation.thread ?? id) !== id)
  if (!isInThread && !isCalledIn) return before
  const questions = [...ended, ...before].filter(({ role }) => role === 'user')
  const since = questions.slice(-QUESTIONS_TO_LOOK_BACK)[0]?.messageId
  const said = await saidIn(clock, ctx, since)
  return interleave(before, ended.length === 0 ? said : saidSince(said, ended))
}

/** Messages since a new conversation began, by a command in the thread or by a button under an answer. */
function saidSince(said: readonly SaidTurn[], ended: readonly HistoryTurn[]): readonly SaidTurn[] {
  const known = new Set(ended.map(({ messageId }) => messageId))
  return said.slice(said.findLastIndex(({ messageId }) => known.has(messageId)) + 1)
}

/** Earlier messages as the chat service shows them; nothing if it does not tell in time. */
async function saidIn(
  clock: Clock,
  { message, adapter, log }: HistoryContext,
  since: string | undefined,
): Promise<readonly SaidTurn[]> {
  const late = new Promise<readonly Message[]>((resolve) => {
    setTimeout(resolve, TIMEOUT_MS, []).unref()
  })
  const asked = adapter.history(message.conversation, message.id, since).catch((error: unknown) => {
    log.warn({ err: error }, 'Earlier messages of this thread could not be read; the question is answered without them')
    return []
  })
  const messages = await Promise.race([asked, late])
  return messages
    .filter(({ text }) => text.trim() !== '')
    .slice(-TURNS_TO_LOAD)
    .map(({ id: messageId, author, text }) => ({
      messageId,
      role: 'user' as const,
      author: author.id,
      // Several people may speak in a thread, so each turn names its author.
      text: `${author.name}: ${Array.from(text).slice(0, MAX_SAID_CHARS).join('')}`,
      at: clock(),
      isOverheard: true,
      ...(messageId === message.conversation.thread ? { isRoot: true } : {}),
    }))
}

/**
 * Puts each message of people between the questions before and after it; the answers follow their questions at once.
 * Both lists are in order, and the second has the questions too.
 */
function interleave(turns: readonly HistoryTurn[], said: readonly SaidTurn[]): readonly SaidTurn[] {
  const places = new Map(turns.map(({ messageId }, place) => [messageId, place]))
  const behind = new Map<number, SaidTurn[]>()
  // Messages before the first question that both have belong before it.
  const first = said.find(({ messageId }) => places.has(messageId))
  let place = first === undefined ? turns.length : (places.get(first.messageId) ?? 0)
  for (const one of said) {
    const known = places.get(one.messageId)
    if (one.isRoot === true && known === undefined) behind.set(0, [one])
    else if (known === undefined) behind.set(place, [...(behind.get(place) ?? []), one])
    else place = endOfAnswer(turns, known)
  }
  return [...turns, undefined].flatMap((turn, at) => [...(behind.get(at) ?? []), ...(turn === undefined ? [] : [turn])])
}

/** The index after a question and its answers. */
function endOfAnswer(turns: readonly HistoryTurn[], question: number): number {
  const next = turns.findIndex(({ role }, place) => place > question && role === 'user')
  return next === -1 ? turns.length : next
}

/** Overhead of each turn: role and separators. */
const TOKENS_PER_TURN = 4

/**
 * The newest turns that fit into `budget` tokens, oldest first. Turns are kept whole, and the first that does not fit
 * ends the history: a later turn refers to the one before it.
 */
export function fitHistory<T extends Pick<HistoryTurn, 'text'>>(turns: readonly T[], budget: number): readonly T[] {
  let left = budget
  let first = turns.length
  while (first > 0) {
    left -= estimateTokens(turns[first - 1]?.text ?? '') + TOKENS_PER_TURN
    if (left < 0) break
    first -= 1
  }
  return turns.slice(first)
}
