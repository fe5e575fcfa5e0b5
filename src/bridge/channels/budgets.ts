import { createKeyedMutex, type KeyedMutex } from '#lib/keyed-mutex.ts'
import { channelKey } from '../port/keys.ts'
import type { ConversationRef } from '../port/message.ts'
import type { Clock } from '../port/platform.ts'
import type { BudgetKind, BudgetOwner, BudgetSpan, Usage } from '../port/records.ts'
import { type TimeReader, whenAgain } from '../texts/formats.ts'
import type { Texts } from '../texts/texts.ts'
import { personScope } from './settings.ts'

/** The most usage of one kind in a sliding window of this length. */
export interface Budget {
  readonly kind: BudgetKind
  readonly most: number
  readonly span: BudgetSpan
}

export type BudgetRules = Readonly<Partial<Record<BudgetOwner, readonly Budget[]>>>

type Concerned = readonly { readonly owner: BudgetOwner; readonly budget: Budget }[]

/** A program is answered once a minute, in all channels together. */
const PROGRAM_PACE: Concerned = [{ owner: 'person', budget: { kind: 'questions', most: 1, span: 'minute' } }]

const SPAN_MS: Readonly<Record<BudgetSpan, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  month: 30 * 86_400_000,
}

/** The budget that is used up. */
export interface OverBudget {
  readonly owner: BudgetOwner
  readonly budget: Budget
  /** When there is room again, milliseconds since the epoch; undefined: never, since it exceeds the whole budget. */
  readonly freeAt?: number
}

export interface BudgetUse {
  readonly owner: BudgetOwner
  readonly budget: Budget
  readonly used: number
  /** When the oldest of it is free again, milliseconds since the epoch; undefined: nothing is used. */
  readonly resetsAt?: number
}

export interface BudgetUser {
  readonly conversation: ConversationRef
  readonly personId: string
}

/** Limits of people, channels and workspaces, in addition to the platform's own. Windows slide. */
export interface Budgets {
  /**
   * `chargeId` names the charged work, for example a job: counts the usage once for each `chargeId` and kind, or
   * returns the budget that it exceeds.
   */
  charge(who: BudgetUser, chargeId: string, kind: BudgetKind, amount: number): Promise<OverBudget | undefined>
  /** The same for one answer to a program, whose pace is in addition to its budgets. */
  chargeProgram(who: BudgetUser, chargeId: string): Promise<OverBudget | undefined>
  /** Counts usage known only afterwards, even over the budget. Once for each `chargeId` and kind. */
  chargeLater(who: BudgetUser, chargeId: string, kind: BudgetKind, amount: number): Promise<void>
  /** Every budget that applies to this person here, and how much of it is used. */
  used(who: BudgetUser): Promise<readonly BudgetUse[]>
}

const OWNERS: readonly BudgetOwner[] = ['person', 'channel', 'workspace']

function subjectOf(owner: BudgetOwner, { conversation, personId }: BudgetUser): string {
  const { adapter, workspace } = conversation
  // A person has one budget across all channels and direct conversations of the chat service.
  if (owner === 'person') return personScope(conversation, personId)
  return owner === 'channel' ? `channel:${channelKey(conversation)}` : `workspace:${adapter}:${workspace}`
}

/** @param lock makes check and count one step, so that concurrent questions see each other's usage */
export function createBudgets(
  usage: Usage,
  rules: BudgetRules,
  clock: Clock,
  onOver: (kind: BudgetKind) => void = () => undefined,
  lock: KeyedMutex = createKeyedMutex(),
): Budgets {
  const all = OWNERS.flatMap((owner) => (rules[owner] ?? []).map((budget) => ({ owner, budget })))
  // In a direct conversation only the person's own budget applies.
  const concerning = ({ conversation }: BudgetUser) =>
    all.filter(({ owner }) => owner === 'person' || !conversation.direct)

  async function usesOf(who: BudgetUser, owner: BudgetOwner, { kind, span }: Budget) {
    return usage.since(subjectOf(owner, who), kind, clock() - SPAN_MS[span])
  }

  const of = (who: BudgetUser, kind: BudgetKind) => concerning(who).filter(({ budget }) => budget.kind === kind)

  async function count(concerned: Concerned, who: BudgetUser, chargeId: string, kind: BudgetKind, amount: number) {
    for (const owner of new Set(concerned.map((each) => each.owner))) {
      await usage.add({ jobId: chargeId, subject: subjectOf(owner, who), kind, amount, at: clock() })
    }
  }

  async function chargeAll(concerned: Concerned, who: BudgetUser, chargeId: string, kind: BudgetKind, amount: number) {
    if (concerned.length === 0) return undefined
    // Always locked in the order person, channel, workspace: two charges never wait for each other.
    const subjects = new Set(concerned.map(({ owner }) => subjectOf(owner, who)))
    return inAll(lock, [...subjects], async (): Promise<OverBudget | undefined> => {
      for (const { owner, budget } of concerned) {
        const uses = (await usesOf(who, owner, budget)).filter((use) => use.jobId !== chargeId)
        const freeAt = freeFrom(uses, budget, amount)
        if (freeAt !== 'now') return { owner, budget, freeAt: freeAt === 'never' ? undefined : freeAt }
      }
      await count(concerned, who, chargeId, kind, amount)
      return undefined
    })
  }

  return {
    async charge(who, chargeId, kind, amount) {
      const over = await chargeAll(of(who, kind), who, chargeId, kind, amount)
      if (over !== undefined) onOver(kind)
      return over
    },
    chargeProgram: (who, chargeId) => chargeAll(PROGRAM_PACE, who, chargeId, 'questions', 1),
    chargeLater: (who, chargeId, kind, amount) => count(of(who, kind), who, `${chargeId}+`, kind, amount),
    async used(who) {
      return Promise.all(
        concerning(who).map(async ({ owner, budget }) => {
          const uses = await usesOf(who, owner, budget)
          const [oldest] = uses
          const resetsAt = oldest && oldest.at + SPAN_MS[budget.span]
          return { owner, budget, used: uses.reduce((sum, use) => sum + use.amount, 0), resetsAt }
        }),
      )
    },
  }
}

/** Runs `work` in the locks of all keys, taken one after another. */
const inAll = <Result>(
  lock: KeyedMutex,
  [key, ...others]: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> => (key === undefined ? work() : lock(key, () => inAll(lock, others, work)))

/** When `amount` fits again: the oldest usage leaves the window first. */
function freeFrom(
  uses: readonly { readonly amount: number; readonly at: number }[],
  { most, span }: Budget,
  amount: number,
): 'now' | 'never' | number {
  if (amount > most) return 'never'
  let used = uses.reduce((sum, use) => sum + use.amount, 0)
  if (used + amount <= most) return 'now'
  for (const use of uses) {
    used -= use.amount
    if (used + amount <= most) return use.at + SPAN_MS[span]
  }
  return 'never'
}

/** A budget is used up. `message` is the sentence for people. */
export class OverBudgetError extends Error {
  override readonly name = 'OverBudgetError'
}

/** Says which budget is used up, and until when. `what`: `ask` for a question, `take` for a file or recording. */
export function overBudgetSentence(
  { owner, budget, freeAt }: OverBudget,
  what: 'ask' | 'take',
  texts: Texts,
  reader: TimeReader,
): string {
  const { amount, owner: owners, askAt, takeAt, tooMuch } = texts.usage
  const { most, kind, span } = budget
  const said = amount(most, kind, span)
  if (freeAt === undefined) return tooMuch(owners[owner], said)
  return (what === 'ask' ? askAt : takeAt)(owners[owner], said, whenAgain(freeAt, reader))
}
