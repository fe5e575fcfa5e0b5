import type { App, Context, ReceiverEvent } from '@slack/bolt'
import type { Log } from '#bridge/port/platform.ts'
import type { Receive } from '#bridge/port/adapter.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import type { Inbound } from '#bridge/port/message.ts'
import { createKeyedMutex } from '#lib/keyed-mutex.ts'
import { type Fields, list, text, toFields } from '#adapters/shared/json.ts'
import { deepFreeze, waitAtMost } from '#adapters/shared/session.ts'
import { type SdkLogger, toClientOptions } from '../api.ts'
import { type Identity, LOOKUP_MS, type SlackOptions } from '../config.ts'
import { ANY_BUTTON, DIALOG_CALLBACK } from '../outbound/buttons.ts'
import { COMMAND, type CommandReader, SHORTCUTS } from './commands.ts'
import { FORM_CALLBACK } from '../outbound/views.ts'
import type { EventReader } from './events.ts'
import type { InteractionReader } from './interactions.ts'

export interface BoltEvents {
  /** Resolves when an event is stored, and then acknowledges it. Rejects: Slack shall send it again. */
  readonly take: (event: ReceiverEvent) => Promise<void>
  /** Takes a message of this workspace that was read later. `isLate`: too old for an answer. */
  deliver(readers: Readers, event: unknown, isLate: boolean): Promise<void>
  /** Accepts no more events; resolves when the running ones are stored. */
  stop(): Promise<unknown>
}

/** Reads the events of one workspace. */
export interface Readers {
  readonly identity: Identity
  readonly events: EventReader
  readonly interactions: InteractionReader
  readonly commands: CommandReader
  /** Called with each event and the envelope around it. */
  readonly channelSeen: (event: Fields, body: Fields) => void
  /** Called when a profile or a role changed. */
  readonly personChanged: (userId: string) => void
  /** Called when an event is stored. */
  readonly received: (inbound: Inbound) => void
}

interface BoltParts {
  readonly options: Pick<SlackOptions, 'log' | 'apiUrl' | 'timeoutMs'>
  readonly logger: SdkLogger
  /** The workspace whose event this is; undefined: Footbridge is not installed there. Rejects: it can't be told now. */
  readonly readersOf: (body: unknown) => Promise<Readers | undefined>
  /** Called when Slack says that the app is gone from a workspace, or lost its token. Resolves when that is stored. */
  readonly removed?: (body: unknown) => Promise<void>
  readonly receive: Receive
}

const EVENT_READERS: ReadonlyMap<string, keyof EventReader> = new Map([
  ['message', 'message'],
  ['app_mention', 'mention'],
  ['app_home_opened', 'home'],
  ['app_context_changed', 'context'],
  ['agent_session_stopped', 'stopped'],
  ['file_deleted', 'fileDeleted'],
  ['file_unshared', 'fileUnshared'],
  ['reaction_added', 'reaction'],
  ['channel_shared', 'sharing'],
  ['channel_unshared', 'sharing'],
  ['channel_archive', 'closed'],
  ['group_archive', 'closed'],
  ['channel_left', 'closed'],
  ['group_left', 'closed'],
  ['channel_deleted', 'closed'],
  ['group_deleted', 'closed'],
  ['link_shared', 'links'],
  ['entity_details_requested', 'details'],
])

type Reading = Promise<Inbound | undefined>
/** Interactions that a listener takes; a command has no type. */
const INTERACTIONS: ReadonlySet<string> = new Set(['block_actions', 'view_submission', 'message_action'])

type Read = (readers: Readers) => (body: unknown) => Reading

/**
 * Bolt reads presses and commands. It is loaded with the first press: with its web server and its OAuth it is 180 files
 * and 14 MB, and the connection needs none of them.
 */
function createBoltReader({ options, logger }: BoltParts) {
  const known = new WeakMap<object, Readers>()
  const found = new WeakMap<object, Inbound>()
  const open = async (): Promise<App> => {
    const { default: bolt } = await import('@slack/bolt')
    const app = new bolt.App({
      // Bolt gets no token: calls go through the workspace's own client.
      authorize: async (_, body) => {
        const readers = known.get(body ?? {})
        if (readers === undefined) throw new Error('The event is of no known workspace.')
        return { readers, botId: readers.identity.botId, botUserId: readers.identity.userId }
      },
      convoStore: false,
      logger,
      clientOptions: toClientOptions(options, logger),
      // The connections are opened and replaced by `socket-mode.ts`.
      receiver: { init: () => {}, start: async () => {}, stop: async () => {} },
    })
    app.error(async (error) => {
      throw error
    })
    listen(app, found)
    return app
  }
  let app: Promise<App> | undefined
  return async (readers: Readers, event: ReceiverEvent): Reading => {
    known.set(event.body, readers)
    app ??= open()
    await (await app).processEvent({ ...event, ack: async () => {} })
    return found.get(event.body)
  }
}

/** Events and interactions are handed on in the order of their arrival within a channel. */
export function createBoltEvents(parts: BoltParts): BoltEvents {
  const { options, receive } = parts
  const readByBolt = createBoltReader(parts)
  /** Read again, it would fail again: Slack would send it again, and a catch-up would come to no later message. */
  const readEvent = (readers: Readers, event: Fields, reader: keyof EventReader): Reading =>
    readers.events[reader](event).catch((error: unknown) => {
      if (error instanceof AdapterError) throw error
      options.log.error({ err: error, type: event['type'] }, UNREADABLE)
      return undefined
    })
  const inOrder = createKeyedMutex()
  const pass = async (readers: Readers, event: unknown, reading: Reading, isLate = false) => {
    reading.catch(() => {})
    // An event that takes longer loses its place: later events have to be acknowledged in time.
    await inOrder(`${readers.identity.team}:${channelIn(event)}`, () => waitAtMost(PLACE_MS, reading))
    const inbound = await reading
    if (inbound === undefined) return
    await receive(deepFreeze(isLate ? asMissed(inbound) : inbound))
    readers.received(inbound)
  }
  const takeFor = async (readers: Readers, event: ReceiverEvent): Promise<void> => {
    const { body } = event
    const kind = text(body, 'type')
    // Bolt fails on kinds without a listener, such as a global shortcut or the choices of a menu: they need no work.
    if (kind !== 'event_callback' && kind !== undefined && !INTERACTIONS.has(kind)) return
    // Bolt would run each event through the matchers of all listeners, twice for a mention.
    if (body['type'] !== 'event_callback') return pass(readers, body, readByBolt(readers, event))
    const inner = withPerson(body)
    const type = text(inner, 'type') ?? ''
    if (type === 'user_change') return readers.personChanged(text(toFields(inner['user']), 'id') ?? '')
    readers.channelSeen(inner, body)
    // An echo of our own act asks for nothing.
    const reader = EVENT_READERS.get(type)
    if (reader !== undefined && text(inner, 'user') !== readers.identity.userId && !isOfOurApp(inner, body))
      await pass(readers, inner, readEvent(readers, inner, reader))
  }
  return {
    ...acknowledgeWhenStored(parts, takeFor),
    deliver: (readers, event, isLate) => pass(readers, event, readEvent(readers, toFields(event), 'message'), isLate),
  }
}

/** Posted by this app in the name of another installation, in a channel that companies share. */
const isOfOurApp = (event: Fields, body: Fields): boolean =>
  event['bot_id'] !== undefined && event['app_id'] !== undefined && event['app_id'] === body['api_app_id']

/** Bolt's listeners: each stores its reading of a body. */
function listen(app: App, found: WeakMap<object, Inbound>): void {
  const onBody =
    (read: Read) =>
    async ({ body, context }: { readonly body: object; readonly context: Context }) => {
      const inbound = await read(context['readers'] as Readers)(body)
      if (inbound !== undefined) found.set(body, inbound)
    }
  const onPress = onBody(({ interactions }) => async (body) => {
    return (await interactions.openDialog(body)) ? undefined : interactions.button(body)
  })
  const onForm = onBody(({ interactions }) => interactions.formSubmission)
  const onDialog = onBody(({ interactions }) => interactions.submission)
  const onCommand = onBody(({ commands }) => commands.slash)
  const onShortcut = onBody(({ commands }) => commands.onMessage)
  app.action(ANY_BUTTON, onPress)
  app.view(FORM_CALLBACK, onForm)
  app.view(DIALOG_CALLBACK, onDialog)
  app.command(COMMAND, onCommand)
  for (const id of Object.keys(SHORTCUTS)) app.shortcut({ type: 'message_action', callback_id: id }, onShortcut)
}

/** How long later events of a channel wait for one that is read: a look-up, and Slack's time for it. */
const PLACE_MS = 2 * LOOKUP_MS
const UNREADABLE =
  'An event from Slack could not be read and is left out: report this line, with the version of Footbridge.'

const TELL_AGAIN_MS = 3_600_000
const LIMITED =
  'A Slack workspace has more than 30,000 events an hour, and Slack drops the others: take Footbridge out of channels in which programs write much.'

/** An event about an opened channel may have the person and the time only around it. */
function withPerson(body: ReceiverEvent['body']): Fields {
  const event = toFields(body['event'])
  if (text(event, 'type') !== 'app_context_changed') return event
  const [authorized] = list(body, 'authorizations')
  return { user: authorized && text(authorized, 'user_id'), event_ts: body['event_id'], ...event }
}

/** These events come without a usable token. */
const GONE = new Set(['app_uninstalled', 'tokens_revoked', 'team_access_revoked'])

const asMissed = (inbound: Inbound): Inbound =>
  inbound.kind === 'message' || inbound.kind === 'edit'
    ? { ...inbound, message: { ...inbound.message, missed: true } }
    : inbound

/** Bolt acknowledges events before it calls a listener: here the acknowledgement waits until the event is stored. */
function acknowledgeWhenStored(
  parts: BoltParts,
  takeFor: (readers: Readers, event: ReceiverEvent) => Promise<void>,
): Pick<BoltEvents, 'take' | 'stop'> {
  const { log } = parts.options
  const underWay = new Set<Promise<void>>()
  let isStopping = false
  const limited = new Map<string, number>()
  /** Slack says it each minute. */
  const tellLimit = (team: string) => {
    if (Date.now() - (limited.get(team) ?? -Infinity) < TELL_AGAIN_MS) return
    limited.set(team, Date.now())
    log.warn({ team }, LIMITED)
  }
  const inOrder = createKeyedMutex()
  /** The choice can take a look-up: later events of the channel must not overtake it meanwhile. */
  const readersFor = async (body: ReceiverEvent['body']): Promise<Readers | undefined> => {
    const channel = channelIn(body['event'] ?? body)
    let choice: Promise<Readers | undefined> | undefined
    const choose = () => (choice ??= parts.readersOf(body))
    if (channel !== '') await inOrder(channel, () => waitAtMost(PLACE_MS, choose()).catch(() => undefined))
    return choose()
  }
  const take = async (event: ReceiverEvent) => {
    const { body } = event
    if (GONE.has(text(toFields(body['event']), 'type') ?? '')) {
      // An event that is still being read must be stored before all of that workspace is deleted.
      await Promise.allSettled(underWay)
      return parts.removed?.(body)
    }
    const readers = await readersFor(body)
    if (readers === undefined)
      return log.info({ team: text(body, 'team_id') }, 'An event of a Slack workspace without Footbridge was ignored')
    if (body['type'] === 'app_rate_limited') return tellLimit(readers.identity.team)
    await takeFor(readers, event)
  }
  const store = async (event: ReceiverEvent) => {
    await take(event)
    try {
      await event.ack()
    } catch (error) {
      log.debug({ err: error }, 'An acknowledgement did not reach Slack; it will send the event again.')
    }
  }
  return {
    async take(event) {
      if (isStopping) throw new StoppingError('stopping: Slack will send it again')
      const stored = store(event)
      underWay.add(stored)
      try {
        await stored
      } finally {
        underWay.delete(stored)
      }
    },
    stop() {
      isStopping = true
      return Promise.allSettled(underWay)
    },
  }
}

class StoppingError extends Error {}

/** Logs why an event was not acknowledged. */
export function logUnstored(log: Log, error: unknown): void {
  if (error instanceof StoppingError) log.info({}, 'An event came while Footbridge stops; Slack sends it again')
  else if (error instanceof AdapterError)
    log.warn(
      { err: error },
      'An event or a press in Slack was not handled, since a call to Slack failed. Slack sends an event again; a button has to be pressed again',
    )
  else log.warn({ err: error }, 'An event from Slack was not stored; Slack sends it again. Check disk and database')
}

function channelIn(event: unknown): string {
  const fields = toFields(event)
  return (
    text(fields, 'channel') ??
    text(fields, 'channel_id') ??
    text(toFields(fields['channel']), 'id') ??
    text(toFields(fields['item']), 'channel') ??
    ''
  )
}
