import { command } from '#lexicon/command.ts'
import { administers } from '#bridge/channels/permissions.ts'
import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { JobContext, MessageContext } from '#bridge/delivery/job-context.ts'
import { showWhole } from '#bridge/delivery/outbox-sender.ts'
import { channelKey } from '#bridge/port/keys.ts'
import type { Clock } from '#bridge/port/platform.ts'
import type { AnswerRecord } from '#bridge/port/records.ts'
import type { Store } from '#bridge/port/store.ts'
import { textsFor } from '#bridge/texts/texts.ts'
import { answerOf, type Feature, markThread, type Press } from '../feature.ts'
import { ASK_SLOT, linkToEscalation, expectReplies, loadEscalation, saveEscalation } from './escalation.ts'
import { groupOf, setGroup, whomToAsk } from './whom-to-ask.ts'

interface Services {
  readonly admins: ReadonlySet<string>
  readonly store: Store
  readonly clock: Clock
}

/** Leaves room for the sentences around the question. */
const MAX_QUOTE_CHARS = 1000
const OFF = command('off')

/** Asks people in the conversation an unanswered question; `ask group` sets the people whom a channel asks. */
export const createAskPeople = (services: Services): Feature => ({
  commands: [
    {
      name: 'ask-group',
      pattern: command('askGroup', String.raw`((?:\s[\s\S]+)?)`),
      run: (ctx, argument) => askGroup(services, ctx, argument),
    },
  ],
  buttons: [{ id: ACTION.askPerson, run: (ctx, press) => askPeople(services, ctx, press) }],
})

async function askPeople({ store, clock }: Services, ctx: JobContext, press: Press): Promise<void> {
  const { jobId, texts } = ctx
  const answer = await answerOf(store, ctx, press)
  if (answer === undefined) return ctx.whisper(texts.feedback.tooOld)
  if (answer.closedAt !== undefined) return ctx.whisper(texts.escalation.notOpen)
  const known = await loadEscalation(store, answer.id)
  // People are asked once per answer; after a restart the same press may ask again.
  if (known !== undefined && known.jobId !== jobId) return ctx.whisper(texts.escalation.askedAlready)
  const { id: answerId, queue, channel, asker } = answer
  const state = known ?? { answerId, jobId, queue, asker, replies: [] }
  if (known === undefined) await saveEscalation(store, state, clock())
  await expectReplies(store, state)
  const { id: messageId } = await showQuestion(store, ctx, answer)
  await linkToEscalation(store, { channel, id: messageId }, answerId, clock())
  // Replies to it belong to the conversation of the question.
  const turn = { messageId, role: 'assistant', author: 'footbridge', text: '', at: clock() } as const
  await store.history.append(queue, channel, turn)
  await markThread(ctx, { conversation: answer.conversation, id: answer.questionMessage }, 'asked')
}

async function showQuestion(store: Store, ctx: JobContext, answer: AnswerRecord) {
  const notify = await whomToAsk(store, ctx, answer)
  // Several people read it, so it is in the language of the question.
  const { escalation } = textsFor(answer.language)
  const question = answer.question.slice(0, MAX_QUOTE_CHARS)
  const text = notify.length > 0 ? escalation.wanted(question) : escalation.wantedOfAll(question)
  // Everybody sees it, also where the answer was for one person.
  const sender =
    ctx.invocation?.privateTo === undefined ? ctx.sender : ctx.senderFor(ctx.conversation, answer.questionMessage)
  return showWhole(sender, ASK_SLOT, { kind: 'notice', text, ...(notify.length > 0 ? { notify } : {}) })
}

async function askGroup(services: Services, ctx: MessageContext, argument: string): Promise<void> {
  const { preferences } = services.store
  const { author, conversation, message, texts } = ctx
  const channel = channelKey(conversation)
  const { escalation } = texts
  if (argument === '') {
    const names = await groupOf(preferences, channel)
    return ctx.reply(names === undefined ? escalation.groupNone : escalation.groupIs(names))
  }
  if (!(await administers(services, ctx, conversation, author.id))) return ctx.whisper(texts.channels.adminsOnly)
  if (OFF.test(argument)) {
    await setGroup(preferences, channel, undefined)
    return ctx.reply(escalation.groupOff)
  }
  const people = message.mentions ?? []
  if (people.length === 0) return ctx.reply(escalation.groupHow)
  return ctx.reply(escalation.groupSet(await setGroup(preferences, channel, people)))
}
