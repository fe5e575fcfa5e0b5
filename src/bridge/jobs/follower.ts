import type { Store } from '../port/store.ts'

/** Who speaks in a conversation where no mention is needed: somebody who asked us there, or who did not. */
export type Follower = 'asker' | 'bystander'

/**
 * Undefined: nothing was asked in this lane.
 *
 * @param from.inbox also what waits for its answer counts. Left out by the job itself, which would find itself there.
 */
export async function followerIn(
  { transcripts, inbox }: Pick<Store, 'transcripts'> & Partial<Pick<Store, 'inbox'>>,
  lane: string,
  author: string,
): Promise<Follower | undefined> {
  if ((await transcripts.asked(lane, author)) || (await inbox?.hasOpen(lane, author)) === true) return 'asker'
  return (await transcripts.has(lane)) || (await inbox?.hasOpen(lane)) === true ? 'bystander' : undefined
}
