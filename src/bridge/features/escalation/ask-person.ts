import { answerHere } from '../guards.ts'
import { ACTION } from '../../delivery/button-ids.ts'
import { say } from '../../delivery/reply.ts'
import type { Button, ButtonDoing, JobPorts } from '../../delivery/job-context.ts'
import type { AnswerRecord } from '../../port/records.ts'
import { textsFor } from '../../texts/texts.ts'
import { ASK_SLOT, belongsTo, expectReplies, loadState, saveState } from './state.ts'
import { whomToAsk } from './whom-to-ask.ts'

/** What is quoted of a question: room is left for the sentences around it. */
const LONGEST_QUOTE = 1000

/** Asks people what the files do not say, where the question was asked. */
export const askPerson: Button = {
  id: ACTION.askPerson,
  async run(ports, doing) {
    const { store, clock } = ports
    const { author, jobId, texts } = doing
    const whisper = (text: string) => say(doing, text, { privateTo: author.id })
    const answer = await answerHere(ports, doing)
    if (answer === undefined) return whisper(texts.feedback.tooOld)
    if (answer.closedAt !== undefined) return whisper(texts.honest.notOpen)
    const known = await loadState(store, answer.id)
    // Asked once, whoever presses; the press that asked may be done again after a restart.
    if (known !== undefined && known.jobId !== jobId) return whisper(texts.honest.askedAlready)
    const begun = { answerId: answer.id, jobId, queue: answer.queue, asker: answer.asker, replies: [] }
    const state = known ?? begun
    if (known === undefined) await saveState(store, state, clock())
    await expectReplies(store, state)
    const { id: post } = await ask(ports, doing, answer)
    await belongsTo(store, { channel: answer.channel, id: post }, answer.id, clock())
    // Replies to it belong to the conversation of the question.
    await store.history.append(answer.queue, answer.channel, {
      messageId: post,
      role: 'assistant',
      author: 'footbridge',
      text: '',
      at: clock(),
    })
  },
}

async function ask({ store }: JobPorts, doing: ButtonDoing, answer: AnswerRecord) {
  const people = await whomToAsk(store, doing, answer)
  // People read it, not only who pressed: in the language of the question.
  const { honest } = textsFor(answer.language)
  const question = answer.question.slice(0, LONGEST_QUOTE)
  const text = people.length > 0 ? honest.wanted(question) : honest.wantedOfAll(question)
  const shown = await doing.sender.show(ASK_SLOT, {
    kind: 'notice',
    text,
    ...(people.length > 0 ? { notify: people } : {}),
  })
  await doing.sender.close(ASK_SLOT, text)
  return shown
}
