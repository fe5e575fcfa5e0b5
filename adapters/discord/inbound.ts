import { setTimeout as sleep } from 'node:timers/promises'
import { type APIInteraction, type Client, GatewayDispatchEvents, InteractionType, Routes } from 'discord.js'
import type { Receive } from '../../src/bridge/adapter.ts'
import type { Inbound, Message } from '../../src/bridge/message.ts'
import type { Log } from '../../src/bridge/ports.ts'
import { createBounded } from './bounded.ts'
import { readCustomId } from './buttons.ts'
import type { Calls } from './calls.ts'
import { createCatchUp, type GuildNews, markKey, timeOf } from './catch-up.ts'
import type { Channels } from './channels.ts'
import type { DiscordTimes } from './config.ts'
import type { ReadMarks } from './cursors.ts'
import { createLanes } from './lanes.ts'
import type { Names } from './mentions.ts'
import { frozen, isFromPerson, type RawMessage, toAuthor, toMessage } from './message.ts'

const acknowledgeUpdate = 6

interface Deleted {
  readonly id: string
  readonly channel_id: string
  readonly guild_id?: string
}

export interface Intake {
  /** Takes no more events and waits for those under way. */
  stop(): Promise<void>
}

export interface IntakeOptions {
  readonly client: Client
  readonly calls: Calls
  readonly channels: Channels
  readonly marks: ReadMarks
  readonly receive: Receive
  readonly log: Log
  readonly names: (workspace: string) => Names
  readonly times: Pick<DiscordTimes, 'deliveries' | 'catchUpAge'>
  /** Our own messages as the gateway tells of them: by nonce they are found again. */
  readonly sawOwn: (raw: RawMessage) => void
  /** True for a message that we removed ourselves: that is no news. */
  readonly removedByUs: (messageId: string) => boolean
}

/** Turns gateway events into what the bridge takes, in order per channel. Call it before `login`, so that nothing slips by. */
export function openIntake(options: IntakeOptions): Intake {
  const { client, calls, channels, marks, receive, log, times } = options
  const lanes = createLanes((error) => log.error({ err: error }, 'A Discord event could not be handled'))
  const presses = createLanes((error) =>
    log.error({ err: error }, 'A press of a button could not be handled'),
  )
  const texts = createBounded<string>(5000)
  let open = true

  const catchUp = createCatchUp({ calls, marks, log, deliver: (raw) => takeMessage(raw, undefined) })

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

  /** `guildId` is known for live events; a message read again is placed by its channel. */
  async function takeMessage(raw: RawMessage, live: { readonly guildId: string | undefined } | undefined) {
    if (raw.author?.id === client.user?.id) options.sawOwn(raw)
    const conversation = await channels.conversation(raw.channel_id, live)
    const key = markKey(raw.channel_id, conversation.direct)
    try {
      if (isFromPerson(raw)) {
        texts.set(raw.id, raw.content)
        const message = toMessage(raw, conversation, options.names(conversation.workspace))
        const due = live === undefined ? agedMessage(message, times.catchUpAge) : message
        if (due !== undefined)
          await hand({ kind: 'message', key: keyOf(raw.channel_id, raw.id), message: due })
      }
    } catch (error) {
      marks.hold(key)
      throw error
    }
    marks.advance(key, raw.id)
  }

  /** Discord sends MESSAGE_UPDATE also for link previews and pins: only changed words are an edit. */
  async function takeEdit(raw: RawMessage, guildId: string | undefined) {
    const editedAt = raw.edited_timestamp
    if (raw.content === undefined || editedAt === null || editedAt === undefined || !isFromPerson(raw)) return
    if (texts.get(raw.id) === raw.content) return
    texts.set(raw.id, raw.content)
    const conversation = await channels.conversation(raw.channel_id, { guildId })
    const message = toMessage(raw, conversation, options.names(conversation.workspace))
    await hand({ kind: 'edit', key: `${keyOf(raw.channel_id, raw.id)}:edit:${editedAt}`, message })
  }

  async function takeDelete({ id, channel_id: channelId, guild_id: guildId }: Deleted) {
    if (options.removedByUs(id)) return
    const conversation = await channels.conversation(channelId, { guildId })
    await hand({ kind: 'delete', key: `${keyOf(channelId, id)}:delete`, conversation, messageId: id })
  }

  /** A press that is not acknowledged within 3 s shows as failed: exactly right when it could not be stored. */
  async function takePress(raw: APIInteraction) {
    if (raw.type !== InteractionType.MessageComponent) return
    const action = readCustomId(raw.data.custom_id)
    const user = raw.member?.user ?? raw.user
    if (action === undefined || user === undefined) return
    const conversation = await channels.conversation(raw.channel.id, { guildId: raw.guild_id })
    const author = { ...toAuthor(user, raw.member?.nick), language: raw.locale }
    const key = `discord:interaction:${raw.id}`
    await hand({ kind: 'action', key, conversation, author, messageId: raw.message.id, action })
    const callback = Routes.interactionCallback(raw.id, raw.token)
    await calls.post(callback, { type: acknowledgeUpdate }, { auth: false, retry: false })
  }

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
      inLane(raw.channel_id, raw.guild_id, () => takeMessage(raw, { guildId: raw.guild_id }))
    }),
  )
  ws.on(
    GatewayDispatchEvents.MessageUpdate,
    ifOpen((raw: RawMessage) => {
      dropNulls(raw)
      inLane(raw.channel_id, raw.guild_id, () => takeEdit(raw, raw.guild_id))
    }),
  )
  ws.on(
    GatewayDispatchEvents.MessageDelete,
    ifOpen((gone: Deleted) => inLane(gone.channel_id, gone.guild_id, () => takeDelete(gone))),
  )
  ws.on(
    GatewayDispatchEvents.MessageDeleteBulk,
    ifOpen((gone: Deleted & { readonly ids: readonly string[] }) => {
      for (const id of gone.ids) inLane(gone.channel_id, gone.guild_id, () => takeDelete({ ...gone, id }))
    }),
  )
  ws.on(
    GatewayDispatchEvents.InteractionCreate,
    ifOpen((raw: APIInteraction) => presses.run(raw.id, () => takePress(raw))),
  )

  return {
    async stop() {
      open = false
      await Promise.all([lanes.settled(), presses.settled()])
    },
  }
}

const keyOf = (channelId: string, messageId: string) => `discord:${channelId}:${messageId}`

/** discord.js throws, outside of anything that could catch it, when one of these is null instead of absent. */
function dropNulls(raw: RawMessage): void {
  const fields = raw as unknown as Record<string, unknown>
  for (const name of ['embeds', 'components', 'thread', 'attachments', 'mentions']) {
    if (fields[name] === null) delete fields[name]
  }
}

/** A question from long ago is not answered out of the blue; files are taken whenever they were dropped. */
function agedMessage(message: Message, ageMs: number): Message | undefined {
  if (Date.now() - timeOf(message.id) <= ageMs) return message
  const attachments = message.attachments.filter(({ kind }) => kind !== 'voice')
  if (attachments.length === 0) return undefined
  const { replyTo: _replyTo, ...rest } = message
  return { ...rest, text: '', addressed: false, mentionsOthers: false, attachments }
}
