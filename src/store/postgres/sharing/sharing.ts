import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#bridge/port/platform.ts'
import type { SharedEvents, Sharing } from '#bridge/port/store.ts'
import { codeOf, isOutage, PostgresError } from '#sql/postgres/errors.ts'
import type { PostgresSql } from '#sql/postgres/sql.ts'
import { TAKEN_OVER } from '../migrations.ts'
import { retryWhileAway } from '../patient-sql.ts'
import { createLocks } from './locks.ts'
import type { Membership } from './membership.ts'
import { createSignals, type Signals } from './signals.ts'
import { createPacer } from './pacer.ts'

/** Lease, deaths of others and their signals are looked after so often, whatever was notified. */
const BEAT_MS = 1000

export interface PostgresSharing extends Sharing, Pick<Signals, 'notify' | 'scopeChanged'> {
  /** Chat services whose jobs are left to others. */
  readonly away: ReadonlySet<string>
  close(): Promise<void>
}

interface Parts {
  readonly member: Membership
  readonly sql: PostgresSql
  readonly log: Log
  /** Queues the jobs of a dead process again. Resolves with their number; undefined: it is alive, or others did it. */
  readonly takeOver: (process: number) => Promise<number | undefined>
  /** Has the event `notification` when another process says that there is news. */
  readonly notifications: EventTarget
  /** Called when another process changed preferences of this scope, or its channel; empty: of any. */
  readonly forget: (scope: string) => void
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createPostgresSharing({ member, sql, log, takeOver, notifications, forget }: Parts): PostgresSharing {
  let events: SharedEvents | undefined
  let isClosed = false
  let reading: Promise<void> | undefined
  let takingOver: Promise<void> | undefined
  let isAway = false
  const signals = createSignals(member.number, sql, { events: () => events, forget, isAlone: () => member.isAlone() })

  /** A failure is left to the next beat, which reads again. */
  const readSignals = () => {
    if (isClosed) return
    reading ??= signals
      .read()
      .then(() => events?.wake())
      .catch(() => undefined)
      .finally(() => (reading = undefined))
  }
  notifications.addEventListener('notification', readSignals)

  async function beat(): Promise<void> {
    try {
      const dead = await member.beat()
      // Until the bridge is there, only the lease is renewed: a start may take longer than it.
      if (events !== undefined && dead.length > 0) takingOver ??= takeOverAll(dead)
      if (isAway) log.info({}, 'The database answers again')
      isAway = false
      readSignals()
    } catch (error) {
      if (isLoss(error)) return lose(error)
      if (!isAway && !isClosed) report(error)
      isAway = true
    }
  }

  /** In parallel with the beats: our own lease must not run out over it. */
  async function takeOverAll(dead: readonly number[]): Promise<void> {
    try {
      for (const other of dead) {
        const jobs = await takeOver(other)
        if (jobs === undefined) continue
        log.warn({ process: other, jobs }, 'Another process died or stands still: its jobs are taken over')
        events?.wake()
        signals.notify()
      }
    } catch (error) {
      if (!isClosed && !isOutage(error)) report(error)
    } finally {
      takingOver = undefined
    }
  }

  function report(error: unknown): void {
    if (isOutage(error)) log.warn({ err: error }, 'The database is out of reach: work waits for it (DATABASE_URL)')
    else
      log.error(
        { err: error },
        'The state of the processes on this database could not be read; it is read again each second',
      )
  }

  function lose(error: unknown): void {
    if (isClosed || events === undefined) return
    isClosed = true
    events?.lost(error instanceof PostgresError ? error : new PostgresError('conflict', String(error), error))
  }

  async function watch(): Promise<void> {
    for (let turn = 0; !isClosed; turn += 1) {
      await sleep(BEAT_MS, undefined, { ref: false })
      if (!isClosed) await beat()
      if (turn % 60 === 0) await sql.run(`DELETE FROM signal WHERE at < now() - interval '60 s'`).catch(() => undefined)
    }
  }

  const away = new Set<string>()
  void watch()

  return {
    away,
    standBy: (adapter, left) => void (left ? away.add(adapter) : away.delete(adapter)),
    pacer: (name, pace) => createPacer(sql, name, pace),
    processes: () => member.processes(),
    ...createLocks(member),
    ...signals,
    async watch(given) {
      events = given
      await beat()
      member.begin()
    },
    async assertAlive() {
      try {
        await retryWhileAway(() => member.assertAlive())
      } catch (error) {
        if (isLoss(error)) lose(error)
        throw error
      }
    },
    async close() {
      isClosed = true
      signals.close()
      notifications.removeEventListener('notification', readSignals)
      await Promise.all([reading, takingOver])
    },
  }
}

/** The error of a process whose jobs were taken over. */
const isLoss = (error: unknown): boolean =>
  (error instanceof PostgresError && error.code === 'conflict') || codeOf(error) === TAKEN_OVER
