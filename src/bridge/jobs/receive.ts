import { createKeyedMutex } from '../../lib/keyed-mutex.ts'
import { awaitedHere } from '../features/escalation/state.ts'
import type { Wish } from '../channels/authorize.ts'
import type { Settings } from '../channels/settings.ts'
import type { Registry } from '../features/registry.ts'
import { queueOfDeletedFiles } from '../files/removal/on-files-deleted.ts'
import { queueOfDeletion } from '../files/saved-messages/save-note.ts'
import type { Receive } from '../port/adapter.ts'
import { channelKey, conversationOf, type Inbound, type InboundOf, messageKey } from '../port/message.ts'
import type { Clock } from '../port/platform.ts'
import type { Store, StoredJob } from '../port/store.ts'
import type { RunningJobs } from './interrupt.ts'
import { eventQueue, queueOf, queueOfCommand } from './queue-key.ts'
import { followerIn, route } from './route.ts'

/** How long a provisional event waits for its complete twin, milliseconds. */
const TWIN_MS = 1500

interface Services {
  readonly store: Store
  readonly registry: Registry
  readonly settings: Pick<Settings, 'of'>
  readonly running: RunningJobs
  readonly clock: Clock
  /** Whether this press will be refused, or nobody knows. */
  readonly denies: (wish: Wish) => Promise<boolean>
  /** Called when there is a new job. */
  readonly wake: () => void
}

interface Address {
  readonly queue: string
  /** Key of the message that the event is about. */
  readonly message?: string
}

/**
 * Accepts events as jobs, in order within a channel: a follow-up must find the question before it. A job may run before
 * its row is on disk (another event woke the worker): the rows that it writes reach the disk only together with that row.
 */
export function createReceive(services: Services): Receive {
  const lock = createKeyedMutex()
  return async (inbound) => {
    const accepted = await lock(channelKey(conversationOf(inbound)), () => accept(services, inbound))
    try {
      await accepted?.stored
    } finally {
      // The work begins behind the acknowledgement: a burst of events waits for the disk once, not for each other's jobs.
      if (accepted?.isNew === true) setImmediate(services.wake)
    }
  }
}

interface Accepted {
  readonly stored: Promise<void>
  /** There is something to do. */
  readonly isNew?: boolean
}

async function accept(services: Services, inbound: Inbound): Promise<Accepted | undefined> {
  const { store, running, clock } = services
  const address = await addressOf(services, inbound)
  if (address === undefined) return undefined
  const now = clock()
  const provisional = inbound.kind === 'message' && inbound.provisional === true
  const dueAt = provisional ? now + TWIN_MS : now
  const { outcome, stored } = await store.inbox.accept(inbound, { ...address, now, dueAt })
  if (outcome === 'duplicate') return { stored }
  if (inbound.kind === 'edit' || inbound.kind === 'delete' || inbound.kind === 'stop') running.interrupt(inbound)
  else if (inbound.kind === 'action') await interruptBehind(services, inbound)
  return { stored, isNew: true }
}

async function interruptBehind(services: Services, inbound: InboundOf<'action'>): Promise<void> {
  const { conversation, author, action } = inbound
  if (services.registry.button(action.id)?.rewrites !== true) return
  const wish = { conversation, personId: author.id, act: 'press' } as const
  // A press that will be refused must not end the answer; so must one of unknown people.
  if (await services.denies(wish)) return
  const known = await jobBehind(services.store, inbound)
  if (known !== undefined) services.running.interruptJob(known.id)
}

/** The job that sent the message with the pressed button. */
async function jobBehind(
  store: Store,
  { conversation, messageId }: InboundOf<'action'>,
): Promise<StoredJob | undefined> {
  const row = await store.outbox.byMessage(conversation, messageId)
  return row && store.inbox.job(row.jobId)
}

/** Undefined: the event is not for us, and nothing is stored. */
async function addressOf(services: Services, inbound: Inbound): Promise<Address | undefined> {
  const { store } = services
  const { kind } = inbound
  if (kind === 'message' || kind === 'edit') return addressOfMessage(services, inbound)
  if (kind === 'action') return { queue: await queueOfPress(services, inbound) }
  if (kind === 'command') return { queue: queueOfCommand(inbound) }
  if (kind === 'pin' || kind === 'stop' || kind === 'overview') return { queue: eventQueue(inbound.conversation, kind) }
  const queue = kind === 'delete' ? await queueOfDeletion(store, inbound) : await queueOfDeletedFiles(store, inbound)
  return queue === undefined ? undefined : { queue }
}

async function addressOfMessage(
  { store, registry, settings }: Services,
  { kind, message }: InboundOf<'message' | 'edit'>,
): Promise<Address | undefined> {
  const key = messageKey(message.conversation, message.id)
  const { listens } = await settings.of(message.conversation)
  const known = kind === 'edit' ? await store.inbox.ofMessage(key) : undefined
  const queue = known?.queue ?? (await queueOf(message, store))
  const isForUs =
    known !== undefined ||
    route(message, await followerIn(store, queue, message.author.id), registry.parse, listens) !== undefined
  // A message that mentions somebody else may still be a reply to an escalation.
  if (isForUs || (await awaitedHere(store, queue, message)) !== undefined) return { queue, message: key }
  // A button press may be posting the escalation that this message replies to: behind it, that is known.
  const pressed = eventQueue(message.conversation, 'action')
  const mayReply = message.replyTo !== undefined && (await store.inbox.hasOpen(pressed))
  return mayReply ? { queue: pressed, message: key } : undefined
}

async function queueOfPress({ store, registry }: Services, inbound: InboundOf<'action'>): Promise<string> {
  const { conversation, messageId, action } = inbound
  const button = registry.button(action.id)
  const behind = button?.rewrites === true ? await jobBehind(store, inbound) : undefined
  if (behind !== undefined) return behind.queue
  return button?.beside === true
    ? `${messageKey(conversation, messageId)}!${action.value}`
    : eventQueue(conversation, inbound.kind)
}
