import type { Store } from '../port/store.ts'

/** Who speaks in a conversation where no mention is needed: somebody who asked us there, or who did not. */
export type Follower = 'asker' | 'bystander'

/**
 * Undefined: nothing was asked in this queue.
 *
 * @param from.inbox also what waits for its answer counts. Left out by the job itself, which would find itself there.
 */
export async function followerIn(
  { history, inbox }: Pick<Store, 'history'> & Partial<Pick<Store, 'inbox'>>,
  queue: string,
  author: string,
): Promise<Follower | undefined> {
  if ((await history.asked(queue, author)) || (await inbox?.hasOpen(queue, author)) === true) return 'asker'
  return (await history.has(queue)) || (await inbox?.hasOpen(queue)) === true ? 'bystander' : undefined
}
