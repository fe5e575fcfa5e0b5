import type { ConversationRef } from '#bridge/port/message.ts'
import { SESSION_REFRESH_MS, STATUS_REFRESH_MS } from '../config.ts'
import { keyOf, type SessionStatus, type Sessions } from './sessions.ts'

/** How our message shows: a stream takes the session over, and ends with it; any other leaves it as it is. */
export type Shown = 'posted' | 'streamed'

/** A status that is shown. */
interface Status {
  readonly end: (how?: Shown) => void
  readonly isTold: () => boolean
}

/** @param refreshMs below two minutes, after which Slack removes an older status line */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createStatuses(sessions: Sessions, refreshMs?: number) {
  const live = new Map<string, Status>()
  /** Statuses that were on their way when a stream began. */
  const late = new Map<string, Promise<void>>()
  const waitMs = () => refreshMs ?? (sessions.isUsed() ? SESSION_REFRESH_MS : STATUS_REFRESH_MS)

  /** The work of a later question in the same thread goes on. */
  const rest = (conversation: ConversationRef, to: SessionStatus = 'active') =>
    sessions.set(conversation, to, '', () => !live.has(keyOf(conversation)))

  return {
    show: async (conversation: ConversationRef, text: string, signal: AbortSignal): Promise<void> => {
      if (signal.aborted) return
      const key = keyOf(conversation)
      const before = live.get(key)
      before?.end('streamed')
      let underWay: Promise<void> | undefined
      let timer: NodeJS.Timeout | undefined
      let isOver = false
      // A session has no words: it goes on as it is.
      let wasTold = sessions.isUsed() && before?.isTold() === true
      const again = () => void (timer = setTimeout(() => void tell(), waitMs()).unref())
      const tell = async () => {
        const told = sessions.set(conversation, 'processing', text, () => {
          if (isOver) return false
          underWay = told
          return (wasTold = true)
        })
        await told
        underWay = undefined
        if (!isOver) again()
      }
      const clear = async () => {
        await underWay
        await rest(conversation)
      }
      const end = (how: Shown = 'posted') => {
        isOver = true
        clearTimeout(timer)
        signal.removeEventListener('abort', fade)
        if (live.get(key) === status) live.delete(key)
        const sent = underWay
        if (how === 'streamed' && sessions.isUsed()) {
          if (sent !== undefined)
            late.set(
              key,
              sent.finally(() => late.delete(key)),
            )
          return
        }
        // A line set after the message would stay for two minutes; a session ends with no message.
        if (sent !== undefined || (wasTold && sessions.isUsed())) void clear()
      }
      function fade() {
        const isShown = wasTold && underWay === undefined && !sessions.isUsed()
        end()
        if (isShown) void clear()
      }
      const status: Status = { end, isTold: () => wasTold }
      signal.addEventListener('abort', fade, { once: true })
      live.set(key, status)
      if (wasTold) again()
      else await tell()
    },
    /** Called when our message is visible. */
    shown(conversation: ConversationRef, how: Shown): void {
      live.get(keyOf(conversation))?.end(how)
      if (how === 'streamed') sessions.begun(conversation)
    },
    /** Called when a stream has ended, and its session with it: a status that came later would stay. */
    async ended(conversation: ConversationRef): Promise<void> {
      const sent = late.get(keyOf(conversation))
      if (sent === undefined) return
      await sent
      await rest(conversation)
    },
    /** Changes a session unless work goes on in it; an older line has no such status. */
    setIdle: async (conversation: ConversationRef, to: SessionStatus): Promise<void> => {
      if (sessions.isUsed()) await rest(conversation, to)
    },
    stop(): void {
      for (const { end } of live.values()) end()
    },
  }
}

export type Statuses = ReturnType<typeof createStatuses>
