import { estimateTokens } from '../../lib/tokens.ts'
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

/**
 * The history of this conversation before the message, oldest first, from our own record. The chat service is asked
 * only, and once, when we are called into a thread already under way: such calls are strictly rate-limited.
 *
 * @param all newest turns of its queue, at most `TURNS_TO_LOAD`, oldest first
 */
export async function loadHistory(
  { clock }: { readonly clock: Clock },
  ctx: { readonly message: Message; readonly adapter: Adapter; readonly log: Log },
  all: readonly HistoryTurn[],
): Promise<readonly HistoryTurn[]> {
  const turns = all.slice(all.findLastIndex(({ author }) => author === CONVERSATION_START) + 1)
  // For a question that is answered again, the turns from the question on are left out.
  const asked = turns.findIndex(({ messageId, role }) => role === 'user' && messageId === ctx.message.id)
  const before = asked === -1 ? turns : turns.slice(0, asked)
  return before.length > 0 || all.length > turns.length ? before : fromService(clock, ctx)
}

async function fromService(
  clock: Clock,
  ctx: { readonly message: Message; readonly adapter: Adapter; readonly log: Log },
): Promise<readonly HistoryTurn[]> {
  const { message, adapter, log } = ctx
  const { conversation, id, replyTo } = message
  const isCalledIn = (conversation.thread !== undefined && conversation.thread !== id) || replyTo !== undefined
  if (adapter.history === undefined || !isCalledIn) return []
  const late = new Promise<readonly Message[]>((resolve) => {
    setTimeout(resolve, TIMEOUT_MS, []).unref()
  })
  const asked = adapter.history(conversation, id).catch((error: unknown) => {
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
      text: `${author.name}: ${text}`,
      at: clock(),
    }))
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
