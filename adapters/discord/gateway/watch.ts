import { type Client, Events } from 'discord.js'
import type { Log } from '#bridge/port/platform.ts'
import { createLinePace } from '#bridge/port/outage.ts'
import type { DiscordTimes } from '../config.ts'
import type { Connection } from './client.ts'

const AUTHENTICATION_FAILED = 4004

interface WatchOptions {
  readonly log: Log
  readonly times: Pick<DiscordTimes, 'lostMs' | 'heartbeatMs'>
  /** Discord has closed a connection for good, with this code. */
  readonly onClosed: (code: number) => void
}

/** The state of the gateway connections. */
export interface Watch {
  /** Whether a shard hears nothing: lost, or without an acknowledged heartbeat for too long. */
  readonly isLost: () => boolean
  readonly stop: () => void
}

/** Logs the state of the connections; a permanent loss goes to `onClosed`. Begin with it once they are open. */
export function watchConnection(connection: Connection, { log, times, onClosed }: WatchOptions): Watch {
  const { client } = connection
  const outage = watchOutages(connection, log, times.lostMs)
  const begunAt = Date.now()
  const readyAt = new Map<number, number>()
  const back = (shard: number) => void readyAt.set(shard, Date.now())
  client.on(Events.ShardResume, back)
  client.on(Events.ShardReady, back)
  client.on(Events.ShardDisconnect, ({ code }) => onClosed(code))
  client.on(Events.Invalidated, () => onClosed(AUTHENTICATION_FAILED))
  const isSilent = (shard: number, heartbeatAt: number) =>
    !outage.isLost(shard) && Date.now() - Math.max(heartbeatAt, readyAt.get(shard) ?? begunAt) > times.heartbeatMs
  const watch = watchHeartbeats(client, { log, isSilent, everyMs: times.heartbeatMs / 4 })
  return {
    isLost: () => outage.isLost() || watch.silent().length > 0,
    stop: () => {
      client.removeAllListeners(Events.ShardDisconnect)
      clearInterval(watch.timer)
      outage.stop()
    },
  }
}

/** An outage: from the first connection that is lost until all are open again. */
interface Outage {
  readonly since: number
  readonly shards: Set<number>
  readonly alarm: NodeJS.Timeout
  /** Whether its begin is in the log. */
  readonly isTold: boolean
  attempts: number
  reason?: string
  isNewSession: boolean
}

/** At most one line a minute about outages, however many connections are lost and however often they are tried. */
function watchOutages(connection: Connection, log: Log, everyMs: number) {
  const { client } = connection
  const lines = createLinePace(everyMs)
  let outage: Outage | undefined
  let reason: string | undefined

  const fieldsOf = (gone: Outage) => ({
    shards: [...gone.shards],
    awayMs: Date.now() - gone.since,
    attempts: gone.attempts,
    reason: gone.reason,
  })
  function begin(): Outage {
    const isTold = lines.isDue()
    if (isTold) log.warn({ reason }, 'The Discord gateway connection was lost; reconnecting')
    // discord.js retries forever without a word: without this line a dead connection looks healthy.
    const alarm = setInterval(() => {
      if (outage === undefined || !lines.isDue()) return
      log.error(
        fieldsOf(outage),
        'Discord has been unreachable for a while; questions asked there wait. Check the network',
      )
    }, everyMs).unref()
    return { since: Date.now(), shards: new Set(), alarm, isTold, attempts: 0, reason, isNewSession: false }
  }
  function back(shard: number, isNewSession: boolean): void {
    reason = undefined
    if (outage?.shards.delete(shard) !== true) return
    outage.isNewSession ||= isNewSession
    if (outage.shards.size > 0) return
    clearInterval(outage.alarm)
    const { shards: _none, ...fields } = fieldsOf(outage)
    if (outage.isTold || fields.awayMs > everyMs)
      log.info(
        fields,
        outage.isNewSession
          ? 'The Discord gateway connection is back with a new session'
          : 'The Discord gateway connection is back; nothing was missed',
      )
    outage = undefined
  }

  client.on(Events.ShardError, (error) => {
    reason = error.message
    if (outage !== undefined) outage.reason = reason
  })
  client.on(Events.ShardReconnecting, (shard) => {
    outage ??= begin()
    outage.shards.add(shard)
  })
  connection.onRetry(() => void (outage && (outage.attempts += 1)))
  client.on(Events.ShardResume, (shard) => back(shard, false))
  client.on(Events.ShardReady, (shard) => back(shard, true))
  return {
    /** Without a shard: any. */
    isLost: (shard?: number) => (shard === undefined ? outage !== undefined : outage?.shards.has(shard) === true),
    stop() {
      clearInterval(outage?.alarm)
      // discord.js reports our own closing as a lost connection.
      client.removeAllListeners(Events.ShardReconnecting)
    },
  }
}

/** A connection may look open while its other end is gone: the age of its newest acknowledged heartbeat tells. */
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
