import type { BudgetKind, BudgetSpan } from '../port/records.ts'

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

/** Sentences about budgets. */
export const usageEn = {
  help: '- `budget` shows how much you may use here, and how much is left.',
  owner: { person: 'Your budget', channel: 'The budget of this channel', workspace: 'The budget of everybody here' },
  /** `40 questions an hour`. */
  amount: (most: number, kind: BudgetKind, span: BudgetSpan): string => `${most} ${enKind[kind](most)} ${enSpan[span]}`,
  /** A question has to wait. */
  askAt: (owner: string, amount: string, when: string): string =>
    `${owner} (${amount}) is used up. You can ask again ${when}.`,
  /** A file or a recording has to wait. */
  takeAt: (owner: string, amount: string, when: string): string =>
    `${owner} (${amount}) is used up. There is room again ${when}.`,
  /** The status while the platform's own limit is waited out. */
  waiting: (seconds: number): string => `is waiting for its turn, about ${seconds} s…`,
  tooMuch: (owner: string, amount: string): string =>
    `That is more than ${owner.toLowerCase()} ever allows: ${amount}.`,
  none: 'There is no budget here: ask as much as you like.',
  use: (owner: string, used: string, amount: string): string => `- ${owner}: ${used} of ${amount} used.`,
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

export const usageDe: typeof usageEn = {
  help: '- `kontingent` zeigt, wie viel du hier nutzen darfst und wie viel noch übrig ist.',
  owner: { person: 'Dein Kontingent', channel: 'Das Kontingent dieses Kanals', workspace: 'Das gemeinsame Kontingent' },
  amount: (most, kind, span) => `${most} ${deKind[kind](most)} ${deSpan[span]}`,
  askAt: (owner, amount, when) => `${owner} (${amount}) ist aufgebraucht. Du kannst ${when} wieder fragen.`,
  takeAt: (owner, amount, when) => `${owner} (${amount}) ist aufgebraucht. Es ist ${when} wieder Platz.`,
  waiting: (seconds) => `wartet, bis Platz ist, etwa ${seconds} s …`,
  tooMuch: (owner, amount) => `Das ist mehr als das ganze Kontingent (${owner}: ${amount}).`,
  none: 'Hier gibt es kein Kontingent: frag, so viel du magst.',
  use: (owner, used, amount) => `- ${owner}: ${used} von ${amount} genutzt.`,
}
