import { uploadParts } from '../answers/long-parts.ts'
import { removeReferenceCards } from '../answers/reference-cards.ts'
import { isFinished } from '../files/file-records.ts'
import { droppedMessage } from '../files/removal/on-files-deleted.ts'
import { channelKey, messageKey } from '../port/keys.ts'
import type { Job } from '../port/store.ts'
import { eraseWords } from './deletions.ts'
import { hear, isCommand } from './heard.ts'
import { contextOfMessage, type Step, type Task } from './task.ts'

type EditStep = Step<'edit'>

const jobsOf = ({ services, event: { message } }: Task<'edit'>): Promise<readonly Job[]> =>
  services.store.inbox.allOfMessage(messageKey(message.conversation, message.id))

/** The job that handled the message before; undefined: this edit is the first to make it a question. */
async function jobBefore(task: Task<'edit'>): Promise<Job | undefined> {
  const [original] = await jobsOf(task)
  return original?.id === task.job.id ? undefined : original
}

/** A mention without words was answered with help before its files were known. */
export const removeEarlyHelp: EditStep = async (task) => {
  const { event, registry } = task
  const before = await jobBefore(task)
  const asksCommand = isCommand(hear(event.message, { follower: 'asker', parse: registry.parse }))
  if (before === undefined || asksCommand) return
  await contextOfMessage(task, event.message, before.id).sender.remove('command')
}

/** The twin has the parts that the message lacked. */
export const handleTwin: EditStep = async (task) =>
  task.handleMessage(task, task.event.message, (await jobBefore(task))?.id ?? task.job.id)

/** The edit interrupted the message's job, so its files are ingested here. */
export const finishDrop: EditStep = async (task) => {
  const { services, registry } = task
  const jobs = await jobsOf(task)
  const [original] = jobs
  const dropped = droppedMessage(jobs)
  if (original === undefined || dropped === undefined) return
  if ((await services.store.files.ofJob(original.id)).every(isFinished)) return
  const { files } = hear(dropped, { follower: 'asker', parse: registry.parse })
  await services.files.onDrop(contextOfMessage(task, dropped, original.id), files)
}

/** Answers the edited question, in place of the earlier answer. */
export const answerAgain: EditStep = async (task) => {
  const { message } = task.event
  // A question may be about its pictures; a voice message has no text to edit.
  const attachments = message.attachments.filter(({ kind }) => kind === 'image')
  await task.handleMessage(task, { ...message, attachments }, (await jobBefore(task))?.id ?? task.job.id, true)
}

export const removeAnswer: EditStep = async (task) => {
  const { services, event } = task
  const before = await jobBefore(task)
  if (before === undefined) return
  const ctx = contextOfMessage(task, event.message, before.id)
  await uploadParts(ctx, [])
  await removeReferenceCards(ctx)
  for (const { slot, ref } of await ctx.sender.rows()) {
    if (!slot.startsWith('answer.')) continue
    if (ref !== undefined) await services.store.history.remove(channelKey(ctx.conversation), ref.id)
    await ctx.sender.remove(slot)
  }
  await eraseWords(services, ctx, event.message)
}
