import type { Doing, JobPorts } from '../delivery/job-context.ts'
import type { LedgerEntry } from '../port/store.ts'
import { again, drive, inHand } from './resume.ts'
import { stands } from './file-records.ts'

/**
 * Uploads everything that stood in a lost collection again, from what was kept or from the chat service. Begun again after a
 * restart, it goes on where it was. Resolves with what became of each file.
 */
export async function rebuild(
  ports: JobPorts,
  run: Pick<Doing, 'jobId' | 'adapter' | 'log' | 'signal'>,
  collection: string,
  onProgress: (done: number, total: number) => void,
): Promise<readonly LedgerEntry[]> {
  const { store, channels, watch, clock } = ports
  // First in hand, then made: a restart in between finds it lost still, or the work begun.
  const isGone = (await watch.look(collection, run.signal)) === 'gone'
  for (const entry of await store.ledger.ofCollection(collection)) {
    const isDone = entry.drivenBy === run.jobId
    if (stands(entry) && !isDone) await store.ledger.put(again(entry, run.jobId, { updatedAt: clock() }))
  }
  if (isGone) await channels.made(collection, undefined)
  await channels.ensure(collection, run.signal)
  const total = (await inHand(ports, run.jobId, collection)).length
  let done = 0
  onProgress(done, total)
  const ended = await drive(ports, run, collection, () => {
    done += 1
    onProgress(done, total)
  })
  // Last: until all is up again, questions say what is the matter.
  await watch.accept(collection, run.signal)
  return ended
}
