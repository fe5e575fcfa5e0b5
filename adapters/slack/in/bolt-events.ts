import { App, type ReceiverEvent } from '@slack/bolt'
import type { Receive } from '../../../src/bridge/port/adapter.ts'
import type { Inbound } from '../../../src/bridge/port/message.ts'
import { createKeyedMutex } from '../../../src/lib/keyed-mutex.ts'
import { text, toFields } from '../../shared/json.ts'
import { deepFreeze } from '../../shared/session.ts'
import { type SdkLogger, toClientOptions } from '../api.ts'
import type { Identity, SlackOptions } from '../config.ts'
import { ANY_BUTTON, DIALOG_CALLBACK } from '../out/buttons.ts'
import { COMMAND, type CommandReader, SHORTCUTS } from './commands.ts'
import { FORM_CALLBACK } from '../out/views.ts'
import type { EventReader } from './events.ts'
import type { InteractionReader } from './interactions.ts'

export interface BoltEvents {
  readonly app: App
  /** Takes a message that was read later. `isLate`: too old for an answer. */
  deliver(event: unknown, isLate: boolean): Promise<void>
  /** Accepts no more events; resolves when the running ones are stored. */
  stop(): Promise<unknown>
}

interface BoltParts {
  readonly options: SlackOptions
  readonly logger: SdkLogger
  readonly identity: Identity
  readonly events: EventReader
  readonly interactions: InteractionReader
  readonly commands: CommandReader
  readonly receive: Receive
  /** Called when an event is stored. */
  readonly received: (inbound: Inbound) => void
}

/** The Bolt app: its listeners deliver events to the bridge, in order within a channel. */
export function createBoltEvents(parts: BoltParts): BoltEvents {
  const { options, logger, identity, events, interactions, commands, receive } = parts
  const app = new App({
    token: options.botToken,
    botId: identity.botId,
    botUserId: identity.userId,
    convoStore: false,
    logger,
    clientOptions: toClientOptions(options, logger),
    // The connections are opened and replaced by `socket-mode.ts`.
    receiver: { init: () => {}, start: async () => {}, stop: async () => {} },
  })
  const inOrder = createKeyedMutex()
  const pass = async (event: unknown, read: (event: unknown) => Promise<Inbound | undefined>, isLate = false) => {
    const reading = read(event)
    reading.catch(() => {})
    const inbound = await inOrder(channelIn(event), () => reading)
    if (inbound === undefined) return
    await receive(deepFreeze(isLate ? asMissed(inbound) : inbound))
    parts.received(inbound)
  }
  app.event('message', async ({ event }) => pass(event, events.message))
  app.event('app_mention', async ({ event }) => pass(event, events.mention))
  app.event('agent_session_stopped', async ({ event }) => pass(event, events.stopped))
  app.event('file_deleted', async ({ event }) => pass(event, events.fileDeleted))
  app.event('reaction_added', async ({ event }) => pass(event, events.reaction))
  app.action(ANY_BUTTON, async ({ body }) => {
    // A dialog must open within 3 s, so it does not wait for earlier events.
    if (!(await interactions.openDialog(body))) await pass(body, interactions.button)
  })
  app.event('app_home_opened', async ({ event }) => pass(event, events.home))
  app.view(FORM_CALLBACK, async ({ body }) => pass(body, interactions.formSubmission))
  app.view(DIALOG_CALLBACK, async ({ body }) => pass(body, interactions.submission))
  app.command(COMMAND, async ({ body }) => pass(body, commands.slash))
  for (const id of Object.keys(SHORTCUTS))
    app.shortcut({ type: 'message_action', callback_id: id }, async ({ body }) => pass(body, commands.onMessage))
  return {
    app,
    deliver: (event, isLate) => pass(event, events.message, isLate),
    stop: acknowledgeWhenStored(app, options),
  }
}

const asMissed = (inbound: Inbound): Inbound =>
  inbound.kind === 'message' || inbound.kind === 'edit'
    ? { ...inbound, message: { ...inbound.message, missed: true } }
    : inbound

/** Bolt acknowledges events before it calls a listener: here the acknowledgement waits until the event is stored. */
function acknowledgeWhenStored(app: App, { log }: SlackOptions): BoltEvents['stop'] {
  const underWay = new Set<Promise<void>>()
  let isStopping = false
  const processEvent = app.processEvent.bind(app)
  app.error(async (error) => {
    throw error
  })
  const store = async (event: ReceiverEvent) => {
    await processEvent({ ...event, ack: async () => {} })
    try {
      await event.ack()
    } catch (error) {
      log.debug({ err: error }, 'An acknowledgement did not reach Slack; it will send the event again.')
    }
  }
  app.processEvent = async (event) => {
    if (isStopping) throw new Error('stopping: Slack will send it again')
    const stored = store(event)
    underWay.add(stored)
    try {
      await stored
    } finally {
      underWay.delete(stored)
    }
  }
  return () => {
    isStopping = true
    return Promise.allSettled(underWay)
  }
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
