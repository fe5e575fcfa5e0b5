import { ACTION } from '../delivery/button-ids.ts'
import type { Action } from '../port/message.ts'
import { EXTRACTIVE } from '../channels/models.ts'
import type { AnswerRecord } from '../port/records.ts'
import type { QuestionContext } from './question.ts'

/** Button under a failure that may pass. */
export const retryButton = ({ texts }: QuestionContext, { id }: AnswerRecord): Action => ({
  id: ACTION.retryAnswer,
  label: texts.files.button.retry,
  value: id,
})

/** Button under an answer while it is written, for services without a stop button. */
export const stopButton = ({ adapter, texts, jobId }: QuestionContext): readonly Action[] =>
  adapter.stream !== undefined || adapter.edit === undefined
    ? []
    : [{ id: ACTION.stop, label: texts.conversation.stop, value: jobId }]

/** Buttons under an answer: vote, ask for another answer, read it out, ask people. */
export function buttonsUnder(
  { adapter, texts, readsOut }: QuestionContext,
  answer: AnswerRecord,
  isRewritable = true,
): readonly Action[] {
  const { id: value, outcome, model } = answer
  if (outcome === 'failed' || model === '') return []
  const { feedback, escalation, conversation, commands } = texts
  const isShareable = answer.isPrivate === true && !answer.conversation.direct
  const votes: readonly Action[] = [
    ...(isShareable ? [{ id: ACTION.share, label: commands.share, value, style: 'primary' } as const] : []),
    { id: ACTION.voteUp, label: feedback.up, value, group: 'vote' },
    {
      id: ACTION.voteDown,
      label: feedback.down,
      value,
      group: 'vote',
      prompt: { title: feedback.reasonTitle, label: feedback.reasonLabel, reasons: true },
    },
  ]
  // Words of earlier questions were added: who meant another matter can end that.
  const anew: readonly Action[] =
    answer.query !== undefined && answer.conversation.direct
      ? [{ id: ACTION.newConversation, label: conversation.newConversation, value }]
      : []
  const shown: readonly Action[] =
    adapter.limits.shortensPassages === true && answer.references.length > 0
      ? [{ id: ACTION.passages, label: conversation.passages, value }]
      : []
  if (outcome === 'nothing') {
    const person = { id: ACTION.askPerson, label: escalation.askPerson, value, style: 'primary' } as const
    // A direct conversation has nobody else to ask.
    return answer.conversation.direct ? [...votes, ...shown, ...anew] : [person, ...votes, ...shown]
  }
  const heard: readonly Action[] =
    readsOut === true && adapter.upload !== undefined ? [{ id: ACTION.readAloud, label: texts.voice.speak, value }] : []
  if (model === EXTRACTIVE || adapter.edit === undefined || !isRewritable)
    return [...votes, ...shown, ...heard, ...anew]
  return [
    ...votes,
    ...shown,
    ...heard,
    { id: ACTION.another, label: conversation.another, value },
    { id: ACTION.shorter, label: conversation.shorter, value },
    { id: ACTION.longer, label: conversation.longer, value },
    ...anew,
  ]
}
