import { setTimeout as sleep } from 'node:timers/promises'
import { type APIInteraction, type Client, GatewayDispatchEvents } from 'discord.js'
import type { Receive } from '../../../src/bridge/port/adapter.ts'
import type { Inbound } from '../../../src/bridge/port/message.ts'
import type { Log } from '../../../src/bridge/port/platform.ts'
import { createCatchUp, type GuildNews, markKey } from './catch-up.ts'
import type { DiscordTimes } from '../config.ts'
import { createInbox, type Deleted, type InboxOptions } from './events.ts'
import { createLanes } from './queues.ts'
import { frozen, type RawMessage } from './message.ts'
import { isPin, type Reaction } from './reactions.ts'

export interface Intake {
  /** Takes no more events and waits for those under way. */
  stop(): Promise<void>
}

type IntakeOptions = Omit<InboxOptions, 'hand' | 'times'> & {
  readonly client: Client
  readonly receive: Receive
  readonly log: Log
  readonly times: Pick<DiscordTimes, 'deliveries' | 'catchUpAge'>
}

/**
 * Listens to the gateway and hands over in order per channel, presses of buttons beside that, since they have to be
 * acknowledged within 3 s. Call it before `login`, so that nothing slips by.
 *
 * The events are read as they come over the wire: discord.js's own objects depend on what it happens to have cached.
 */
export function openIntake(options: IntakeOptions): Intake {
  const { client, calls, marks, receive, log, times } = options
  const failed = (what: string) => (error: unknown) => log.error({ err: error }, what)
  const lanes = createLanes(failed('A Discord event could not be handled'))
  const presses = createLanes(failed('A press of a button could not be handled'))
  let open = true

  async function hand(inbound: Inbound): Promise<void> {
    frozen(inbound)
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await receive(inbound)
      } catch (error) {
        const wait = times.deliveries[attempt]
        if (wait === undefined || !open) throw error
        log.warn({ err: error, key: inbound.key }, 'An event could not be stored; trying again')
        await sleep(wait)
      }
    }
  }

  const inbox = createInbox({ ...options, hand })
  const catchUp = createCatchUp({ calls, marks, log, deliver: (raw) => inbox.message(raw, undefined) })
  const look = (places: readonly { readonly key: string; readonly channel: string }[]) => {
    for (const { key, channel } of places) lanes.run(channel, () => catchUp.ensure(key, channel))
  }
  const inLane = (channelId: string, guildId: string | undefined, task: () => Promise<void>) => {
    lanes.run(channelId, async () => {
      await catchUp.ensure(markKey(channelId, guildId === undefined), channelId)
      await task()
    })
  }

  const { ws } = client
  const ifOpen =
    <Payload>(take: (payload: Payload) => void) =>
    (payload: Payload) => {
      if (open) take(payload)
    }
  ws.on(
    GatewayDispatchEvents.Ready,
    ifOpen(() => look(catchUp.sessionStarted())),
  )
  ws.on(
    GatewayDispatchEvents.GuildCreate,
    ifOpen((guild: GuildNews) => look(catchUp.guildSeen(guild))),
  )
  ws.on(
    GatewayDispatchEvents.MessageCreate,
    ifOpen((raw: RawMessage) => {
      dropNulls(raw)
      inLane(raw.channel_id, raw.guild_id, () => inbox.message(raw, { guildId: raw.guild_id }))
    }),
  )
  ws.on(
    GatewayDispatchEvents.MessageUpdate,
    ifOpen((raw: RawMessage) => {
      dropNulls(raw)
      inLane(raw.channel_id, raw.guild_id, () => inbox.edit(raw, raw.guild_id))
    }),
  )
  ws.on(
    GatewayDispatchEvents.MessageDelete,
    ifOpen((gone: Deleted) => inLane(gone.channel_id, gone.guild_id, () => inbox.remove(gone))),
  )
  ws.on(
    GatewayDispatchEvents.MessageDeleteBulk,
    ifOpen((gone: Deleted & { readonly ids: readonly string[] }) => {
      for (const id of gone.ids) inLane(gone.channel_id, gone.guild_id, () => inbox.remove({ ...gone, id }))
    }),
  )
  ws.on(
    GatewayDispatchEvents.MessageReactionAdd,
    ifOpen((raw: Reaction) => {
      if (isPin(raw)) inLane(raw.channel_id, raw.guild_id, () => inbox.react(raw))
    }),
  )
  ws.on(
    GatewayDispatchEvents.InteractionCreate,
    ifOpen((raw: APIInteraction) => presses.run(raw.id, () => inbox.press(raw))),
  )

  return {
    async stop() {
      open = false
      await Promise.all([lanes.settled(), presses.settled()])
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
