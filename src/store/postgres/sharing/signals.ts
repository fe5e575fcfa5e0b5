import type { ConversationRef } from '#bridge/port/message.ts'
import type { EndingEvent, Job, JobEnd, SharedEvents, Sharing } from '#bridge/port/store.ts'
import type { PostgresSql } from '#sql/postgres/sql.ts'
import { retryWhileAway } from '../patient-sql.ts'
import { notifyAs } from './membership.ts'

/** One NOTIFY says that there is news, however much; all processes take turns for it. */
const NOTIFY_MS = 25
/** A row that was committed late has an older number: so far back is read again. */
const SIGNALS = `
  SELECT id, before_seq, body FROM signal
  WHERE at > now() - interval '10 s' AND sender IS DISTINCT FROM $1 ORDER BY id`
const MAX_SEEN = 10_000
const REPEATED_MS = 5000

/** Contents of `signal.body`. */
export type Signal =
  | { readonly ends: EndingEvent }
  | { readonly job: string; readonly reason?: JobEnd }
  | { readonly changed: ConversationRef }
  /** Preferences of this scope, or its channel; empty: of all. */
  | { readonly chosen: string }
  | { readonly source: readonly [collection: string, fileName: string] }

/** Signals to and from the other processes. NOTIFY only wakes: a table has them, which is read each second, too. */
export interface Signals extends Pick<Sharing, 'begun' | 'endJob' | 'channelChanged' | 'sourceChanged'> {
  /** Wakes the other processes, soon: there is news. */
  notify(): void
  /** Reads the signals of the others. */
  read(): Promise<void>
  /** Preferences of this scope, or its channel, were changed; empty: of any. */
  scopeChanged(scope: string): Promise<void>
  close(): void
}

const isFor = ({ id, order = 0 }: Job, signal: Signal, beforeSeq: number): boolean =>
  'ends' in signal ? order < beforeSeq : 'job' in signal && signal.job === id

/** @param forget called when another process changed preferences of this scope, or its channel; empty: of any */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createSignals(
  me: number,
  sql: PostgresSql,
  {
    events,
    forget,
    isAlone,
  }: {
    readonly events: () => SharedEvents | undefined
    readonly forget: (scope: string) => void
    readonly isAlone: () => boolean
  },
): Signals {
  const seen = new Set<number>()
  const recent: { readonly at: number; readonly beforeSeq: number; readonly signal: Signal }[] = []
  let notifying: NodeJS.Timeout | undefined

  const deliver = (signal: Signal, beforeSeq: number) => {
    if ('chosen' in signal) forget(signal.chosen)
    else if ('source' in signal) events()?.sourceChanged(...signal.source)
    else if ('ends' in signal) events()?.ends(signal.ends, beforeSeq)
    else if ('job' in signal) events()?.endsJob(signal.job, signal.reason ?? 'changed')
    else events()?.channelChanged(signal.changed)
  }

  const notify = () => {
    notifying ??= setTimeout(() => {
      notifying = undefined
      void sql.run(notifyAs(me)).catch(() => undefined)
    }, NOTIFY_MS)
  }

  async function send(signal: Signal): Promise<void> {
    const insert = `INSERT INTO signal (sender, before_seq, body) VALUES ($1, 0, $2)`
    await retryWhileAway(() => sql.run(insert, me, JSON.stringify(signal)))
    notify()
  }

  return {
    notify,
    async read() {
      const rows = await sql.all<{ id: number; before_seq: number; body: string }>(SIGNALS, me)
      for (const { id, before_seq: beforeSeq, body } of rows) {
        if (seen.has(id)) continue
        seen.add(id)
        const signal = JSON.parse(body) as Signal
        recent.push({ at: Date.now(), beforeSeq, signal })
        deliver(signal, beforeSeq)
      }
      while (recent.length > 0 && (recent[0]?.at ?? 0) < Date.now() - REPEATED_MS) recent.shift()
      if (seen.size > MAX_SEEN) for (const id of [...seen].slice(0, MAX_SEEN / 2)) seen.delete(id)
    },
    endJob: (job, reason) => send({ job, reason }),
    channelChanged: (changed) => send({ changed }),
    async sourceChanged(...source) {
      if (!isAlone()) await send({ source })
    },
    async scopeChanged(scope) {
      if (!isAlone()) await send({ chosen: scope })
    },
    begun(job) {
      const since = Date.now() - REPEATED_MS
      for (const { at, beforeSeq, signal } of recent)
        if (at > since && isFor(job, signal, beforeSeq)) deliver(signal, beforeSeq)
    },
    close: () => clearTimeout(notifying),
  }
}
