import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { JobContext } from '#bridge/delivery/job-context.ts'
import type { Clock } from '#bridge/port/platform.ts'
import type { AnswerRecord, Vote } from '#bridge/port/records.ts'
import type { Store } from '#bridge/port/store.ts'
import { answerOf, type Feature, markThread, type Press } from '../feature.ts'

const MAX_REASON_CHARS = 1000

/** Votes on an answer: stored with the question, its passages and the model. */
export function createVote({
  store,
  clock,
}: {
  readonly store: Pick<Store, 'answers' | 'buttonPayloads'>
  readonly clock: Clock
}): Feature {
  const vote = (choice: Vote['vote']) => async (ctx: JobContext, press: Press) => {
    const { author, jobId, texts } = ctx
    const answer = await answerOf(store, ctx, press)
    if (answer === undefined) return ctx.whisper(texts.feedback.tooOld)
    const reason = press.text?.trim().slice(0, MAX_REASON_CHARS) || undefined
    if (answer.asker === author.id) await markSolved(ctx, answer, choice === 'up')
    await store.answers.vote({ answerId: answer.id, by: author.id, vote: choice, reason, at: clock() })
    // Thanks are said once per answer and person; the same press may say them again after a restart.
    const id = `thanks-${answer.id}-${author.id}`
    const thanked = await store.buttonPayloads.get(id)
    if (thanked !== undefined && thanked.data !== jobId) return
    await store.buttonPayloads.put({ id, kind: 'thanks', data: jobId, at: clock() })
    await ctx.whisper(choice === 'up' ? texts.feedback.thanksUp : texts.feedback.thanksDown)
  }
  /** A thread that this answer has not solved keeps its state: people may have been asked, or have marked it themselves. */
  async function markSolved(ctx: JobContext, answer: AnswerRecord, isSolved: boolean): Promise<void> {
    const id = `solved-${answer.id}`
    if (!isSolved && (await store.buttonPayloads.get(id)) === undefined) return
    if (isSolved) await store.buttonPayloads.put({ id, kind: 'solved', data: ctx.jobId, at: clock() })
    const question = { conversation: answer.conversation, id: answer.questionMessage }
    await markThread(ctx, question, 'solved', isSolved)
    if (!isSolved) await store.buttonPayloads.take(id)
  }
  return {
    buttons: [
      { id: ACTION.voteUp, run: vote('up') },
      { id: ACTION.voteDown, run: vote('down') },
    ],
  }
}
