import { conversationOf, type Inbound } from '#bridge/port/message.ts'
import { SUSPECT_DEATHS, type Inbox, type Job } from '#bridge/port/store.ts'
import type { PostgresSql } from '#sql/postgres/sql.ts'
import { BEGUN_ONCE } from '../sqlite/recover.ts'
import { createJobAdmin, createJobQueries, NEXT_DUE, PRUNINGS, SUSPECT_WAIT_MS, toJob } from '../tables/jobs.ts'
import type { Row } from '#sql/sql.ts'
import { type Accepted, createAccept, endsAnswers } from './accept.ts'
import { createDoubt } from './sharing/doubt.ts'
import { IS_DEAD, notifyAs } from './sharing/membership.ts'
import type { PostgresSharing } from './sharing/sharing.ts'
import { createPatientSql, retryWhileAway } from './patient-sql.ts'
import { takeOver } from './take-over.ts'

/** A process that works looks for jobs each second. */
const UNCLAIMED_MS = 1500
/** A chat service sends an event again when it is not acknowledged in a few seconds. */
const ACCEPT_TIMEOUT_MS = 2500
// The oldest due job of each queue in which nothing runs and nothing older waits, in whatever process; in each row, or
// in the only one without a job, when the next one is due.
const CLAIM = `
  WITH candidates AS MATERIALIZED (
    SELECT seq, deaths >= ${SUSPECT_DEATHS} AS suspect FROM job AS candidate
    WHERE state = 'queued' AND due_at <= $1 AND adapter <> ALL ($4)
      AND ($5 OR deaths < ${SUSPECT_DEATHS} OR due_at <= $1 - ${SUSPECT_WAIT_MS}) AND NOT EXISTS (
      SELECT 1 FROM job AS earlier
      WHERE earlier.queue = candidate.queue AND earlier.state IN ('queued', 'running')
        AND (earlier.state = 'running' OR earlier.seq < candidate.seq)
    )
    ORDER BY seq LIMIT $2 FOR UPDATE SKIP LOCKED
  ), lone AS (
    SELECT min(seq) AS seq FROM candidates WHERE suspect AND $5
  ), due AS (
    SELECT candidates.seq FROM candidates, lone WHERE candidates.seq = coalesce(lone.seq, candidates.seq)
  ), begun AS (
    UPDATE job SET state = 'running', attempt = attempt + 1, owner = $3, updated_at = $1
    FROM due WHERE job.seq = due.seq RETURNING job.*
  )
  SELECT begun.*, next.due AS next_due
  FROM (${NEXT_DUE} AND seq NOT IN (SELECT seq FROM due)) AS next LEFT JOIN begun ON true`

/** The jobs that this process runs. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
function createWork(sql: PostgresSql, me: number, sharing: PostgresSharing) {
  const take = createAccept(sql, me)
  /** Jobs that it runs, and those that an acceptance under way may claim for it. */
  const claimed = new Set<string>()
  const doubt = createDoubt(sql, me, claimed, () => sharing.notify())
  let claimedAt = 0
  /** As the last claim found it. */
  let nextDue: { readonly at: number | undefined } | undefined

  /** Other processes need not know of a job that this process takes up itself. */
  function notifyOthers(adapter?: string): void {
    const isAway = adapter !== undefined && sharing.away.has(adapter)
    if (isAway || Date.now() - claimedAt > UNCLAIMED_MS) sharing.notify()
  }

  async function claimNow(now: number, max: number, alone: boolean): Promise<readonly Job[]> {
    await doubt.giveBack()
    if (max <= 0) return []
    claimedAt = Date.now()
    const rows = await sql.all<Row>(CLAIM, now, max, me, [...sharing.away], alone)
    const due = rows[0]?.['next_due']
    nextDue = { at: typeof due === 'number' ? due : undefined }
    const found = rows.filter(({ seq }) => seq !== null).map(toJob)
    const jobs = found.toSorted((one, other) => (one.order ?? 0) - (other.order ?? 0))
    for (const { id } of jobs) claimed.add(id)
    // More than this process may run.
    if (jobs.length === max) sharing.notify()
    return jobs
  }

  function noteAccepted(inbound: Inbound, { outcome, job }: Accepted): void {
    if (outcome === 'duplicate') return
    if (job === undefined) nextDue = undefined
    // A job under way elsewhere may have to end.
    if (endsAnswers(inbound)) sharing.notify()
    else if (job === undefined) notifyOthers(conversationOf(inbound).adapter)
  }

  return {
    async accept(inbound: Inbound, options: Parameters<Inbox['accept']>[1]): Promise<Accepted> {
      const { key } = inbound
      const isElsewhere = claimed.has(key) || sharing.away.has(conversationOf(inbound).adapter)
      const begins = options.begins === true && doubt.isOver() && !isElsewhere
      let accepted: Accepted | undefined
      let isLost = false
      // An attempt that failed may have been carried out: the next one finds a duplicate then.
      const takeOnce = () =>
        take(inbound, { ...options, begins }).catch((error: unknown) => {
          isLost = true
          doubt.begin()
          throw error
        })
      if (begins) claimed.add(key)
      try {
        accepted = await retryWhileAway(takeOnce, ACCEPT_TIMEOUT_MS)
        noteAccepted(inbound, accepted)
        return accepted
      } finally {
        if (begins && accepted?.job === undefined) {
          claimed.delete(key)
          // Until now it was not given back.
          if (isLost) doubt.begin()
        }
      }
    },
    async claim(now: number, max: number, alone: boolean): Promise<readonly Job[]> {
      try {
        return await claimNow(now, max, alone)
      } catch (error) {
        doubt.begin()
        throw error
      }
    },
    async nextDueAt(): Promise<number | undefined> {
      const known = nextDue
      nextDue = undefined
      return known === undefined ? ((await sql.get<{ due: number | null }>(NEXT_DUE))?.due ?? undefined) : known.at
    },
    /** Ends our work on the job; whoever claims it next repeats the steps that could not be written. */
    async settle(id: string, assignments: string, ...values: readonly unknown[]): Promise<void> {
      try {
        const update = `UPDATE job SET owner = NULL, ${assignments} WHERE id = $1 AND owner = $2 AND state = 'running'`
        await retryWhileAway(() => sql.run(update, id, me, ...values))
      } catch (error) {
        doubt.begin()
        throw error
      } finally {
        claimed.delete(id)
      }
      notifyOthers()
    },
    async release(now: number): Promise<void> {
      claimed.clear()
      const requeue = `UPDATE job SET ${BEGUN_ONCE}, owner = NULL, due_at = $2, updated_at = $2`
      await sql.run(`${requeue} WHERE owner = $1 AND state = 'running'`, me, now)
      await sql.run(notifyAs(me))
    },
  }
}

/** Jobs that several processes share: each belongs to the process that claimed it, until it is done or that one dies. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createPostgresInbox(sql: PostgresSql, me: number, sharing: PostgresSharing): Inbox {
  const work = createWork(sql, me, sharing)
  const patient = createPatientSql(sql)

  return {
    ...createJobAdmin(sql),
    ...createJobQueries(patient),
    // Events and jobs ask for it: it waits while the database is away.
    job: createJobAdmin(patient).job,
    claim: (...call) => work.claim(...call),
    nextDueAt: () => work.nextDueAt(),
    release: (now) => work.release(now),
    leave: () => sql.run(`UPDATE process SET leaving = true WHERE number = $1`, me).then(() => undefined),
    async accept(inbound, options) {
      const { outcome, job } = await work.accept(inbound, options)
      return { outcome, stored: Promise.resolve(), job }
    },
    complete: (id, now) => work.settle(id, `state = 'done', reason = NULL, updated_at = $3`, now),
    retry: (id, dueAt, reason, now) =>
      work.settle(id, `state = 'queued', due_at = $3, reason = $4, updated_at = $5`, dueAt, reason, now),
    bury: (id, reason, now) => work.settle(id, `state = 'dead', reason = $3, updated_at = $4`, reason, now),
    async recover(now) {
      const dead = await sql.all<{ number: number }>(`SELECT number FROM process WHERE number <> $1 AND ${IS_DEAD}`, me)
      let jobs = 0
      for (const { number } of dead) jobs += (await takeOver(sql, number, now)) ?? 0
      return jobs
    },
    prune: (before) =>
      sql.transaction(async (inside) => {
        const counts: number[] = []
        for (const statement of PRUNINGS) counts.push(await inside.run(statement, before))
        return counts[0] ?? 0
      }),
  }
}
