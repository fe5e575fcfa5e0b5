import { estimateTokens } from '../../lib/tokens.ts'
import type { Adapter } from '../port/adapter.ts'
import type { Message } from '../port/message.ts'
import type { Clock, Log } from '../port/platform.ts'
import type { HistoryTurn } from '../port/records.ts'
import type { Store } from '../port/store.ts'

/** How many turns are worth loading. */
export const TURNS_TO_LOAD = 40
/** An answer must not wait for a service that is slow to tell what was said. */
const PATIENCE_MS = 3000

/**
 * The history of this conversation before the message, oldest first. Kept by ourselves; only when we are called into a
 * thread that went on without us is the service asked, once (it allows few of these calls).
 */
export async function saidBefore(
  services: { readonly store: Store; readonly clock: Clock },
  ctx: { readonly queue: string; readonly message: Message; readonly adapter: Adapter; readonly log: Log },
): Promise<readonly HistoryTurn[]> {
  const turns = await services.store.history.of(ctx.queue, TURNS_TO_LOAD)
  // A question that is answered anew has its earlier answer, and more, behind it.
  const asked = turns.findIndex(({ messageId, role }) => role === 'user' && messageId === ctx.message.id)
  const before = asked === -1 ? turns : turns.slice(0, asked)
  return before.length > 0 ? before : fromService(services.clock, ctx)
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
    setTimeout(resolve, PATIENCE_MS, []).unref()
  })
  const asked = adapter.history(conversation, id).catch((error: unknown) => {
    log.warn({ err: error }, 'What was said before in this thread could not be read')
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
      // Several people may have spoken; the model is told who.
      text: `${author.name}: ${text}`,
      at: clock(),
    }))
}

/** Each turn costs this beside its text: role and separators. */
const TOKENS_PER_TURN = 4

/**
 * The newest turns that fit into `budget` tokens together, oldest first as they came. A turn is kept whole or not at
 * all, and none is kept across a gap: what is said later refers to what was said just before.
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
