import { channelKey } from '../port/keys.ts'
import type { ConversationRef } from '../port/message.ts'
import type { Clock } from '../port/platform.ts'
import type { Sharing, Store } from '../port/store.ts'
import type { Budgets, BudgetUser } from './budgets.ts'

/** How often programs are answered: two of them must not talk to each other for ever. */
export interface ProgramPace {
  /** Counts one answer; false: it would come too soon. A repeated job is counted once. */
  mayAnswer(program: BudgetUser, jobId: string): Promise<boolean>
  /** Ends the pauses in a channel: a person reads along. */
  personWrote(conversation: ConversationRef): Promise<void>
}

/** Answers to one program in a channel, without a message of a person in between. */
interface InARow {
  readonly answers: number
  /** Time of the last one, milliseconds since the epoch. */
  readonly at: number
  readonly jobId: string
}

const MINUTE_MS = 60_000
/** Answers in a row after which the pause grows. */
const MANY = 5
/** Less than an hour: a program that asks each hour is always answered. */
const MAX_PAUSE_MS = 32 * MINUTE_MS
/** Answers that are further apart are in no row. */
const MAX_GAP_MS = 60 * MINUTE_MS
const NAME = 'programs-in-a-row'

/** Before the next answer. The first minutes are those of `chargeProgram`, in all channels together. */
const pauseAfter = ({ answers }: InARow) =>
  answers < MANY ? 0 : Math.min(MINUTE_MS * 2 ** (answers - MANY + 1), MAX_PAUSE_MS)

export function createProgramPace({
  store: { preferences, sharing },
  budgets,
  clock,
}: {
  readonly store: Pick<Store, 'preferences'> & { readonly sharing: Pick<Sharing, 'mutex'> }
  readonly budgets: Pick<Budgets, 'chargeProgram'>
  readonly clock: Clock
}): ProgramPace {
  // A row is read, checked and written as a whole.
  const lock = sharing.mutex('programs')
  const load = async (channel: string): Promise<Readonly<Record<string, InARow>>> =>
    JSON.parse((await preferences.get(channel, NAME)) ?? '{}') as Record<string, InARow>
  return {
    mayAnswer(program, jobId) {
      const channel = channelKey(program.conversation)
      return lock(channel, async () => {
        const now = clock()
        const rows = Object.entries(await load(channel)).filter(([, { at }]) => now - at < MAX_GAP_MS)
        const before = rows.find(([id]) => id === program.personId)?.[1]
        if (before !== undefined && before.jobId !== jobId && now - before.at < pauseAfter(before)) return false
        if ((await budgets.chargeProgram(program, jobId)) !== undefined) return false
        if (before?.jobId === jobId) return true
        const row: InARow = { answers: (before?.answers ?? 0) + 1, at: now, jobId }
        await preferences.set(channel, NAME, JSON.stringify({ ...Object.fromEntries(rows), [program.personId]: row }))
        return true
      })
    },
    async personWrote(conversation) {
      const channel = channelKey(conversation)
      // Most channels have no such row, which the process knows after its first read.
      if ((await preferences.get(channel, NAME)) === undefined) return
      await lock(channel, () => preferences.set(channel, NAME, undefined))
    },
  }
}
