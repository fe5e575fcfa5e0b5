import { channelKey } from '../port/keys.ts'
import { VOICE_OFFER } from './message-steps.ts'
import { ENDS, type Step } from './task.ts'

type PressStep = Step<'action'>

export const knowsButton: PressStep = async ({ registry, log, event: { action } }) => {
  if (registry.button(action.id) !== undefined) return undefined
  log.warn({ action: action.id }, 'A button of another version of Footbridge was pressed; nothing is done')
  return ENDS
}

export const press: PressStep = async ({ registry, ctx, event: { action, messageId, ticket } }) => {
  const { id, value, text } = action
  await registry.button(id)?.run(ctx, { messageId, value, text, ticket })
}

export const callCommand: Step<'command'> = ({ calls, ctx, event: { command } }) => calls[command.name](ctx, command)

/** Somebody wants a recording answered: it is handled as if it had been sent to us. */
export const answerOffered: PressStep = async (task) => {
  const { services, ctx, job } = task
  const { messageId, action } = task.event
  const jobId = action.value
  const asked = await services.store.inbox.job(jobId)
  if (asked?.inbound.kind !== 'message' || asked.inbound.message.attachments.length === 0)
    return ctx.whisper(ctx.texts.voice.gone)
  const { message } = asked.inbound
  if (channelKey(message.conversation) !== channelKey(ctx.conversation)) return undefined
  // The press may be faster than the record of its message.
  const sender = ctx.senderFor(message.conversation, message.id, jobId)
  const offer = (await sender.rows()).find(({ slot }) => slot === VOICE_OFFER)
  if (offer?.ref === undefined) await ctx.adapter.remove({ conversation: message.conversation, id: messageId })
  await sender.remove(VOICE_OFFER)
  // Answers belong to the recording: its deletion takes them away, and replies go on with it.
  const work = { ...task, job: { ...job, queue: asked.queue } }
  return task.handleMessage(work, { ...message, addressed: true }, jobId)
}
