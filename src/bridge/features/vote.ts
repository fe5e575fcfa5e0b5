import { say } from '../delivery/reply.ts'
import type { Button, ButtonDoing, JobPorts } from '../delivery/job-context.ts'
import type { Vote } from '../port/records.ts'
import { answerHere } from './guards.ts'
import { ACTION } from '../delivery/button-ids.ts'

const LONGEST_REASON = 1000

/** Judges an answer: kept with the question, its passages and the model. */
export const voteUp: Button = { id: ACTION.voteUp, run: (ports, doing) => vote(ports, doing, 'up') }
export const voteDown: Button = { id: ACTION.voteDown, run: (ports, doing) => vote(ports, doing, 'down') }

async function vote(ports: JobPorts, doing: ButtonDoing, given: Vote['vote']): Promise<void> {
  const { store, clock } = ports
  const { author, inbound, jobId, texts } = doing
  const { value: answerId, text = '' } = inbound.action
  const answer = await answerHere(ports, doing)
  if (answer === undefined) return say(doing, texts.feedback.tooOld, { privateTo: author.id })
  const reason = text.trim().slice(0, LONGEST_REASON)
  await store.answers.vote({
    answerId,
    by: author.id,
    vote: given,
    ...(reason === '' ? {} : { reason }),
    at: clock(),
  })
  // Thanks are said once, whatever is pressed after; the press that said them may be done again after a restart.
  const id = `thanks-${answerId}-${author.id}`
  const thanked = await store.buttonPayloads.get(id)
  if (thanked !== undefined && thanked.data !== jobId) return
  await store.buttonPayloads.put({ id, kind: 'thanks', data: jobId, at: clock() })
  const { thanksUp, thanksDown } = texts.feedback
  await say(doing, given === 'up' ? thanksUp : thanksDown, { privateTo: author.id })
}
