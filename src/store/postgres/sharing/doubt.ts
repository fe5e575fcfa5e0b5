import type { PostgresSql } from '#sql/postgres/sql.ts'

/** The server may carry out a statement a moment after its connection broke off. */
const DOUBT_MS = 5000

// Claimed by a statement whose answer was lost, or finished by one that failed: no process works on it.
const RELEASE = `
  UPDATE job SET state = 'queued', owner = NULL WHERE owner = $1 AND state = 'running' AND NOT (id = ANY ($2))`

/** Jobs of which this process does not know that they are its own. */
export interface Doubt {
  /** A statement whose answer was lost may have claimed a job, or not have ended one, that no process works on. */
  begin(): void
  isOver(): boolean
  /** Queues such jobs again, where there may be any. Not while a claim is under way. */
  giveBack(): Promise<void>
}

/** @param claimed the jobs that it knows of */
export function createDoubt(sql: PostgresSql, me: number, claimed: ReadonlySet<string>, onRelease: () => void): Doubt {
  let until = 0
  /** Until jobs were given back after the time in which the statement may be carried out. */
  let isOn = false
  let givingBack = 0
  return {
    begin() {
      until = Date.now() + DOUBT_MS
      isOn = true
    },
    /** A job that is claimed while others are given back could be given back with them. */
    isOver: () => givingBack === 0 && !isOn,
    async giveBack() {
      if (!isOn) return
      givingBack += 1
      const isLast = Date.now() >= until
      const released = await sql.run(RELEASE, me, [...claimed]).finally(() => (givingBack -= 1))
      if (released > 0) onRelease()
      // A further answer may have been lost meanwhile.
      if (isLast && Date.now() >= until) isOn = false
    },
  }
}
