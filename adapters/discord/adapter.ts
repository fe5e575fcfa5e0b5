import { setTimeout as sleep } from 'node:timers/promises'
import { Events } from 'discord.js'
import type { Adapter } from '../../src/bridge/port/adapter.ts'
import { AdapterError } from '../../src/bridge/port/errors.ts'
import { createCalls } from './rest.ts'
import { createChannels, linkOf } from './channels.ts'
import { defaultTimes, type DiscordAdapterOptions, messageLimits } from './config.ts'
import { createClient, login, watchConnection } from './gateway.ts'
import { createReadMarks } from './in/read-marks.ts'
import { createDownload } from './in/download.ts'
import { createHistory } from './in/history.ts'
import { type Intake, openIntake } from './in/gateway-events.ts'
import { measure } from './out/markup.ts'
import { toMessage } from './in/message.ts'
import { createOutbound } from './out/post.ts'
import { createRooms } from './permissions.ts'
import { createTyping } from './out/status.ts'
import { createWhispers } from './out/ephemeral.ts'

/** What the adapter does beyond `Adapter`'s required members, as present members. */
export type DiscordAdapter = Adapter & Required<Omit<Adapter, 'stream'>>

const nothingToRemember = { all: () => Promise.resolve([]), set: () => Promise.resolve() }

/**
 * Discord through discord.js: mentions, direct messages, replies, threads, files and voice messages in; messages, paced
 * edits, buttons and typing out.
 */
export function createDiscordAdapter(options: DiscordAdapterOptions): DiscordAdapter {
  const { log } = options
  const times = { ...defaultTimes, ...options.times }
  const limited = { until: 0 }
  const client = createClient(options, times, limited)
  let state: 'new' | 'started' | 'stopped' = 'new'
  let intake: Intake | undefined
  let stopping: Promise<void> | undefined
  let failed = false

  const fatal = (error: Error) => {
    if (state !== 'started' || failed) return
    failed = true
    log.error({ err: error }, `Discord is lost: ${error.message}`)
    options.onFatal?.(error)
  }
  const me = () => client.user?.id ?? ''
  const calls = createCalls({ client, times, limited, onUnauthorized: fatal })
  const channels = createChannels(client, calls, log)
  const typing = createTyping(calls, times.typing)
  const application = () => client.application?.id ?? me()
  const whispers = createWhispers({ calls, application })
  const outbound = createOutbound({ calls, me, times, posted: typing.posted, whispers })
  const rooms = createRooms({ calls, log, me })
  const marks = createReadMarks(options.cursors ?? nothingToRemember, log)
  const names = (workspace: string) => ({
    me: me(),
    channelName: channels.channelName,
    role: (id: string) => channels.role(id, workspace),
  })
  const history = createHistory({
    calls,
    me,
    read: (raw, conversation) => toMessage(raw, conversation, names(conversation.workspace)),
  })
  const open = createDownload({ calls, fileHosts: options.fileHosts ?? [], idleMs: times.file })

  const connected = () => {
    if (state === 'started') return
    throw new AdapterError('network', 'Footbridge is not connected to Discord: it is starting or stopping.')
  }

  async function settle(): Promise<void> {
    await intake?.stop()
    await outbound.settled()
    await calls.settled()
  }

  async function shutDown(): Promise<void> {
    // Calls that are queued still go out after `destroy`, new ones would fail: so wait, but not for ever.
    const limit = new AbortController()
    await Promise.race([settle(), sleep(times.stop, undefined, { signal: limit.signal }).catch(() => {})])
    limit.abort()
    typing.stop()
    await marks.flush()
    // discord.js calls our own closing a loss.
    client.removeAllListeners(Events.ShardReconnecting)
    await client.destroy()
  }

  return {
    name: 'discord',
    limits: {
      textLength: messageLimits.content,
      measure,
      editIntervalMs: times.editPace,
    },
    async start(receive) {
      if (state !== 'new') throw new AdapterError('invalid', 'This Discord adapter was started before.')
      if (options.token.trim() === '') {
        throw new AdapterError(
          'unauthorized',
          'DISCORD_TOKEN is empty. Copy it from the Bot page of the application.',
        )
      }
      await marks.load()
      intake = openIntake({
        client,
        me,
        calls,
        channels,
        marks,
        receive,
        log,
        names,
        times,
        sawOwn: history.sawOwn,
        heard: whispers.heard,
        removedByUs: outbound.removedByUs,
      })
      watchConnection(client, { log, lostMs: times.lost, onFatal: fatal })
      await login(client, options.token, times)
      // From here on, whatever is said in a channel is found again, also after a crash.
      await marks.flush()
      state = 'started'
      log.info({ user: client.user?.username, guilds: client.guilds.cache.size }, 'Discord is connected')
    },
    stop() {
      const wasStarted = state === 'started'
      state = 'stopped'
      stopping ??= wasStarted ? shutDown() : client.destroy()
      return stopping
    },
    async post(conversation, outgoing) {
      connected()
      return outbound.post(conversation, outgoing)
    },
    open,
    async edit(ref, outgoing) {
      connected()
      await outbound.edit(ref, outgoing)
    },
    async remove(ref) {
      connected()
      await outbound.remove(ref)
    },
    status: (conversation, _text, signal) => typing.show(conversation, signal),
    async find(conversation, send) {
      connected()
      return history.find(conversation, send)
    },
    async history(conversation, before) {
      connected()
      return history.before(conversation, before)
    },
    async read(ref) {
      connected()
      return history.one(ref)
    },
    async upload(conversation, file, outgoing) {
      connected()
      return outbound.upload(conversation, file, outgoing)
    },
    async isMember(conversation, person) {
      connected()
      return rooms.isMember(conversation, person)
    },
    async isAdmin(conversation, person) {
      connected()
      return rooms.isAdmin(conversation, person)
    },
    async about(conversation) {
      connected()
      return rooms.about(conversation)
    },
    permalink: (ref) => Promise.resolve(linkOf(ref.conversation, ref.id)),
  }
}
