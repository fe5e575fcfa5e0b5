import { command } from '#lexicon/command.ts'
import { administers } from '#bridge/channels/permissions.ts'
import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { JobContext } from '#bridge/delivery/job-context.ts'
import { channelKey } from '#bridge/port/keys.ts'
import type { Clock } from '#bridge/port/platform.ts'
import type { AnswerRecord } from '#bridge/port/records.ts'
import type { Store } from '#bridge/port/store.ts'
import { dayOf, oneLine, withoutMarkup } from '#bridge/texts/formats.ts'
import { endWait } from '../escalation/replies.ts'
import { loadEscalation } from '../escalation/escalation.ts'
import { answerOf, type Feature, type Press } from '../feature.ts'

interface Services {
  readonly admins: ReadonlySet<string>
  readonly store: Pick<Store, 'answers' | 'buttonPayloads'>
  readonly clock: Clock
}

const MAX_LISTED = 8
const MAX_SEARCHED = 100
/** Questions and names are shortened as little as it takes to fit one message. */
const ROOM = [100, 60, 30] as const

/** The questions of this channel that its files did not answer, newest first, with buttons that close them. */
export const createUnanswered = (services: Services): Feature => ({
  commands: [{ name: 'gaps', pattern: command('gaps'), run: (ctx) => list(services, ctx) }],
  buttons: [{ id: ACTION.closeUnanswered, run: (ctx, press) => close(services, ctx, press) }],
})

async function list({ store, clock }: Services, ctx: JobContext): Promise<void> {
  const { adapter, conversation, texts } = ctx
  const all = await store.answers.unanswered(channelKey(conversation), MAX_SEARCHED)
  const open = all.filter(({ isPrivate, asker }) => isPrivate !== true || asker === ctx.author.id)
  if (open.length === 0) return ctx.reply(texts.escalation.noGaps)
  const shown = open.slice(0, MAX_LISTED)
  const links = await Promise.all(
    shown.map(async (answer) => adapter.permalink({ conversation: answer.conversation, id: answer.questionMessage })),
  )
  let text = ''
  for (const room of ROOM) {
    const lines = shown.map(
      (answer, index) => `${index + 1}. ${toLine(ctx, answer, { now: clock(), link: links[index], room })}`,
    )
    text = texts.escalation.gaps(lines, open.length - shown.length)
    if (adapter.limits.measure(text) <= adapter.limits.textLength) break
  }
  await ctx.reply(text, {
    actions: shown.map(({ id }, index) => ({
      id: ACTION.closeUnanswered,
      label: texts.escalation.gapClose(index + 1),
      value: id,
    })),
  })
}

/** Marks the question as needing no answer. */
async function close(services: Services, ctx: JobContext, press: Press): Promise<void> {
  const { store, clock } = services
  const { author, conversation, texts } = ctx
  const answer = await answerOf(store, ctx, press)
  if (answer === undefined) return ctx.whisper(texts.feedback.tooOld)
  const may = answer.asker === author.id || (await administers(services, ctx, conversation, author.id))
  if (!may) return ctx.whisper(texts.escalation.gapNotYours)
  if (answer.closedAt === undefined) await store.answers.put({ ...answer, closedAt: clock() })
  await endWait(ctx, await loadEscalation(store, answer.id), answer)
  return ctx.whisper(texts.escalation.gapClosed(plainLine(answer.question)))
}

function toLine(
  { texts, author }: JobContext,
  answer: AnswerRecord,
  { now, link, room }: { readonly now: number; readonly link: string | undefined; readonly room: number },
): string {
  const day = dayOf(new Date(answer.at).toISOString(), author, now)
  return texts.escalation.gap(
    plainLine(answer.question, room),
    plainLine(answer.askerName ?? answer.asker, room),
    day,
    link,
  )
}

/** A person's text in our list: one line, without markup. */
const plainLine = (text: string, length = 100) => oneLine(withoutMarkup(text, ' '), length)
