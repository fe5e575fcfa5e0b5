import { PlatformError } from './errors.ts'
import type { Management, ManagementCall } from './management.ts'

/** `done`: over. `accepted`: perhaps running, nobody knows. `running`: another pass was under way. */
export type IndexTrigger = 'done' | 'accepted' | 'running'

/** A gateway gave up waiting, or lost the connection behind it, while the job may go on (interface, "Errors"). */
const lostBehindGateway = new Set([502, 504])

function judge(error: unknown): IndexTrigger {
  if (!(error instanceof PlatformError) || error.code === 'aborted') throw error
  if (error.code === 'conflict' || error.code === 'locked') return 'running'
  if (error.status !== undefined) {
    if (lostBehindGateway.has(error.status)) return 'accepted'
    throw error
  }
  if (error.code === 'timeout' || (error.code === 'unreachable' && error.maybeDone)) return 'accepted'
  throw error
}

/** Sends the trigger once. Never sent again after it may have arrived: two passes over one collection collide. */
export async function triggerIndex(management: Management, call: ManagementCall): Promise<IndexTrigger> {
  try {
    const reply = await management.send(call)
    // Its status is the answer; a body that breaks off changes nothing.
    reply.relax()
    reply.discard()
    return reply.status === 202 ? 'accepted' : 'done'
  } catch (error) {
    return judge(error)
  }
}
