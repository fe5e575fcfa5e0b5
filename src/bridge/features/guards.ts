import { channelKey } from '../port/message.ts'
import type { ButtonDoing, JobPorts } from '../delivery/job-context.ts'
import type { AnswerRecord } from '../port/records.ts'

/** What a button refers to belongs to the channel in which it was pressed: a value from elsewhere does nothing. */
export const isHere = ({ conversation }: Pick<ButtonDoing, 'conversation'>, channel: string): boolean =>
  channelKey(conversation) === channel

/** The answer that this button is about; undefined: it is not on record any more, or not of this channel. */
export async function answerHere(
  { store }: Pick<JobPorts, 'store'>,
  doing: Pick<ButtonDoing, 'conversation' | 'inbound'>,
): Promise<AnswerRecord | undefined> {
  const answer = await store.answers.get(doing.inbound.action.value)
  return answer !== undefined && isHere(doing, answer.channel) ? answer : undefined
}
