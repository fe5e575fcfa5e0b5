import type { Adapter } from '../../port/adapter.ts'
import type { JobPorts } from '../../delivery/job-context.ts'
import type { AnswerRecord } from '../../port/records.ts'
import { ASK_SLOT, loadState, saveState } from './state.ts'

/** The question was taken back: nobody is asked any more, and what asked, which quotes it, goes. What was filed stays. */
export async function endAsking(
  { store, clock }: Pick<JobPorts, 'store' | 'clock'>,
  adapter: Adapter,
  { id, channel }: Pick<AnswerRecord, 'id' | 'channel'>,
): Promise<void> {
  const state = await loadState(store, id)
  if (state === undefined) return
  for (const { slot, ref, sendId } of await store.outbox.ofJob(state.jobId)) {
    if (slot !== ASK_SLOT) continue
    if (ref !== undefined) {
      await adapter.remove?.(ref)
      await store.history.remove(channel, ref.id)
    }
    await store.outbox.drop(sendId)
  }
  if (state.end === undefined) await saveState(store, { ...state, replies: [], end: 'dismissed' }, clock())
}
