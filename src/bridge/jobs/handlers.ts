import { buttonOf } from '../features/buttons.ts'
import type { Adapter } from '../port/adapter.ts'
import { ask } from '../answers/answer.ts'
import { commandOf } from '../features/commands.ts'
import { followDelete } from './on-delete.ts'
import { bringBack, removeEntry } from '../files/removal/remove-file.ts'
import { forgetWords } from '../features/erase-message.ts'
import { followerIn } from './follower.ts'
import { fileMessage } from '../files/saved-messages/save-message.ts'
import { collectionsOf, filedFrom } from '../files/saved-messages/saved-origin.ts'
import { isOver } from '../files/file-records.ts'
import { followFilesDeleted } from '../files/removal/on-files-deleted.ts'
import { ingest } from '../files/ingest/on-drop.ts'
import { createJobContext, NOBODY, type JobContext, type JobPorts } from '../delivery/job-context.ts'
import { conversationOf, messageKey } from './queue-key.ts'
import { channelKey, type Attachment, type Inbound, type Message } from '../port/message.ts'
import type { Log } from '../port/platform.ts'
import { awaitedHere } from '../features/escalation/state.ts'
import { takeReply, withdrawReply } from '../features/escalation/take-reply.ts'
import { lookAtPictures } from '../answers/pictures.ts'
import type { Job } from '../port/store.ts'
import { route } from './route.ts'
import { languageOf } from '../texts/message-language.ts'
import { textsFor } from '../texts/texts.ts'
import { hear } from '../voice/transcribe.ts'

interface JobRun {
  readonly job: Job
  readonly adapter: Adapter
  readonly log: Log
  readonly signal: AbortSignal
}

/** Does what one accepted event asks for. Rejects when it should be tried again or given up. */
export async function doJob(ports: JobPorts, run: JobRun): Promise<void> {
  const { inbound } = run.job
  switch (inbound.kind) {
    case 'message':
      return doMessage(ports, run, inbound.message, run.job.id, false)
    case 'edit':
      return doEdit(ports, run, inbound.message)
    case 'delete':
      return doDelete(ports, run, inbound)
    case 'files-left':
    case 'file-gone': {
      const ctx = contextOf(ports, run, {
        conversation: conversationOf(inbound),
        author: NOBODY,
        replyTo: '',
      })
      return followFilesDeleted(ports, ctx, inbound, ctx.senderFor)
    }
    case 'action':
      return doAction(ports, run, inbound)
    case 'pin':
      return doPin(ports, run, inbound)
    case 'stop':
      // The running answer was aborted when the event came in; nothing is left to do.
      return
  }
}

async function doMessage(
  ports: JobPorts,
  run: JobRun,
  message: Message,
  jobId: string,
  again: boolean,
): Promise<void> {
  const plan = route(
    message,
    await followerIn({ history: ports.store.history }, run.job.queue, message.author.id),
  )
  const awaited = await awaitedHere(ports.store, run.job.queue, message)
  if (plan === undefined && awaited === undefined) return
  const shared = contextOfMessage(ports, run, message, jobId)
  if (awaited !== undefined) await takeReply(ports, shared, awaited)
  if (plan === undefined) return
  if (plan.files.length > 0) {
    await ingest({ ...ports, platform: ports.background }, { ...shared, files: plan.files })
    await ports.losses.notice(shared, (await ports.channels.of(message.conversation)).collection)
  }
  if (awaited !== undefined) return
  if (plan.command !== undefined) {
    const { name, argument } = plan.command
    return commandOf(name).run(ports, { ...shared, queue: shared.queue, argument, again })
  }
  const { queue } = run.job
  const { memo } = plan
  // Looked at for a memo alone: of a linked channel the chat service is asked each time.
  const hearing = async (it: Attachment) => {
    const { collection } = await ports.channels.of(message.conversation)
    return hear(ports, { ...shared, queue, memo: it, collection })
  }
  const question = memo === undefined ? plan.question : await hearing(memo)
  if (question === undefined) return
  await ask(ports, {
    ...shared,
    queue: run.job.queue,
    question,
    again,
    ...(plan.pictures === undefined
      ? {}
      : { pictures: (model) => lookAtPictures(ports.platform, shared, plan.pictures ?? [], model) }),
    readsOut: ports.readsOut && plan.memo !== undefined,
  })
}

/** An edited question is answered anew, in the place of the earlier answer. */
async function doEdit(ports: JobPorts, run: JobRun, message: Message): Promise<void> {
  const original = await ports.store.inbox.ofMessage(messageKey(message.conversation, message.id))
  // It may have become a question by an earlier edit, or by this one.
  const asked = original?.id === run.job.id ? undefined : original
  if (original?.inbound.kind === 'message')
    await finishDrop(ports, run, original.id, original.inbound.message)
  // Files of an edited message were taken in already, and a memo has no text to edit.
  const textOnly: Message = { ...message, attachments: [] }
  if (textOnly.text.trim() === '') {
    // The words were taken back: so is what was answered to them.
    if (asked !== undefined) await withdrawAnswer(ports, run, asked.id, message)
    return
  }
  await doMessage(ports, run, textOnly, asked?.id ?? run.job.id, asked !== undefined)
}

/** The edit has ended the work on the message: its files go their way all the same. */
async function finishDrop(ports: JobPorts, run: JobRun, jobId: string, message: Message): Promise<void> {
  const files = route(message, 'asker')?.files ?? []
  if ((await ports.store.files.ofJob(jobId)).every(isOver)) return
  const ctx = contextOfMessage(ports, run, message, jobId)
  await ingest({ ...ports, platform: ports.background }, { ...ctx, files })
}

async function withdrawAnswer(ports: JobPorts, run: JobRun, jobId: string, message: Message): Promise<void> {
  const { sender } = contextOfMessage(ports, run, message, jobId)
  for (const { slot, ref } of await sender.rows()) {
    if (!slot.startsWith('answer.')) continue
    if (ref !== undefined) await ports.store.history.remove(channelKey(message.conversation), ref.id)
    await sender.remove(slot)
  }
  await forgetWords(ports, run.adapter, message)
}

async function doDelete(
  ports: JobPorts,
  run: JobRun,
  inbound: Extract<Inbound, { kind: 'delete' }>,
): Promise<void> {
  const { conversation, messageId } = inbound
  const original = await ports.store.inbox.ofMessage(messageKey(conversation, messageId))
  const doing = contextOf(ports, run, { conversation, author: NOBODY, replyTo: messageId })
  if (original !== undefined) {
    const deleted = { conversation, id: messageId }
    await followDelete(ports, { ...doing, ofJob: original.id, deleted })
    await withdrawReply(ports, doing, deleted, doing.senderFor)
  }
  // What was kept of its words goes with them.
  for (const entry of await filedFrom(ports.store, conversation, messageId))
    await removeEntry(ports, doing, entry)
  const dropped = original === undefined ? [] : await ports.store.files.ofJob(original.id)
  const collections = await collectionsOf(ports.store, conversation)
  await bringBack(ports, doing, [...dropped.map(({ collection }) => collection), ...collections])
}

async function doAction(
  ports: JobPorts,
  run: JobRun,
  inbound: Extract<Inbound, { kind: 'action' }>,
): Promise<void> {
  const { conversation, author, action, messageId } = inbound
  const button = buttonOf(action.id)
  if (button === undefined) {
    run.log.warn({ action: action.id }, 'A button was pressed that this version does not know')
    return
  }
  const ctx = contextOf(ports, run, { conversation, author, replyTo: messageId })
  await button.run(ports, { ...ctx, inbound })
}

/** 📌 */
async function doPin(
  ports: JobPorts,
  run: JobRun,
  inbound: Extract<Inbound, { kind: 'pin' }>,
): Promise<void> {
  const { conversation, author, messageId } = inbound
  const ctx = contextOf(ports, run, { conversation, author, replyTo: messageId })
  await fileMessage(ports, ctx, { conversation, id: messageId })
}

function contextOfMessage(
  ports: JobPorts,
  run: JobRun,
  message: Message,
  jobId: string,
): JobContext & { readonly message: Message } {
  const { conversation, author, id: replyTo } = message
  const texts = textsFor(languageOf(message))
  return { ...contextOf(ports, run, { jobId, conversation, author, replyTo, texts }), message }
}

function contextOf(
  { store, clock }: JobPorts,
  { job, adapter, log, signal }: JobRun,
  about: Pick<JobContext, 'conversation' | 'author'> &
    Partial<Pick<JobContext, 'jobId' | 'texts'>> & { readonly replyTo: string },
): JobContext {
  const texts = textsFor(about.author.language)
  const own = { jobId: job.id, eventId: job.id, queue: job.queue, adapter, texts, log, signal }
  return createJobContext({ ...own, ...about }, { outbox: store.outbox, clock })
}
