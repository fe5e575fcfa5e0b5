import { type Client, Events } from 'discord.js'
import type { Log } from '../../../src/bridge/port/platform.ts'
import type { DiscordTimes } from '../config.ts'
import { closeSentence } from '../errors.ts'

interface WatchOptions {
  readonly log: Log
  readonly times: Pick<DiscordTimes, 'lostMs' | 'heartbeatMs'>
  readonly onFatal: (error: Error) => void
}

/** A gateway connection that is lost. */
interface Lost {
  readonly since: number
  readonly alarm: NodeJS.Timeout
}

/** The state of the gateway connections. */
export interface Connection {
  /** Whether a shard hears nothing: lost, or without an acknowledged heartbeat for too long. */
  readonly isLost: () => boolean
  readonly stop: () => void
}

/** Logs the state of each connection; a permanent loss goes to `onFatal`. */
export function watchConnection(client: Client, { log, times, onFatal }: WatchOptions): Connection {
  const lost = new Map<number, Lost>()
  const readyAt = new Map<number, number>()
  const back = (shard: number, message: string) => {
    const gone = lost.get(shard)
    readyAt.set(shard, Date.now())
    if (gone === undefined) return
    clearTimeout(gone.alarm)
    lost.delete(shard)
    log.info({ shard, awayMs: Date.now() - gone.since }, message)
  }
  client.on(Events.Error, (error) =>
    log.warn({ err: error }, 'The Discord library failed: restart Footbridge if this stays'),
  )
  client.on(Events.ShardError, (error, shard) =>
    log.warn(
      { err: error, shard },
      'The Discord gateway connection failed; it is opened again. If this stays, check the network',
    ),
  )
  client.on(Events.ShardReconnecting, (shard) => {
    if (lost.has(shard)) return
    log.warn({ shard }, 'The Discord gateway connection was lost; reconnecting')
    // discord.js retries forever without a word: without this line a dead connection looks healthy.
    const alarm = setTimeout(() => {
      log.error({ shard }, 'Discord has been unreachable for a while; questions asked there wait. Check the network')
    }, times.lostMs)
    alarm.unref()
    lost.set(shard, { since: Date.now(), alarm })
  })
  client.on(Events.ShardResume, (shard) => back(shard, 'The Discord gateway connection is back; nothing was missed'))
  client.on(Events.ShardReady, (shard) => back(shard, 'The Discord gateway connection is back with a new session'))
  client.on(Events.ShardDisconnect, ({ code }) => onFatal(closeSentence(code)))
  client.on(Events.Invalidated, () => onFatal(closeSentence(4004)))
  client.rest.on('invalidRequestWarning', ({ count, remainingTime }) => {
    log.warn({ count, remainingTime }, 'Discord refused many requests: check the permissions of Footbridge')
  })
  const isSilent = (shard: number, heartbeatAt: number) =>
    Date.now() - Math.max(heartbeatAt, readyAt.get(shard) ?? Date.now()) > times.heartbeatMs
  const watch = watchHeartbeats(client, { log, isSilent, everyMs: times.heartbeatMs / 4 })
  return {
    isLost: () => lost.size > 0 || watch.silent().length > 0,
    stop: () => {
      clearInterval(watch.timer)
      for (const { alarm } of lost.values()) clearTimeout(alarm)
    },
  }
}

/** A connection may look open while nobody answers on it: the age of its newest acknowledged heartbeat tells. */
function watchHeartbeats(
  client: Client,
  options: {
    readonly log: Log
    readonly everyMs: number
    readonly isSilent: (shard: number, heartbeatAt: number) => boolean
  },
) {
  const { log, isSilent, everyMs } = options
  const logged = new Set<number>()
  const silent = () =>
    [...client.ws.shards.values()]
      .filter(({ id, lastPingTimestamp }) => isSilent(id, lastPingTimestamp))
      .map(({ id }) => id)
  const timer = setInterval(() => {
    const now = new Set(silent())
    for (const shard of now) {
      if (logged.has(shard)) continue
      logged.add(shard)
      log.error(
        { shard },
        'A Discord gateway connection is open, but Discord does not answer on it; questions there wait. Check the network',
      )
    }
    for (const shard of logged) if (!now.has(shard)) logged.delete(shard)
  }, everyMs)
  timer.unref()
  return { silent, timer }
}
