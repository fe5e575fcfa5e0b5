import type { ConversationRef } from '#bridge/port/message.ts'
import type { Log } from '#bridge/port/platform.ts'
import { type Api, REPEATABLE_NOW } from '../api.ts'
import { slackCode } from '../errors.ts'

const keyOf = ({ channel, thread }: ConversationRef) => `${channel}:${thread ?? ''}`

/** Returned: `begins` is called when the call has its turn; false: it is not wanted any more. */
function createSetStatus(api: Api, log: Log) {
  const reported = new Set<string>()

  return async function set(
    { channel, thread }: ConversationRef,
    status: string,
    begins: () => boolean = () => true,
  ): Promise<void> {
    if (thread === undefined) return
    try {
      await api.call(
        'assistant.threads.setStatus',
        async (web) => {
          if (begins()) await web.assistant.threads.setStatus({ channel_id: channel, thread_ts: thread, status })
        },
        REPEATABLE_NOW,
      )
    } catch (error) {
      const why = slackCode(error) ?? 'unreached'
      if (reported.has(why)) return
      reported.add(why)
      log.warn({ err: error }, 'A status could not be shown in Slack; answers come without it. This is logged once')
    }
  }
}

/** @param refreshMs below two minutes, after which Slack removes a status */
export function createStatuses(api: Api, log: Log, refreshMs: number) {
  /** The function that ends the status, for each conversation. */
  const live = new Map<string, () => void>()
  const set = createSetStatus(api, log)

  return {
    show: async (conversation: ConversationRef, text: string, signal: AbortSignal): Promise<void> => {
      if (signal.aborted) return
      const key = keyOf(conversation)
      live.get(key)?.()
      let underWay: Promise<void> | undefined
      let isOver = false
      let wasTold = false
      const tell = async () => {
        const told = set(conversation, text, () => {
          if (isOver) return false
          underWay = told
          return (wasTold = true)
        })
        await told
        underWay = undefined
      }
      const timer = setInterval(() => void tell(), refreshMs).unref()
      const clear = async () => {
        await underWay
        await set(conversation, '')
      }
      const end = () => {
        isOver = true
        clearInterval(timer)
        signal.removeEventListener('abort', fade)
        if (live.get(key) === end) live.delete(key)
        // A status set after the message would stay for two minutes.
        if (underWay !== undefined) void clear()
      }
      function fade() {
        const isShown = wasTold && underWay === undefined
        end()
        if (isShown) void clear()
      }
      signal.addEventListener('abort', fade, { once: true })
      live.set(key, end)
      await tell()
    },
    /** Called when our message is visible: Slack then removes the status itself. */
    shown: (conversation: ConversationRef): void => live.get(keyOf(conversation))?.(),
    stop(): void {
      for (const end of live.values()) end()
    },
  }
}
