import { setTimeout as sleep } from 'node:timers/promises'
import { type APIInteraction, type Client, GatewayDispatchEvents } from 'discord.js'
import type { Recall, Receive, Suggest } from '../../../src/bridge/port/adapter.ts'
import type { Log } from '../../../src/bridge/port/platform.ts'
import { createKeyedMutex } from '../../../src/lib/keyed-mutex.ts'
import { deepFreeze } from '../../shared/session.ts'
import type { DiscordTimes } from '../config.ts'
import { type CatchUp, createCatchUp, markKey, type RawGuild } from './catch-up.ts'
import {
  createEventHandlers,
  type EventHandlers,
  type EventParts,
  isPin,
  type RawDeletion,
  type RawReaction,
} from './events.ts'
import { createLookBack } from './look-back.ts'
import { createInteractionHandler, type InteractionParts } from './interactions.ts'
import type { RawMessage } from './message.ts'

export interface GatewayEvents {
  /** Accepts no more events and waits for the running ones. */
  stop(): Promise<void>
}

type GatewayParts = Omit<EventParts, 'deliver' | 'times'> &
  Omit<InteractionParts, 'deliver'> & {
    readonly client: Client
    readonly receive: Receive
    readonly suggest: Suggest
    readonly recall: Recall
    readonly log: Log
    readonly times: Pick<DiscordTimes, 'deliveriesMs' | 'catchUpAgeMs'>
  }

/**
 * Listens to the gateway and delivers in order per channel; interactions in parallel, since they must be acknowledged
 * within 3 s. Call it before `login`, so that no event is missed.
 *
 * Raw events are read: discord.js's own objects depend on its cache.
 */
export function listenToGateway(parts: GatewayParts): GatewayEvents {
  const { client, rest, marks, log } = parts
  let isOpen = true
  const deliver = createDelivery(parts, () => isOpen)
  const handlers = createEventHandlers({ ...parts, deliver })
  const interact = createInteractionHandler({ ...parts, deliver })
  const lookBack = createLookBack({ ...parts, handlers })
  const deliverMissed = (raw: RawMessage) => handlers.message(raw, undefined)
  const catchUp = createCatchUp({ rest, marks, log, deliver: deliverMissed, lookBack })
  const channels = createQueues((error) => log.error({ err: error }, 'A Discord event could not be handled'))
  const interactions = createQueues((error) =>
    log.error({ err: error }, 'A button press in Discord could not be handled'),
  )
  const on: Listen = (event, take) => {
    client.ws.on(event, (payload: unknown) => {
      if (isOpen) take(payload as never)
    })
  }
  listenToChannels(on, channels, handlers, catchUp)
  on(GatewayDispatchEvents.InteractionCreate, (raw: APIInteraction) => interactions.run(raw.id, () => interact(raw)))
  return {
    async stop() {
      isOpen = false
      await Promise.all([channels.settled(), interactions.settled()])
    },
  }
}

type Listen = (event: GatewayDispatchEvents, take: (payload: never) => void) => void

function listenToChannels(on: Listen, queues: Queues, handlers: EventHandlers, catchUp: CatchUp): void {
  const catchUpWith = (places: ReturnType<CatchUp['sessionStarted']>) => {
    for (const { key, channel } of places) queues.run(channel, () => catchUp.ensure(key, channel))
  }
  /** Runs after the missed messages of this channel. */
  const inOrder = (
    { channel_id: channel, guild_id: guild }: { readonly channel_id: string; readonly guild_id?: string },
    task: () => Promise<void>,
  ) => {
    queues.run(channel, async () => {
      await catchUp.ensure(markKey(channel, guild === undefined), channel)
      await task()
    })
  }
  on(GatewayDispatchEvents.Ready, () => catchUpWith(catchUp.sessionStarted()))
  on(GatewayDispatchEvents.GuildCreate, (raw: RawGuild) => catchUpWith(catchUp.guildSeen(raw)))
  on(GatewayDispatchEvents.MessageCreate, (raw: RawMessage) => {
    dropNulls(raw)
    inOrder(raw, () => handlers.message(raw, { guildId: raw.guild_id }))
  })
  on(GatewayDispatchEvents.MessageUpdate, (raw: RawMessage) => {
    dropNulls(raw)
    inOrder(raw, () => handlers.edit(raw))
  })
  on(GatewayDispatchEvents.MessageDelete, (raw: RawDeletion) => inOrder(raw, () => handlers.deletion(raw)))
  on(GatewayDispatchEvents.MessageDeleteBulk, (raw: RawDeletion & { readonly ids: readonly string[] }) => {
    for (const id of raw.ids) inOrder(raw, () => handlers.deletion({ ...raw, id }))
  })
  on(GatewayDispatchEvents.MessageReactionAdd, (raw: RawReaction) => {
    if (isPin(raw)) inOrder(raw, () => handlers.reaction(raw))
  })
}

/** Delivers events to the bridge, and repeats one that it could not store: Discord does not send it again. */
function createDelivery({ receive, times, log }: GatewayParts, isOpen: () => boolean): EventParts['deliver'] {
  return async (inbound) => {
    deepFreeze(inbound)
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await receive(inbound)
      } catch (error) {
        const wait = times.deliveriesMs[attempt]
        if (wait === undefined || !isOpen()) throw error
        log.warn({ err: error, key: inbound.key }, 'A Discord event could not be stored; trying again')
        await sleep(wait)
      }
    }
  }
}

/** Tasks of one key run in order, one at a time. A task that fails does not stop those behind it. */
interface Queues {
  run(key: string, task: () => Promise<void>): void
  settled(): Promise<void>
}

function createQueues(onError: (error: unknown) => void): Queues {
  const lock = createKeyedMutex()
  const running = new Set<Promise<void>>()
  return {
    run(key, task) {
      const work = lock(key, task)
        .catch(onError)
        .finally(() => running.delete(work))
      running.add(work)
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/** discord.js throws, outside of anything that could catch it, when one of these is null instead of absent. */
function dropNulls(raw: RawMessage): void {
  const fields = raw as unknown as Record<string, unknown>
  for (const name of ['embeds', 'components', 'thread', 'attachments', 'mentions']) {
    if (fields[name] === null) delete fields[name]
  }
}
