import { createKeyedMutex } from '#lib/keyed-mutex.ts'
import { personOf } from '../features/feature.ts'
import { escalationAwaitingReply } from '../features/escalation/escalation.ts'
import type { Authority, AccessRequest } from '../channels/authorize.ts'
import type { ProgramPace } from '../channels/program-pace.ts'
import { isAdmitted, type Settings } from '../channels/settings.ts'
import type { Registry } from '../features/registry.ts'
import { queueOfDeletedFiles } from '../files/removal/on-files-deleted.ts'
import { queueOfDeletion } from '../files/saved-messages/save-note.ts'
import type { Adapter, Receive } from '../port/adapter.ts'
import { channelKey, messageKey } from '../port/keys.ts'
import { conversationOf, type Inbound, type InboundOf, type Message } from '../port/message.ts'
import type { Clock, Log } from '../port/platform.ts'
import type { Store, StoredJob } from '../port/store.ts'
import { createStops, endAnswers, type RunningJobs } from './interrupt.ts'
import { beginsConversation, eventQueue, PRESSES, queueOf, queueOfCommand } from './queue-key.ts'
import { rowFor } from './handlers.ts'
import { type Follower, followerIn, hear, isPerson } from './heard.ts'
import { createDelayedWake } from './wake.ts'
import type { Worker } from './worker.ts'

/** How long a provisional event waits for its complete twin, milliseconds. */
const TWIN_MS = 1500

interface Services {
  readonly store: Store
  readonly registry: Registry
  readonly settings: Pick<Settings, 'of'>
  readonly programPace: Pick<ProgramPace, 'personWrote'>
  readonly running: RunningJobs
  readonly clock: Clock
  readonly log: Log
  /** Whether this request is refused, or may be. */
  readonly denies: (request: AccessRequest) => Promise<boolean>
  readonly authority: Pick<Authority, 'forget' | 'lookAhead'>
  readonly adapterOf: (name: string) => Adapter | undefined
  /** Runs the new jobs. */
  readonly worker: Pick<Worker, 'poke' | 'pokeAt' | 'accepting'>
}

interface Destination {
  readonly queue: string
  /** Key of the message that the event is about. */
  readonly message?: string
}

/**
 * Accepts events as jobs, in order within a channel: a follow-up must find the question before it. A job may run before
 * its row is on disk (another event woke the worker): the rows that it writes reach the disk only together with that row.
 */
export function createReceive(services: Services): Receive {
  const inOrder = createChannelOrder()
  const withDelayedWake = createDelayedWake(services.worker)
  return (inbound) =>
    withDelayedWake(async (hasNew) => {
      const accepted = await inOrder(inbound, () => accept(services, inbound))
      if (accepted?.isQueued === true) hasNew()
      await accepted?.stored
    })
}

/** Events of a channel one after the other. Roots that are put to us need nothing of earlier ones, and wait for none. */
function createChannelOrder() {
  const lock = createKeyedMutex()
  const roots = new Map<string, Set<Promise<unknown>>>()
  return async <Result>(inbound: Inbound, work: () => Promise<Result>): Promise<Result> => {
    const channel = channelKey(conversationOf(inbound))
    const open = roots.get(channel) ?? new Set()
    if (!isAddressedRoot(inbound)) {
      const before = [...open]
      return lock(channel, async () => {
        await Promise.allSettled(before)
        return work()
      })
    }
    const done = work()
    roots.set(channel, open.add(done))
    try {
      return await done
    } finally {
      open.delete(done)
      if (open.size === 0) roots.delete(channel)
    }
  }
}

const isAddressedRoot = (inbound: Inbound) =>
  inbound.kind === 'message' && inbound.message.addressed && beginsConversation(inbound.message)

interface Accepted {
  readonly stored: Promise<void>
  /** The worker has to look for its job now. */
  readonly isQueued?: boolean
}

async function accept(services: Services, inbound: Inbound): Promise<Accepted | undefined> {
  const { store, clock, worker } = services
  const address = await destinationOf(services, inbound)
  if (inbound.kind === 'channel-changed' || inbound.kind === 'channel-gone') {
    services.authority.forget(inbound.conversation)
    await store.sharing.channelChanged(inbound.conversation)
  }
  // Messages for others count, too: a person reads along.
  if (inbound.kind === 'message' && isPerson(inbound.message))
    await services.programPace.personWrote(inbound.message.conversation)
  if (address === undefined) return undefined
  // The job checks that its person may ask, and finds the look-ups under way. A provisional event waits for its twin.
  if (
    inbound.kind === 'message' &&
    inbound.message.addressed &&
    inbound.provisional !== true &&
    isPerson(inbound.message)
  )
    lookAhead(services, inbound.message)
  const now = clock()
  const provisional = inbound.kind === 'message' && inbound.provisional === true
  const dueAt = provisional ? now + TWIN_MS : now
  const options = { ...address, now, dueAt }
  const { outcome, stored, job } =
    dueAt > now
      ? await store.inbox.accept(inbound, options)
      : await worker.accepting((begins) => store.inbox.accept(inbound, { ...options, begins }))
  if (outcome === 'duplicate') {
    // A completion waits for the disk by itself: nobody awaits this one then.
    stored.catch(() => undefined)
    const completion = await completionOf(store, inbound)
    return completion === undefined ? { stored } : accept(services, completion)
  }
  if (inbound.kind === 'edit' || inbound.kind === 'delete' || inbound.kind === 'stop')
    await endAnswers(services, inbound)
  else if (inbound.kind === 'action') await interruptPressed(services, inbound)
  if (dueAt > now) worker.pokeAt(dueAt)
  return { stored, isQueued: dueAt <= now && job === undefined }
}

function lookAhead({ adapterOf, authority }: Services, { conversation, author }: Message): void {
  const adapter = adapterOf(conversation.adapter)
  if (adapter !== undefined) authority.lookAhead(adapter, { conversation, personId: author.id })
}

/** The complete twin of a message whose job began without its attachments is an edit of it. */
async function completionOf(store: Store, inbound: Inbound): Promise<InboundOf<'edit'> | undefined> {
  if (inbound.kind !== 'message' || inbound.provisional === true) return undefined
  const { key, message } = inbound
  if (message.attachments.length === 0) return undefined
  const begun = (await store.inbox.job(key))?.inbound
  if (begun?.kind !== 'message' || begun.provisional !== true) return undefined
  if (begun.message.attachments.length >= message.attachments.length) return undefined
  return { kind: 'edit', key: `${key}:complete`, message, completes: true }
}

async function interruptPressed(services: Services, inbound: InboundOf<'action'>): Promise<void> {
  const { conversation, author, action } = inbound
  const button = services.registry.button(action.id)
  if (button?.rewrites !== true && button?.stops !== true) return
  const request = { conversation, personId: author.id, act: 'press' } as const
  // A press that is refused, or whose person is unknown, must not end the answer.
  if (await services.denies(request)) return
  const known =
    button.stops === true ? await jobToStop(services.store, inbound) : await jobOfPressed(services.store, inbound)
  if (known === undefined) return
  if (button.stops === true) {
    // An edit and a rewrite are jobs of their own in the queue of the question.
    if (personOf(known.inbound)?.id !== author.id) return
    const here = services.running.stopQueue(known.queue)
    const stops = createStops(services.store.preferences)
    // A job that has ended would never remove its stop.
    const isOpen = known.state === 'queued' || known.state === 'running'
    for (const id of here.length > 0 || !isOpen ? here : [known.id]) await stops.add(id)
    if (here.length === 0 && known.state === 'running') await services.store.sharing.endJob(known.id, 'stopped')
    return
  }
  services.running.interruptJob(known.id)
  if (known.state === 'running') await services.store.sharing.endJob(known.id, 'changed')
}

/** A press may be faster than the record of its message: the button names the job. Those of older versions do not. */
async function jobToStop(store: Store, inbound: InboundOf<'action'>): Promise<StoredJob | undefined> {
  const named = await store.inbox.job(inbound.action.value)
  if (named === undefined) return jobOfPressed(store, inbound)
  return channelKey(conversationOf(named.inbound)) === channelKey(inbound.conversation) ? named : undefined
}

/** The job that sent the message with the pressed button. */
async function jobOfPressed(
  store: Store,
  { conversation, messageId }: InboundOf<'action'>,
): Promise<StoredJob | undefined> {
  const row = await store.outbox.byMessage(conversation, messageId)
  return row && store.inbox.job(row.jobId)
}

/** Undefined: the event is not for us, and nothing is stored. */
async function destinationOf(services: Services, inbound: Inbound): Promise<Destination | undefined> {
  const { store } = services
  const { kind } = inbound
  if (kind === 'message' || kind === 'edit') return destinationOfMessage(services, inbound)
  if (kind === 'channel-changed') return undefined
  if (kind === 'action') return { queue: await queueOfPress(services, inbound) }
  if (kind === 'workspace-gone') return { queue: eventQueue(conversationOf(inbound), kind) }
  if (kind === 'command') return { queue: queueOfCommand(inbound) }
  if (kind === 'pin' || kind === 'stop' || kind === 'overview' || kind === 'channel-gone')
    return { queue: eventQueue(inbound.conversation, kind) }
  if (kind === 'links' || kind === 'details') return { queue: eventQueue(inbound.conversation, kind) }
  const queue = kind === 'delete' ? await queueOfDeletion(store, inbound) : await queueOfDeletedFiles(store, inbound)
  return queue === undefined ? undefined : { queue }
}

async function destinationOfMessage(
  services: Services,
  inbound: InboundOf<'message' | 'edit'>,
): Promise<Destination | undefined> {
  const { kind, message } = inbound
  const { store } = services
  const key = messageKey(message.conversation, message.id)
  const known = kind === 'edit' ? await store.inbox.ofMessage(key) : undefined
  if (!isPerson(message) && !(await isProgramHeard(services, inbound))) return undefined
  // A message that addresses us is always a job: nothing is read to know that.
  const isJob = known !== undefined || message.addressed
  const mayFollowPress = !isJob && message.underOurs === true
  // Read before the conversation: a press that ends in between has recorded what it posted.
  const press = mayFollowPress ? await store.inbox.openQueue(channelKey(message.conversation), PRESSES) : undefined
  const queue = known?.queue ?? (await queueOf(message, store))
  if (isJob) return { queue, message: key }
  // Most messages end here, decided without a query.
  if (kind === 'message' && beginsConversation(message))
    return (await isAsked(services, message, undefined)) ? { queue, message: key } : undefined
  const isForUs = await isAsked(services, message, await followerIn(store, queue, message.author.id))
  // A message that mentions somebody else may still be a reply to an escalation.
  if (isForUs || (await escalationAwaitingReply(store, queue, message)) !== undefined) return { queue, message: key }
  // A press under way may be posting the message that this one replies to: this one is queued after it.
  if (press !== undefined) return { queue: press, message: key }
  const pressed = eventQueue(message.conversation, 'action')
  const mayReply = message.replyTo !== undefined && (await store.inbox.hasOpen(pressed))
  return mayReply ? { queue: pressed, message: key } : undefined
}

/**
 * Messages of programs that are not for Footbridge are not stored. An edit counts only if it adds the attachments that
 * Slack sent late.
 */
async function isProgramHeard(
  { registry, settings, log }: Services,
  inbound: InboundOf<'message' | 'edit'>,
): Promise<boolean> {
  const { conversation, author, addressed, sentAt } = inbound.message
  if (inbound.kind === 'edit') return inbound.completes === true
  if (rowFor('message', hear(inbound.message, { follower: undefined, parse: registry.parse })) === undefined)
    return false
  const ids = [author.id, ...(author.programIds ?? [])]
  if (isAdmitted(await settings.of(conversation), ids, sentAt)) return true
  if (addressed) log.info({ ids, channel: conversation.channel }, NOT_ADMITTED)
  return false
}

const NOT_ADMITTED =
  'A program mentioned Footbridge and was not heard: to admit it, an administrator of the channel says "access bots", one of its ids, and "ask" or "all"'

async function isAsked(
  { registry, settings }: Services,
  message: Message,
  follower: Follower | undefined,
): Promise<boolean> {
  const { listens } = await settings.of(message.conversation)
  return rowFor('message', hear(message, { follower, parse: registry.parse, listens })) !== undefined
}

async function queueOfPress({ store, registry }: Services, inbound: InboundOf<'action'>): Promise<string> {
  const { conversation, messageId, action } = inbound
  const button = registry.button(action.id)
  const behind = button?.rewrites === true ? await jobOfPressed(store, inbound) : undefined
  if (behind !== undefined) return behind.queue
  return button?.isParallel === true
    ? `${messageKey(conversation, messageId)}!${action.value}`
    : eventQueue(conversation, inbound.kind)
}
