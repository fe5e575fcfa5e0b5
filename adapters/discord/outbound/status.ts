import { Routes } from 'discord.js'
import type { ConversationRef } from '#bridge/port/message.ts'
import { targetOf } from '../channels.ts'
import type { Rest } from '../rest.ts'

/** "Footbridge is typing…": Discord shows it for 10 s or until we post. */
export function createTyping(rest: Pick<Rest, 'post' | 'isBusy'>, intervalMs: number) {
  const active = new Map<string, Set<() => void>>()
  /** Discord shows no text: another status of the same work is the same sign. */
  const known = new WeakSet<AbortSignal>()

  return {
    /** Resolves when the first sign was sent or failed. */
    async show(conversation: ConversationRef, signal: AbortSignal): Promise<void> {
      if (signal.aborted || known.has(signal)) return
      known.add(signal)
      const channel = targetOf(conversation)
      // A failed sign is ignored and not repeated.
      const sign = () => rest.post(Routes.channelTyping(channel), undefined, { retry: false }).catch(() => {})
      // Where answers wait for their requests, signs of typing would make them wait longer.
      const timer = setInterval(() => void (rest.isBusy() || sign()), intervalMs)
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
    /** Called when our message appears: ends the oldest sign of this channel. */
    posted: (conversation: ConversationRef): void => {
      const [oldest] = active.get(targetOf(conversation)) ?? []
      oldest?.()
    },
    stop(): void {
      for (const all of active.values()) for (const end of all) end()
    },
  }
}
