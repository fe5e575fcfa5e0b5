import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sharing } from '#bridge/port/store.ts'
import { createKeyedMutex } from '#lib/keyed-mutex.ts'
import { retryWhileAway } from '../patient-sql.ts'
import type { Membership } from './membership.ts'

const POLL_MS = 40

/** Name of a lock: 64 bits of a hash. */
const lockName = (kind: string, key: string) =>
  createHash('sha256').update(`${kind}\n${key}`).digest().readBigInt64BE(0).toString()

/** Advisory locks of our session: a process that dies frees them at once. */
export function createLocks(member: Membership): Pick<Sharing, 'mutex' | 'leads'> {
  async function tryTake(name: string): Promise<boolean> {
    const session = await retryWhileAway(() => member.session())
    if (member.isSettling()) return false
    const row = await session.ask<{ yes: boolean }>('SELECT pg_try_advisory_lock($1::bigint) AS yes', name)
    if (row?.yes === true) member.held.add(name)
    return row?.yes ?? false
  }

  async function free(name: string): Promise<void> {
    member.held.delete(name)
    // A session that ended has freed it.
    const unlock = async () => (await member.session()).ask('SELECT pg_advisory_unlock($1::bigint)', name)
    await unlock().catch(() => undefined)
  }

  return {
    mutex(kind) {
      const local = createKeyedMutex()
      return (key, work) =>
        local(key, async () => {
          const name = lockName(kind, key)
          while (!(await retryWhileAway(() => tryTake(name)))) await sleep(POLL_MS * (0.5 + Math.random()))
          try {
            return await work()
          } finally {
            await free(name)
          }
        })
    },
    async leads(role = 'leader') {
      const name = lockName('role', role)
      return member.held.has(name) || tryTake(name)
    },
  }
}
