import { administers } from '../channels/permissions.ts'
import { ACTION } from '../delivery/button-ids.ts'
import type { Button, Command, CommandDoing, JobPorts } from '../delivery/job-context.ts'
import { say } from '../delivery/reply.ts'
import type { AnswerRecord } from '../port/records.ts'
import { channelKey } from '../port/message.ts'
import { dayOf } from '../texts/dates.ts'
import { oneLine } from '../texts/names.ts'
import { answerHere } from './guards.ts'

const MOST = 8
const LOOKED_FOR = 100
/** Questions and names are shortened as little as it takes to fit one message. */
const ROOM = [100, 60, 30] as const

/** The questions of this channel that its files did not answer, newest first. */
export const gaps: Command = {
  name: 'gaps',
  pattern: /^(?:gaps|lücken|offene fragen)$/i,
  async run({ store, clock }, doing) {
    const { adapter, conversation, texts } = doing
    const open = await store.answers.unanswered(channelKey(conversation), LOOKED_FOR)
    if (open.length === 0) return say(doing, texts.honest.noGaps)
    const shown = open.slice(0, MOST)
    const links = await Promise.all(
      shown.map(async (gap) =>
        adapter.permalink?.({ conversation: gap.conversation, id: gap.questionMessage }),
      ),
    )
    let text = ''
    for (const room of ROOM) {
      const lines = shown.map(
        (gap, index) => `${index + 1}. ${toLine(doing, gap, { now: clock(), link: links[index], room })}`,
      )
      text = texts.honest.gaps(lines, open.length - shown.length)
      if (adapter.limits.measure(text) <= adapter.limits.textLength) break
    }
    return say(doing, text, {
      actions: shown.map(({ id }, index) => ({
        id: ACTION.closeGap,
        label: texts.honest.gapClose(index + 1),
        value: id,
      })),
    })
  },
}

function toLine(
  { texts, author }: CommandDoing,
  gap: AnswerRecord,
  { now, link, room }: { readonly now: number; readonly link: string | undefined; readonly room: number },
): string {
  const day = dayOf(new Date(gap.at).toISOString(), author.language, now)
  return texts.honest.gap(bare(gap.question, room), bare(gap.askerName ?? gap.asker, room), day, link)
}

/** What anybody wrote, inside a list of ours: one line, and nothing in it becomes markup. */
const bare = (text: string, length = 100) => oneLine(text.replaceAll(/[\\`*_[\]<>~|#@]/g, ' '), length)

/** Closes one: it needs no answer any more. */
export const closeGap: Button = {
  id: ACTION.closeGap,
  async run(ports: JobPorts, doing) {
    const { store, clock } = ports
    const { author, conversation, texts } = doing
    const whisper = (text: string) => say(doing, text, { privateTo: author.id })
    const gap = await answerHere(ports, doing)
    if (gap === undefined) return whisper(texts.feedback.tooOld)
    const may = gap.asker === author.id || (await administers(ports, doing, conversation, author.id))
    if (!may) return whisper(texts.honest.gapNotYours)
    if (gap.closedAt === undefined) await store.answers.put({ ...gap, closedAt: clock() })
    return whisper(texts.honest.gapClosed(bare(gap.question)))
  },
}
