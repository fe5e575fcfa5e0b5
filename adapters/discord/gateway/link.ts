import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'discord.js'
import { isTransientFailure } from '#bridge/port/errors.ts'
import { pauseBefore } from '#bridge/port/outage.ts'
import type { Log } from '#bridge/port/platform.ts'
import type { DiscordTimes } from '../config.ts'
import { closeSentence, DISALLOWED_INTENTS, isIntentRefusal } from '../errors.ts'
import type { Connection, createConnections } from './client.ts'
import type { MessageContent } from './message-content.ts'
import { type Watch, watchConnection } from './watch.ts'

interface LoginOptions {
  readonly content: MessageContent
  readonly times: Pick<DiscordTimes, 'identifyMs'>
  readonly token: string
  readonly signal: AbortSignal
  /** Called with each client before its login, so that no event is missed. */
  readonly hear: (client: Client) => void
}

/** Logs in; where Discord refuses the intent, once more without it. */
async function loginAllowed(next: () => Connection, options: LoginOptions): Promise<Connection> {
  const { content, times, token, signal, hear } = options
  for (;;) {
    const opened = next()
    hear(opened.client)
    try {
      await opened.login(token, signal)
      return opened
    } catch (error) {
      if (!isIntentRefusal(error) || !content.refuse()) throw error
      // Discord allows one new session every five seconds.
      await sleep(times.identifyMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}

interface LinkOptions {
  readonly connections: Pick<ReturnType<typeof createConnections>, 'current' | 'next'>
  readonly content: MessageContent
  readonly times: DiscordTimes
  readonly log: Log
  readonly token: string
  /** Aborts when the adapter stops. */
  readonly signal: AbortSignal
  /** Called when events flow. */
  readonly onReady: (client: Client) => Promise<void>
  readonly onFatal: (error: Error) => void
}

/** The connection to Discord: one client, or another one that takes its place where Discord takes the intent away. */
export function createLink({ connections, content, times, log, token, signal, onReady, onFatal }: LinkOptions) {
  let watch: Watch | undefined

  /** @param hear called with each client before its login */
  async function open(hear: (client: Client) => void): Promise<void> {
    const opened = await loginAllowed(connections.next, { content, times, token, signal, hear })
    const onClosed = (code: number) => {
      if (code === DISALLOWED_INTENTS && content.refuse()) void openAgain(hear)
      else onFatal(closeSentence(code))
    }
    watch = watchConnection(opened, { log, times, onClosed })
    await onReady(opened.client)
  }

  async function openAgain(hear: (client: Client) => void): Promise<void> {
    watch?.stop()
    watch = undefined
    const gone = connections.current()
    for (let failures = 0; ; failures += 1) {
      try {
        const pauseMs = Math.max(times.identifyMs, pauseBefore(failures, times.reconnectMs))
        await sleep(pauseMs, undefined, { signal })
        // The next client is there before the last one ends: calls go on.
        await Promise.all([open(hear), failures === 0 && gone.close()])
        return
      } catch (error) {
        if (signal.aborted) return
        if (!isTransientFailure(error)) return onFatal(error instanceof Error ? error : new Error(String(error)))
      }
    }
  }

  return { open, isLost: () => watch?.isLost() !== false, stop: () => watch?.stop() }
}
