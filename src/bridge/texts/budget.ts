import type { BudgetKind, BudgetOwner, BudgetSpan } from '../port/records.ts'

/** What is said about how much may be used. */
export interface BudgetTexts {
  readonly help: string
  readonly owner: Readonly<Record<BudgetOwner, string>>
  /** `40 questions an hour`. */
  readonly amount: (most: number, kind: BudgetKind, span: BudgetSpan) => string
  /** A question has to wait. */
  readonly askAt: (owner: string, amount: string, when: string) => string
  /** A file or a recording has to wait. */
  readonly takeAt: (owner: string, amount: string, when: string) => string
  /** The status while the platform's own limit is waited out. */
  readonly waiting: (seconds: number) => string
  readonly tooMuch: (owner: string, amount: string) => string
  readonly none: string
  readonly use: (owner: string, used: string, amount: string) => string
}

const enKind: Readonly<Record<BudgetKind, (most: number) => string>> = {
  questions: (most) => (most === 1 ? 'question' : 'questions'),
  minutes: (most) => (most === 1 ? 'minute of recordings' : 'minutes of recordings'),
  megabytes: () => 'MB of files',
}
const enSpan: Readonly<Record<BudgetSpan, string>> = {
  minute: 'a minute',
  hour: 'an hour',
  day: 'a day',
  month: 'a month',
}

export const budgetEn: BudgetTexts = {
  help: '- `budget`: how much may be used here, and how much is left.',
  owner: {
    person: 'Your budget',
    channel: 'The budget of this channel',
    workspace: 'The budget of everybody here',
  },
  amount: (most, kind, span) => `${most} ${enKind[kind](most)} ${enSpan[span]}`,
  askAt: (owner, amount, when) => `${owner} of ${amount} is used up. You can ask again at ${when}.`,
  takeAt: (owner, amount, when) => `${owner} of ${amount} is used up. There is room again at ${when}.`,
  waiting: (seconds) => `is waiting for its turn, about ${seconds} s…`,
  tooMuch: (owner, amount) => `It is more than all of ${owner.toLowerCase()}, which is ${amount}.`,
  none: 'There is no budget here: ask as much as you like.',
  use: (owner, used, amount) => `- ${owner}: ${used} of ${amount} used.`,
}

const deKind: Readonly<Record<BudgetKind, (most: number) => string>> = {
  questions: (most) => (most === 1 ? 'Frage' : 'Fragen'),
  minutes: (most) => (most === 1 ? 'Minute Aufnahme' : 'Minuten Aufnahmen'),
  megabytes: () => 'MB Dateien',
}
const deSpan: Readonly<Record<BudgetSpan, string>> = {
  minute: 'in der Minute',
  hour: 'in der Stunde',
  day: 'am Tag',
  month: 'im Monat',
}

export const budgetDe: BudgetTexts = {
  help: '- `budget`: wie viel hier genutzt werden darf und wie viel noch übrig ist.',
  owner: {
    person: 'Dein Kontingent',
    channel: 'Das Kontingent dieses Kanals',
    workspace: 'Das gemeinsame Kontingent',
  },
  amount: (most, kind, span) => `${most} ${deKind[kind](most)} ${deSpan[span]}`,
  askAt: (owner, amount, when) =>
    `${owner} von ${amount} ist aufgebraucht. Ab ${when} kannst du wieder fragen.`,
  takeAt: (owner, amount, when) => `${owner} von ${amount} ist aufgebraucht. Ab ${when} ist wieder Platz.`,
  waiting: (seconds) => `wartet, bis Platz ist, etwa ${seconds} s …`,
  tooMuch: (owner, amount) => `Das ist mehr als das ganze Kontingent (${owner}: ${amount}).`,
  none: 'Hier gibt es kein Kontingent: frag, so viel du magst.',
  use: (owner, used, amount) => `- ${owner}: ${used} von ${amount} genutzt.`,
}
