import { command } from '#lexicon/command.ts'
import type { Budgets } from '#bridge/channels/budgets.ts'
import { localeOf } from '#bridge/texts/formats.ts'
import type { Feature } from '../feature.ts'

/** Lists the budgets that apply here, and how much of each is left. */
export const createBudgetCommand = ({ budgets }: { readonly budgets: Budgets }): Feature => ({
  commands: [
    {
      name: 'budget',
      pattern: command('budget'),
      async run(ctx) {
        const { conversation, author, texts } = ctx
        const uses = await budgets.used({ conversation, personId: author.id })
        const { none, owner, amount, use } = texts.usage
        const lines = uses.map((each) => {
          const { most, kind, span } = each.budget
          return use(owner[each.owner], rounded(each.used, author.language), amount(most, kind, span))
        })
        await ctx.reply(lines.length === 0 ? none : lines.join('\n'))
      },
    },
  ],
})

const rounded = (used: number, language: string | undefined): string =>
  new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 1 }).format(used)
