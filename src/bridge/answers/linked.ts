import { exposureOf } from '../channels/channel-links.ts'
import { mayRead } from '../channels/permissions.ts'
import type { MessageContext } from '../delivery/job-context.ts'
import { channelKey } from '../port/keys.ts'
import type { ConversationRef, MessageRef } from '../port/message.ts'
import type { Clock } from '../port/platform.ts'
import { MAX_SAID_CHARS, type SaidTurn } from './history.ts'

/** Messages that one question may link to. */
const MAX_LINKED = 3
/** An answer does not wait longer than this for them, milliseconds. */
const TIMEOUT_MS = 3000

/**
 * The messages that the question links to, as its asker may read them. An address that people of this channel may not
 * read stays an address, even if the asker may read it.
 */
export async function readLinked(clock: Clock, ctx: MessageContext): Promise<readonly SaidTurn[]> {
  const { message } = ctx
  const linked = (message.linked ?? []).slice(0, MAX_LINKED)
  if (linked.length === 0) return []
  const late = new Promise<undefined>((resolve) => {
    setTimeout(resolve, TIMEOUT_MS, undefined).unref()
  })
  const found = await Promise.all(linked.map((ref) => Promise.race([readOne(clock, ctx, ref), late])))
  return found.flatMap((turn) => turn ?? [])
}

async function readOne(clock: Clock, ctx: MessageContext, ref: MessageRef): Promise<SaidTurn | undefined> {
  try {
    if (!(await isReadableHere(ctx, ref.conversation))) return undefined
    const found = await ctx.adapter.read(ref)
    if (found === undefined || found.text.trim() === '') return undefined
    const text = `${found.author.name}: ${Array.from(found.text).slice(0, MAX_SAID_CHARS).join('')}`
    return {
      messageId: ref.id,
      role: 'user',
      author: found.author.id,
      text,
      at: clock(),
      isOverheard: true,
      isLinked: true,
    }
  } catch (error) {
    ctx.log.debug({ err: error }, 'A message that a question links to could not be read')
    return undefined
  }
}

/** Whether all who see the answer may read that channel. */
async function isReadableHere(ctx: MessageContext, there: ConversationRef): Promise<boolean> {
  const { adapter, message, conversation: here, invocation } = ctx
  if (there.workspace !== here.workspace && !here.direct) return false
  if (channelKey(there) === channelKey(here)) return true
  if (there.direct) return false
  if (!(await mayRead(ctx, there, message.author.id))) return false
  const facts = await adapter.describeChannel(there)
  // Discord checks a person's age only when they open the channel itself.
  if (facts === undefined || facts.isAgeRestricted === true) return false
  if (here.direct || invocation?.privateTo === message.author.id) return true
  const ours = await adapter.describeChannel(here)
  return ours !== undefined && facts.isPublic && exposureOf(ours, facts) === undefined
}
