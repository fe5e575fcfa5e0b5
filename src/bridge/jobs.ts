import { SWITCH_OFF } from './actions.ts'
import type { Adapter } from './adapter.ts'
import { ask, type AskPorts } from './ask.ts'
import { followDelete } from './change.ts'
import { ingest, type IngestPorts } from './ingest.ts'
import { messageKey } from './lanes.ts'
import { channelKey, type ConversationRef, type Inbound, type Message } from './message.ts'
import type { Log } from './ports.ts'
import type { Job } from './store-port.ts'
import { route, type Command } from './route.ts'
import { createSender, type Sender } from './send.ts'
import { textsFor, type Texts } from './texts.ts'
import { hear } from './voice.ts'

export type JobPorts = AskPorts & IngestPorts

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
    case 'action':
      return doAction(ports, run, inbound)
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
  const { adapter, log, signal } = run
  const inThread = await ports.store.transcripts.has(run.job.lane)
  const plan = route(message, inThread)
  if (plan === undefined) return
  const sender = senderFor(ports, run, message.conversation, message.id, jobId)
  const texts = textsFor(message.author.language)
  const shared = { jobId, message, adapter, sender, texts, log, signal }
  if (plan.files.length > 0) await ingest(ports, { ...shared, files: plan.files })
  if (plan.command !== undefined) return obey(ports, message.conversation, sender, texts, plan.command)
  const channel = await ports.channels.of(message.conversation)
  const question =
    plan.memo === undefined
      ? plan.question
      : await hear(ports, { ...shared, memo: plan.memo, collection: channel.collection })
  if (question === undefined) return
  await ask(ports, { ...shared, lane: run.job.lane, question, again })
}

/** An edited question is answered anew, in the place of the earlier answer. */
async function doEdit(ports: JobPorts, run: JobRun, message: Message): Promise<void> {
  const original = await ports.store.inbox.ofMessage(messageKey(message.conversation, message.id))
  const asked = original?.inbound.kind === 'message' ? original : undefined
  // Files of an edited message were taken in already, and a memo has no text to edit.
  const textOnly: Message = { ...message, attachments: [] }
  if (textOnly.text.trim() === '') {
    // The words were taken back: so is what was answered to them.
    if (asked !== undefined) await withdrawAnswer(ports, run, asked.id, message)
    return
  }
  await doMessage(ports, run, textOnly, asked?.id ?? run.job.id, asked !== undefined)
}

async function withdrawAnswer(ports: JobPorts, run: JobRun, jobId: string, message: Message): Promise<void> {
  const sender = senderFor(ports, run, message.conversation, message.id, jobId)
  for (const { slot } of await sender.rows()) if (slot.startsWith('answer.')) await sender.remove(slot)
  await ports.store.transcripts.remove(channelKey(message.conversation), message.id)
}

async function doDelete(
  ports: JobPorts,
  run: JobRun,
  inbound: Extract<Inbound, { kind: 'delete' }>,
): Promise<void> {
  const { conversation, messageId } = inbound
  const original = await ports.store.inbox.ofMessage(messageKey(conversation, messageId))
  if (original === undefined) return
  const { adapter, log, signal } = run
  await followDelete(ports, {
    jobId: original.id,
    deleted: { conversation, id: messageId },
    adapter,
    log,
    signal,
  })
}

async function doAction(
  ports: JobPorts,
  run: JobRun,
  inbound: Extract<Inbound, { kind: 'action' }>,
): Promise<void> {
  const { conversation, author, action, messageId } = inbound
  if (action.id !== SWITCH_OFF) return
  const sender = senderFor(ports, run, conversation, messageId, run.job.id)
  await obey(ports, conversation, sender, textsFor(author.language), 'files-off')
}

async function obey(
  ports: JobPorts,
  conversation: ConversationRef,
  sender: Sender,
  texts: Texts,
  command: Command,
): Promise<void> {
  if (command !== 'help') await ports.channels.change(conversation, { collecting: command === 'files-on' })
  const text = { help: texts.help, 'files-on': texts.collectingOn, 'files-off': texts.collectingOff }[command]
  await sender.show('command', { kind: 'notice', text })
  await sender.close('command', text)
}

function senderFor(
  ports: JobPorts,
  run: JobRun,
  conversation: ConversationRef,
  replyTo: string,
  jobId: string,
): Sender {
  const { adapter } = run
  const { clock } = ports
  return createSender({ jobId, adapter, conversation, replyTo, outbox: ports.store.outbox, clock })
}
