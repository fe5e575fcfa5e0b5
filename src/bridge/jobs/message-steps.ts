import { loadPictures } from '../answers/pictures.ts'
import type { Question } from '../answers/question.ts'
import { ACTION } from '../delivery/button-ids.ts'
import { showWhole } from '../delivery/outbox-sender.ts'
import { isAllowed } from '../features/channels/access.ts'
import { takeReply } from '../features/escalation/replies.ts'
import { channelKey } from '../port/keys.ts'
import { heardWords, pastedQuestion } from './asked-words.ts'
import { ENDS, type Step, type Task } from './task.ts'

type MessageStep = Step<'message'>

export const keepReply: MessageStep = async ({ services, ctx, event: { repliesTo } }) => {
  if (repliesTo !== undefined) await takeReply(services, ctx, repliesTo)
}

/** Ends a question to nobody in particular: only people who addressed us or drop files get a refusal. */
export const mayAskUnaddressed: MessageStep = async ({ services, ctx, event: { message, files } }) => {
  if (files.length > 0) return (await isAllowed(services, ctx, 'ask')) ? undefined : ENDS
  const request = { conversation: message.conversation, personId: message.author.id, act: 'ask' } as const
  return (await services.authority.denial(ctx, request)) === undefined ? undefined : ENDS
}

/** The files come first, so that the question can use them. */
export const takeFiles: MessageStep = async ({ services, ctx, event: { message, files } }) => {
  if (files.length === 0 || !(await isAllowed(services, ctx, 'drop'))) return
  await services.files.onDrop(ctx, files)
  await services.lostCollections.notice(ctx, (await services.channels.of(message.conversation)).collection)
}

/** Once an hour is enough: the questions of one absence come together, milliseconds. */
const MISSED_NOTICE_MS = 3_600_000

/** Ends a message that is too old for an answer, and says so once an hour in its channel. */
export const unlessMissed: MessageStep = async ({ services, ctx, missedNoticeAt, event: { message } }) => {
  if (message.missed !== true) return undefined
  const channel = channelKey(message.conversation)
  const now = services.clock()
  if (now - (missedNoticeAt.get(channel) ?? -Infinity) < MISSED_NOTICE_MS) return ENDS
  missedNoticeAt.set(channel, now)
  await ctx.sender.show('away', { kind: 'notice', text: ctx.texts.wasAway })
  return ENDS
}

/**
 * Ends a question of a program that is late, goes on with something answered, or comes too soon after its last one. Nothing
 * is said, since that could be answered, too.
 */
export const unlessLoop: MessageStep = async ({ services, ctx, event: { message } }) => {
  const { conversation, author, jobId, queue, sender, log } = ctx
  if (message.missed === true) return ENDS
  // This answer began before a restart: its own turn is in the history.
  if ((await sender.slots()).some((slot) => slot.startsWith('answer.'))) return undefined
  const turns = await services.store.history.of(queue, 2)
  // A question that waited for its answer when the process died has a turn of its own.
  const isFollowUp = turns.some(({ messageId }) => messageId !== message.id)
  // Webhooks of one app have ids of their own; the app's is the last.
  const who = { conversation, personId: author.programIds?.at(-1) ?? author.id }
  if (!isFollowUp && (await services.programPace.mayAnswer(who, jobId))) return undefined
  log.info({ program: author.id, isFollowUp }, 'A program asked too soon, or about an answer: it is not answered')
  return ENDS
}

export const runCommand: MessageStep = async ({ registry, ctx, event: { command } }) => {
  if (command !== undefined) await registry.command(command.name).run(ctx, command.argument)
}

export const showHelp: MessageStep = ({ registry, ctx }) => registry.command('help').run(ctx, '')

export const sayThreadsOnly: MessageStep = ({ ctx }) => ctx.whisper(ctx.texts.settings.threadsOnly)

export const sayWithheld: MessageStep = ({ ctx }) => ctx.reply(ctx.texts.conversation.withheld)

/** Slot of the offer to answer a recording. */
export const VOICE_OFFER = 'voice-offer'

export const offerToAnswer: MessageStep = async ({ ctx: { sender, jobId, texts } }) => {
  const { offer, answerThis } = texts.voice
  const actions = [{ id: ACTION.answerVoice, label: answerThis, value: jobId }]
  await showWhole(sender, VOICE_OFFER, { kind: 'notice', text: offer, actions })
}

export const answerQuestion: MessageStep = async (task) => {
  const { services, ctx, event } = task
  const { pictures, sounds, text } = event
  await answer(task, await heardWords(services, ctx, event), {
    pictures: pictures.length === 0 ? undefined : (model) => loadPictures(services.platform, ctx, pictures, model),
    readsOut: services.readsOut && text === '' && sounds.length > 0,
  })
}

export const answerOverheard: MessageStep = (task) => answer(task, task.event.text, { quiet: true })

export const answerPaste: MessageStep = async (task) => answer(task, await pastedQuestion(task.ctx))

/** @param question undefined: there are no words to answer */
async function answer(
  { services, ctx }: Task<'message'>,
  question: string | undefined,
  more: Omit<Question, 'question'> = {},
): Promise<void> {
  if (question === undefined) return
  await services.answers.answer(ctx, { question, overwrites: ctx.eventId !== ctx.jobId, ...more })
}
