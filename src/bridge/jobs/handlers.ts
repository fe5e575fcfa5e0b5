import { uploadParts } from '../answers/long-parts.ts'
import { loadPictures } from '../answers/pictures.ts'
import { createJobContext, type JobContext, type MessageContext, NOBODY } from '../delivery/job-context.ts'
import { type SlashCommands, createSlashCommands } from '../features/slash-commands.ts'
import { ACTION } from '../delivery/button-ids.ts'
import { showWhole } from '../delivery/outbox-sender.ts'
import { showCards } from '../features/answers/cards.ts'
import { isAllowed } from '../features/channels/access.ts'
import { showOverview } from '../features/overview.ts'
import { takeReply } from '../features/escalation/replies.ts'
import { escalationAwaitingReply } from '../features/escalation/escalation.ts'
import type { Registry } from '../features/registry.ts'
import { isFinished } from '../files/file-records.ts'
import { droppedMessage } from '../files/removal/on-files-deleted.ts'
import type { Adapter } from '../port/adapter.ts'
import { channelKey, messageKey } from '../port/keys.ts'
import { conversationOf, type InboundOf, type Message } from '../port/message.ts'
import type { Log } from '../port/platform.ts'
import type { Job } from '../port/store.ts'
import { languageOf, textsFor } from '../texts/texts.ts'
import { eraseWords, onDelete } from './deletions.ts'
import { askedWords } from './asked-words.ts'
import { closeChannel } from './close-channel.ts'
import { forgetWorkspace } from './forget-workspace.ts'
import type { RunningJobs } from './interrupt.ts'
import { beginsConversation, queueBehindPress } from './queue-key.ts'
import { followerIn, type Plan, route, withoutFiles } from './heard.ts'
import { withPerson } from './person.ts'
import type { JobServices } from '../features/feature.ts'

interface JobEnvironment {
  readonly adapter: Adapter
  readonly log: Log
  readonly signal: AbortSignal
}

/** Handles one accepted event. Rejects when the job should be retried or given up. */
export type Handler = (job: Job, environment: JobEnvironment) => Promise<void>

interface Work extends JobEnvironment {
  readonly services: JobServices
  readonly registry: Registry
  readonly running: RunningJobs
  readonly calls: SlashCommands
  /** When a channel was last told that questions were missed. */
  readonly missedNoticeAt: Map<string, number>
  readonly job: Job
}

/** Once an hour is enough: the questions of one absence come together, milliseconds. */
const MISSED_NOTICE_MS = 3_600_000

export function createHandler(services: JobServices, registry: Registry, running: RunningJobs): Handler {
  const calls = createSlashCommands(services, registry)
  const missedNoticeAt = new Map<string, number>()
  return async (job, surroundings) => {
    const inbound = await withPerson(services, surroundings.adapter, job.inbound)
    return handle({ ...surroundings, services, registry, running, calls, missedNoticeAt, job: { ...job, inbound } })
  }
}

async function handle(work: Work): Promise<void> {
  const { services, job } = work
  const { inbound } = job
  switch (inbound.kind) {
    case 'message':
      return onMessage(work, inbound.message, job.id)
    case 'edit':
      return onEdit(work, inbound)
    case 'delete': {
      const { conversation, messageId: replyTo } = inbound
      return onDelete(services, contextOf(work, { conversation, author: NOBODY, replyTo }), inbound)
    }
    case 'files-left':
    case 'file-gone': {
      const ctx = contextOf(work, { conversation: conversationOf(inbound), author: NOBODY, replyTo: '' })
      return services.files.onFilesDeleted(ctx, inbound)
    }
    case 'workspace-gone':
      return forgetWorkspace(services, work, inbound)
    case 'channel-gone':
      return closeChannel(services, work, inbound)
    case 'action':
      return onPress(work, inbound)
    case 'command':
      return onCommand(work, inbound)
    case 'overview': {
      const { conversation, author, beside } = inbound
      return showOverview(services, contextOf(work, { conversation, author, replyTo: '' }), beside)
    }
    case 'links': {
      const { conversation, author, messageId: replyTo } = inbound
      return showCards(services, contextOf(work, { conversation, author, replyTo }), inbound)
    }
    case 'pin': {
      const { conversation, author, messageId: id } = inbound
      const ctx = contextOf(work, { conversation, author, replyTo: id })
      if (!(await isAllowed(services, ctx, 'drop'))) return
      return services.files.saveMessage(ctx, { conversation, id })
    }
    case 'stop':
    case 'channel-changed':
      // Done when the event arrived.
      return
  }
}

/** @param jobId owner of the sends: for an edit the job of the original message, whose answer is overwritten */
async function onMessage(work: Work, message: Message, jobId: string, isEdit = false): Promise<void> {
  const { services, registry } = work
  const { store } = services
  const job = { ...work.job, queue: await queueBehindPress(store, work.job.queue, message) }
  const isFirst = job.inbound.kind === 'message' && beginsConversation(message)
  const [follower, { listens }, awaited] = await Promise.all([
    isFirst || message.addressed ? undefined : followerIn({ history: store.history }, job.queue, message.author.id),
    services.settings.of(message.conversation),
    isFirst ? undefined : escalationAwaitingReply(store, job.queue, message),
  ])
  const routed = route(message, follower, registry.parse, listens)
  const plan = isEdit ? withoutFiles(routed) : routed
  if (plan === undefined && awaited === undefined) return
  const ctx = contextOfMessage({ ...work, job }, message, jobId)
  const act = plan?.command !== undefined ? 'command' : isAsked(plan) || awaited !== undefined ? 'ask' : undefined
  // A refusal is told only to people who addressed us.
  if (plan?.quiet === true && plan.files.length === 0) {
    const request = { conversation: message.conversation, personId: message.author.id, act: 'ask' } as const
    if ((await services.authority.denial(ctx, request)) !== undefined) return
  } else if (act !== undefined && !(await isAllowed(services, ctx, act))) return
  if (awaited !== undefined) await takeReply(services, ctx, awaited)
  if (plan === undefined) return
  if (plan.files.length > 0 && (await isAllowed(services, ctx, 'drop'))) {
    await services.files.onDrop(ctx, plan.files)
    await services.lostCollections.notice(ctx, (await services.channels.of(message.conversation)).collection)
  }
  if (awaited !== undefined) return
  if (plan.offersVoice === true) return offerVoice(ctx)
  if (plan.misplaced === true) return ctx.whisper(ctx.texts.settings.threadsOnly)
  if (message.missed === true) return tellMissed(work, ctx)
  if (plan.command === undefined) return answerQuestion(services, ctx, plan)
  const { name, argument } = plan.command
  await registry.command(name).run(ctx, argument)
}

/** Says once an hour in a channel that older questions were missed. */
async function tellMissed({ services, missedNoticeAt }: Work, ctx: MessageContext): Promise<void> {
  const channel = channelKey(ctx.message.conversation)
  const now = services.clock()
  if (now - (missedNoticeAt.get(channel) ?? -Infinity) < MISSED_NOTICE_MS) return
  missedNoticeAt.set(channel, now)
  await ctx.sender.show('away', { kind: 'notice', text: ctx.texts.wasAway })
}

const isAsked = (plan: Plan | undefined) =>
  plan?.question !== undefined || plan?.voiceMessage !== undefined || plan?.paste !== undefined

async function answerQuestion(services: JobServices, ctx: MessageContext, plan: Plan): Promise<void> {
  const { voiceMessage, pictures, quiet } = plan
  const question = await askedWords(services, ctx, plan)
  if (question === undefined) return
  await services.answers.answer(ctx, {
    question,
    quiet,
    overwrites: ctx.eventId !== ctx.jobId,
    pictures: pictures && ((model) => loadPictures(services.platform, ctx, pictures, model)),
    readsOut: services.readsOut && voiceMessage !== undefined,
  })
}

/** Answers an edited question again, in place of the earlier answer. */
async function onEdit(work: Work, { message, completes }: InboundOf<'edit'>): Promise<void> {
  const { services, job } = work
  const jobs = await services.store.inbox.allOfMessage(messageKey(message.conversation, message.id))
  const [original] = jobs
  // The job that handled the message before; none if this edit is the first to make it a question.
  const asked = original?.id === job.id ? undefined : original
  if (completes === true) {
    if (asked !== undefined) await removeHelp(work, asked.id, message)
    return onMessage(work, message, asked?.id ?? job.id)
  }
  const dropped = droppedMessage(jobs)
  if (original !== undefined && dropped !== undefined) await finishDrop(work, original.id, dropped)
  if (message.text.trim() !== '') {
    // A question may be about its pictures; a voice message has no text to edit.
    const attachments = message.attachments.filter(({ kind }) => kind === 'image')
    return onMessage(work, { ...message, attachments }, asked?.id ?? job.id, true)
  }
  // The edit left no text: the earlier answer is removed.
  if (asked !== undefined) await removeAnswer(services, contextOfMessage(work, message, asked.id))
}

/** A mention without words was answered with help before its files were known. */
async function removeHelp(work: Work, jobId: string, message: Message): Promise<void> {
  if (route(message, 'asker', work.registry.parse)?.command !== undefined) return
  await contextOfMessage(work, message, jobId).sender.remove('command')
}

/** The edit interrupted the message's job, so its files are ingested here. */
async function finishDrop(work: Work, jobId: string, message: Message): Promise<void> {
  const { services, registry } = work
  const files = route(message, 'asker', registry.parse)?.files ?? []
  if ((await services.store.files.ofJob(jobId)).every(isFinished)) return
  const ctx = contextOfMessage(work, message, jobId)
  await services.files.onDrop(ctx, files)
}

async function removeAnswer(services: JobServices, ctx: MessageContext): Promise<void> {
  await uploadParts(ctx, [])
  for (const { slot, ref } of await ctx.sender.rows()) {
    if (!slot.startsWith('answer.')) continue
    if (ref !== undefined) await services.store.history.remove(channelKey(ctx.conversation), ref.id)
    await ctx.sender.remove(slot)
  }
  await eraseWords(services, ctx.adapter, ctx.message)
}

const VOICE_OFFER = 'voice-offer'

async function offerVoice({ sender, jobId, texts }: MessageContext): Promise<void> {
  const { offer, answerThis } = texts.voice
  const actions = [{ id: ACTION.answerVoice, label: answerThis, value: jobId }]
  await showWhole(sender, VOICE_OFFER, { kind: 'notice', text: offer, actions })
}

/** Somebody wants a recording answered: it is handled as if it had been sent to us. */
async function answerOffered(work: Work, ctx: JobContext, jobId: string, messageId: string): Promise<void> {
  const asked = await work.services.store.inbox.job(jobId)
  if (asked?.inbound.kind !== 'message' || asked.inbound.message.attachments.length === 0)
    return ctx.whisper(ctx.texts.voice.gone)
  const { message } = asked.inbound
  if (channelKey(message.conversation) !== channelKey(ctx.conversation)) return
  // The press may be faster than the record of its message.
  const sender = ctx.senderFor(message.conversation, message.id, jobId)
  const offer = (await sender.rows()).find(({ slot }) => slot === VOICE_OFFER)
  if (offer?.ref === undefined) await ctx.adapter.remove?.({ conversation: message.conversation, id: messageId })
  await sender.remove(VOICE_OFFER)
  // Answers belong to the recording: its deletion takes them away, and replies go on with it.
  await onMessage({ ...work, job: { ...work.job, queue: asked.queue } }, { ...message, addressed: true }, jobId)
}

async function onPress(work: Work, inbound: InboundOf<'action'>): Promise<void> {
  const { conversation, author, action, messageId, ticket, isPrivate } = inbound
  const button = work.registry.button(action.id)
  if (button === undefined && action.id !== ACTION.answerVoice) {
    work.log.warn({ action: action.id }, 'A button of another version of Footbridge was pressed; nothing is done')
    return
  }
  const { value, text } = action
  const privateTo = isPrivate === true ? author.id : undefined
  const invocation = ticket === undefined && privateTo === undefined ? undefined : { ticket, privateTo }
  const ctx = contextOf(work, { conversation, author, replyTo: messageId, invocation })
  if (action.id !== ACTION.openKnowledge && !(await isAllowed(work.services, ctx, 'press'))) return
  await (button === undefined
    ? answerOffered(work, ctx, value, messageId)
    : button.run(ctx, { messageId, value, text, ticket }))
}

async function onCommand(work: Work, inbound: InboundOf<'command'>): Promise<void> {
  const { conversation, author, command, messageId: id, ticket, sentAt } = inbound
  const { argument: text, channel, shared } = command
  const addressed = { addressed: true, mentionsOthers: false, attachments: [] }
  const message: Message = { id, conversation, author, text, ...addressed, channels: channel && [channel], sentAt }
  const invocation = { ticket, privateTo: shared === true ? undefined : author.id }
  const ctx = { ...contextOf(work, { conversation, author, replyTo: id, invocation }), message }
  const act = command.name === 'save' ? 'drop' : command.target === undefined ? 'command' : 'shortcut'
  if (await isAllowed(work.services, ctx, act)) await work.calls[command.name](ctx, command)
}

function contextOfMessage(work: Work, message: Message, jobId: string): MessageContext {
  const { conversation, author, id: replyTo } = message
  const texts = textsFor(languageOf(message))
  return { ...contextOf(work, { jobId, conversation, author, replyTo, texts }), message }
}

function contextOf(
  { services, job, adapter, log, signal }: Work,
  about: Pick<JobContext, 'conversation' | 'author'> &
    Partial<Pick<JobContext, 'jobId' | 'texts' | 'invocation'>> & { readonly replyTo: string },
): JobContext {
  const { store, clock } = services
  const texts = textsFor(about.author.language)
  const { id, queue, createdAt: acceptedAt } = job
  const own = { jobId: id, eventId: id, acceptedAt, queue, adapter, texts, log, signal }
  return createJobContext({ ...own, ...about }, { outbox: store.outbox, clock })
}
