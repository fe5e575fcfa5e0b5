import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { JobContext } from '#bridge/delivery/job-context.ts'
import { showWhole } from '#bridge/delivery/outbox-sender.ts'
import { splitMarkdown } from '#bridge/delivery/split.ts'
import { passagesOf } from '#bridge/answers/reference-cards.ts'
import type { Reference } from '#bridge/port/message.ts'
import type { Store } from '#bridge/port/store.ts'
import { escapeName } from '#bridge/texts/formats.ts'
import { answerOf, type Feature, type Press } from '../feature.ts'

/** Shows the passages of an answer whole, to the person who asks for them alone. */
export const createPassages = ({ store }: { readonly store: Store }): Feature => ({
  buttons: [{ id: ACTION.passages, run: (ctx, press) => showPassages(store, ctx, press) }],
})

/** Name and place as a heading, the passage as a quotation: its own marks stay words. */
function sectionOf({ number, file, place, passage }: Reference): string {
  const where = place === undefined ? '' : `, ${escapeName(place)}`
  const lines = passage.trim().split('\n')
  return [`**[${number}] ${escapeName(file)}**${where}`, ...lines.map((line) => `> ${line}`)].join('\n')
}

async function showPassages(store: Store, ctx: JobContext, press: Press): Promise<void> {
  const { adapter, author, invocation, texts, sender } = ctx
  const answer = await answerOf(store, ctx, press)
  if (answer === undefined) return ctx.whisper(texts.feedback.tooOld)
  const references = passagesOf(answer)
  if (references.length === 0) return ctx.whisper(texts.conversation.noPassages)
  const { textLength, privateTextLength = textLength, measure } = adapter.limits
  const pieces = splitMarkdown(references.map(sectionOf).join('\n\n'), { limit: privateTextLength, measure })
  for (const [index, text] of pieces.entries())
    await showWhole(sender, `passages.${index}`, { ...invocation, kind: 'passages', text, privateTo: author.id })
}
