import { takeTurn } from '../../lib/keyed-mutex.ts'
import type { JobPorts } from '../delivery/job-context.ts'
import type { FileRecord } from '../port/records.ts'

/**
 * Nobody else is at work on a file of this name meanwhile, nor on one of the same bytes: who is just bringing one in comes to
 * the end of it first, and who comes later finds what this leaves.
 *
 * @param work is given the entry as it is then.
 */
export async function alone<Result>(
  { fileTurns, store }: Pick<JobPorts, 'fileTurns' | 'store'>,
  signal: AbortSignal,
  { id, collection, fileName }: FileRecord,
  work: (now: FileRecord) => Promise<Result>,
): Promise<Result | undefined> {
  return takeTurn(fileTurns, `${collection}/${fileName}`, signal, async () => {
    const now = await store.files.get(id)
    if (now === undefined) return undefined
    if (now.sha256 === undefined) return work(now)
    // Always name before bytes, so that none waits for the other.
    return takeTurn(fileTurns, `${collection}#${now.sha256}`, signal, () => work(now))
  })
}
