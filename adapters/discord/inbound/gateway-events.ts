import { setTimeout as sleep } from 'node:timers/promises'
import { type APIInteraction, type Client, Events, GatewayDispatchEvents } from 'discord.js'
import type { Recall, Receive, Suggest } from '#bridge/port/adapter.ts'
import type { Log } from '#bridge/port/platform.ts'
import { pauseBefore } from '#bridge/port/outage.ts'
import { createKeyedMutex } from '#lib/keyed-mutex.ts'
import { deepFreeze } from '#adapters/shared/session.ts'
import type { DiscordTimes } from '../config.ts'
import { type CatchUp, createCatchUp, markKey, type MarkedChannel, type RawGuild } from './catch-up.ts'
import {
  createEventHandlers,
  type EventHandlers,
  type EventParts,
  isPin,
  type RawDeletion,
  type RawReaction,
} from './events.ts'
import { createInteractionHandler, type InteractionParts, isOld } from './interactions.ts'
import { createMissedChanges } from './missed-changes.ts'
import type { RawMessage } from './message.ts'

/** An event as the gateway sends it. */
interface Packet {
  readonly t: GatewayDispatchEvents
  readonly d: unknown
}

export interface GatewayEvents {
  /** Listens to a client. Call it before its login, so that no event is missed. */
  hear(client: Client): void
  /** Accepts no more events and waits for the running ones. */
  stop(): Promise<void>
}

type GatewayParts = Omit<EventParts, 'deliver' | 'times'> &
  Omit<InteractionParts, 'deliver'> & {
    readonly receive: Receive
    readonly suggest: Suggest
    readonly recall: Recall
    readonly log: Log
    readonly times: Pick<DiscordTimes, 'deliveriesMs' | 'catchUpAgeMs' | 'reconnectMs'>
  }

/**
 * Listens to the gateway and delivers in order per channel; interactions in parallel, since they must be acknowledged
 * within 3 s.
 *
 * Raw events are read: discord.js's own objects depend on its cache.
 */
export function listenToGateway(parts: GatewayParts): GatewayEvents {
  const { rest, marks, log } = parts
  let isOpen = true
  const deliver = createDelivery(parts, () => isOpen)
  const handlers = createEventHandlers({ ...parts, deliver })
  const interact = createInteractionHandler({ ...parts, deliver })
  const findMissedChanges = createMissedChanges({ ...parts, handlers })
  const deliverMissed = (raw: RawMessage) => handlers.message(raw, undefined)
  const catchUp = createCatchUp({ rest, marks, log, deliver: deliverMissed, findMissedChanges })
  const channels = createQueues((error) =>
    log.error({ err: error }, 'A Discord event got no answer: check disk and database'),
  )
  const interactions = createQueues((error) =>
    log.error({ err: error }, 'A button press in Discord was lost: check disk and database'),
  )
  const takers = new Map<GatewayDispatchEvents, (payload: never, shard: number) => void>()
  const on: Listen = (event, take) => void takers.set(event, take)
  listenToChannels(on, channels, handlers, { ...parts, catchUp, isOpen: () => isOpen })
  on(GatewayDispatchEvents.InteractionCreate, (raw: APIInteraction) => {
    interactions.run(raw.id, () => interact(raw, isOld(raw)))
  })
  return {
    hear(client) {
      client.on(Events.Raw, ({ t, d }: Packet, shard: number) => {
        if (isOpen) takers.get(t)?.(d as never, shard)
      })
    },
    async stop() {
      isOpen = false
      await Promise.all([channels.settled(), interactions.settled()])
    },
  }
}

type Listen = (event: GatewayDispatchEvents, take: (payload: never, shard: number) => void) => void

interface ChannelParts extends Pick<GatewayParts, 'times'> {
  readonly catchUp: CatchUp
  readonly isOpen: () => boolean
}

/** Work on channels: each is read up to now before its live events are handled. */
function createChannelWork(queues: Queues, { catchUp, isOpen, times }: ChannelParts) {
  const limiter = createLimiter(MAX_PARALLEL_READS)
  /** A channel that can't be read now is read later. */
  const readLater = ({ key, channel }: MarkedChannel, failures = 1): void => {
    const read = async () => isOpen() && (await catchUp.again(key, channel))
    const go = () => {
      queues.run(
        channel,
        () => limiter.run(channel, read),
        (isDone) => isDone || !isOpen() || readLater({ key, channel }, failures + 1),
      )
    }
    setTimeout(go, pauseBefore(failures, times.reconnectMs)).unref()
  }
  const catchUpWith = (places: readonly MarkedChannel[]) => {
    for (const { key, channel } of places) {
      queues.run(
        channel,
        () => limiter.run(channel, async () => isOpen() && (await catchUp.ensure(key, channel))),
        (isDone) => isDone || !isOpen() || readLater({ key, channel }),
      )
    }
  }
  /** Runs after the missed messages of this channel. */
  const inOrder = (
    { channel_id: channel, guild_id: guild }: { readonly channel_id: string; readonly guild_id?: string },
    task: () => Promise<void>,
  ) => {
    limiter.hurry(channel)
    queues.run(channel, async () => {
      const key = markKey(channel, guild === undefined)
      if (!(await catchUp.ensure(key, channel))) readLater({ key, channel })
      await task()
    })
  }
  return { catchUpWith, inOrder }
}

function listenToChannels(on: Listen, queues: Queues, handlers: EventHandlers, parts: ChannelParts): void {
  const { catchUp } = parts
  const { catchUpWith, inOrder } = createChannelWork(queues, parts)
  on(GatewayDispatchEvents.Ready, (_: unknown, shard) => catchUpWith(catchUp.sessionStarted(shard)))
  on(GatewayDispatchEvents.GuildCreate, (raw: RawGuild) => catchUpWith(catchUp.guildSeen(raw)))
  on(GatewayDispatchEvents.MessageCreate, (told: RawMessage) => {
    const raw = takeMessage(told)
    inOrder(raw, () => handlers.message(raw, { guildId: raw.guild_id }))
  })
  on(GatewayDispatchEvents.MessageUpdate, (told: RawMessage) => {
    const raw = takeMessage(told)
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

/** Channels that are read back at once: their requests share the pace of the bot with answers. */
const MAX_PARALLEL_READS = 10

/** Runs at most `most` tasks at once, in order; a task that somebody waits for starts at once. */
function createLimiter(most: number) {
  let free = most
  const waiting = new Map<string, () => void>()
  let keys = waiting.keys()
  /** One iterator is kept: a new one would step over every removed entry again. */
  const oldest = (): string | undefined => {
    const { value, done } = keys.next()
    if (done !== true) return value
    keys = waiting.keys()
    return keys.next().value
  }
  const begin = (key: string) => {
    const go = waiting.get(key)
    if (go === undefined) return
    waiting.delete(key)
    free -= 1
    go()
  }
  return {
    hurry: begin,
    async run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
      if (free > 0) free -= 1
      else await new Promise<void>((go) => waiting.set(key, go))
      try {
        return await task()
      } finally {
        free += 1
        const next = free > 0 ? oldest() : undefined
        if (next !== undefined) begin(next)
      }
    },
  }
}

/** Tasks of one key run in order, one at a time. A task that fails does not stop the next ones. */
interface Queues {
  /** @param onEnd hears whether the task succeeded: it neither failed nor gave false */
  run(key: string, task: () => Promise<unknown>, onEnd?: (isDone: boolean) => void): void
  settled(): Promise<void>
}

function createQueues(onError: (error: unknown) => void): Queues {
  const lock = createKeyedMutex()
  const running = new Set<Promise<unknown>>()
  return {
    run(key, task, onEnd) {
      const end = async () => {
        try {
          const result = await lock(key, task)
          onEnd?.(result !== false)
        } catch (error) {
          onError(error)
          onEnd?.(false)
        }
      }
      const work: Promise<unknown> = end().finally(() => running.delete(work))
      running.add(work)
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/**
 * The message as it came. discord.js reads the same object afterwards, and throws, outside of anything that could catch
 * it, when some fields are null instead of absent, and for a forward within a forward: it gets neither.
 */
function takeMessage(raw: RawMessage): RawMessage {
  const fields = raw as unknown as Record<string, unknown>
  for (const [name, value] of Object.entries(fields)) if (value === null) delete fields[name]
  const whole = { ...raw }
  delete fields['message_snapshots']
  return whole
}
