import type { OverBudget } from './budgets.ts'
import { clockTime } from '../texts/failure-sentence.ts'
import type { Texts } from '../texts/texts.ts'

/** Nothing went wrong: the message is the sentence for people. */
export class OverBudgetError extends Error {
  override readonly name = 'OverBudgetError'
}

/** Why it has to wait, and until when. `what`: a question is asked again, a file or a recording comes again. */
export function overBudgetSentence(
  { owner, budget, freeAt }: OverBudget,
  what: 'ask' | 'take',
  texts: Texts,
  language: string | undefined,
): string {
  const { amount, owner: owners, askAt, takeAt, tooMuch } = texts.budget
  const { most, kind, span } = budget
  const said = amount(most, kind, span)
  if (freeAt === undefined) return tooMuch(owners[owner], said)
  return (what === 'ask' ? askAt : takeAt)(owners[owner], said, clockTime(freeAt, language))
}
