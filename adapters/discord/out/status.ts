import { Routes } from 'discord.js'
import type { ConversationRef } from '../../../src/bridge/port/message.ts'
import { targetOf } from '../channels.ts'
import type { Rest } from '../rest.ts'

/** "Footbridge is typing…": Discord shows it for 10 s or until we post. */
export interface Typing {
  /** Resolves when the first sign was sent or failed. */
  show(conversation: ConversationRef, signal: AbortSignal): Promise<void>
  /** Called when our message appears: ends the oldest sign of this channel. */
  readonly posted: (conversation: ConversationRef) => void
  stop(): void
}

export function createTyping(rest: Rest, intervalMs: number): Typing {
  const active = new Map<string, Set<() => void>>()
  /** Discord shows no text: another status of the same work is the same sign. */
  const known = new WeakSet<AbortSignal>()

  return {
    async show(conversation, signal) {
      if (signal.aborted || known.has(signal)) return
      known.add(signal)
      const channel = targetOf(conversation)
      // A failed sign is ignored and not repeated.
      const sign = () => rest.post(Routes.channelTyping(channel), undefined, { retry: false }).catch(() => {})
      const timer = setInterval(() => void sign(), intervalMs)
      const ends = active.get(channel) ?? new Set()
      active.set(channel, ends)
      const end = () => {
        clearInterval(timer)
        signal.removeEventListener('abort', end)
        ends.delete(end)
        if (ends.size === 0 && active.get(channel) === ends) active.delete(channel)
      }
      ends.add(end)
      signal.addEventListener('abort', end, { once: true })
      await sign()
    },
    posted: (conversation) => {
      const [oldest] = active.get(targetOf(conversation)) ?? []
      oldest?.()
    },
    stop() {
      for (const all of active.values()) for (const end of all) end()
    },
  }
}
