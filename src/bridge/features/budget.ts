import type { Command } from '../delivery/job-context.ts'
import { localeOf } from '../texts/failure-sentence.ts'
import { say } from '../delivery/reply.ts'

/** What may be used here, and what is left. */
export const budget: Command = {
  name: 'budget',
  pattern: /^(?:budgets?|kontingente?)$/i,
  async run(ports, doing) {
    const { conversation, author, texts } = doing
    const uses = await ports.budgets.used({ conversation, personId: author.id })
    const { none, owner, amount, use } = texts.budget
    const lines = uses.map((each) => {
      const { most, kind, span } = each.budget
      return use(owner[each.owner], rounded(each.used, author.language), amount(most, kind, span))
    })
    await say(doing, lines.length === 0 ? none : lines.join('\n'))
  },
}

const rounded = (used: number, language: string | undefined): string =>
  new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 1 }).format(used)
