import type { Sharing } from '#bridge/port/store.ts'
import { createLru } from '#lib/lru.ts'

/**
 * Discord limits the edits of a whole channel, five in five seconds as far as is known, and discord.js sends them in
 * order: an outdated edit would delay the important one.
 */
const EDITS_PER_WINDOW = 5

interface Pending {
  body: object
  final: boolean
  readonly waiters: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[]
}

interface ChannelQueue {
  readonly pending: Map<string, Pending>
  sent: number[]
  running: boolean
  wake: () => void
}

interface EditPace {
  /** Least time between two interim edits of a channel. */
  readonly paceMs: number
  /** Window in which `EDITS_PER_WINDOW` edits of a channel pass. */
  readonly windowMs: number
}

/** Channels share this many paces: their rows in the store are never deleted. */
const PACES = 1009n

/**
 * The pace of all processes in one channel. It leaves one of the window for an edit that was long on its way. Where the
 * store fails, Discord's own limit is left.
 */
export function createEditTurns(
  pacer: NonNullable<Sharing['pacer']>,
  windowMs: number,
): (channel: string) => Promise<void> {
  const turns = new Map<bigint, () => Promise<void>>()
  return async (channel) => {
    const part = BigInt(channel) % PACES
    const turn = turns.get(part) ?? pacer(`discord edit ${part}`, { everyMs: windowMs / (EDITS_PER_WINDOW - 1) })
    turns.set(part, turn)
    await turn().catch(() => {})
  }
}

interface EditQueueOptions extends EditPace {
  readonly send: (channel: string, message: string, body: object) => Promise<void>
  /** The turn of this process among those that edit in the channel; absent: there is one process. Never rejects. */
  readonly turn?: (channel: string) => Promise<void>
}

export function createEditQueue(options: EditQueueOptions) {
  const queues = new Map<string, ChannelQueue>()
  const shown = createLru<string>(1000)
  const running = new Set<Promise<void>>()

  async function run(channel: string, queue: ChannelQueue): Promise<void> {
    for (let entry = nextEdit(queue); entry !== undefined; entry = nextEdit(queue)) {
      const delay = delayOf(queue, entry[1].final, options)
      if (delay > 0) {
        await pause(queue, delay)
        continue
      }
      if (options.turn !== undefined) await options.turn(channel)
      // A final edit may have come meanwhile.
      const [message, edit] = nextEdit(queue) ?? entry
      queue.pending.delete(message)
      try {
        await options.send(channel, message, edit.body)
        shown.set(message, JSON.stringify(edit.body))
        for (const { resolve } of edit.waiters) resolve()
      } catch (error) {
        shown.delete(message)
        for (const { reject } of edit.waiters) reject(error)
      }
      // Discord has counted it by now, however long it was on its way.
      queue.sent.push(Date.now())
    }
    queue.running = false
    if (queues.size > 1000) queues.delete(channel)
  }

  return {
    /**
     * Edits a message. Newer edits replace waiting ones; all settle with the one sent. `final` edits overtake interim
     * ones and use the channel's spare edit.
     */
    push(channel: string, message: string, body: object, final: boolean): Promise<void> {
      const queue = queues.get(channel) ?? { pending: new Map(), sent: [], running: false, wake: () => {} }
      queues.set(channel, queue)
      const waiting = queue.pending.get(message)
      if (waiting === undefined && !queue.running && shown.get(message) === JSON.stringify(body)) {
        return Promise.resolve()
      }
      return new Promise<void>((resolve, reject) => {
        if (waiting === undefined) {
          queue.pending.set(message, { body, final, waiters: [{ resolve, reject }] })
        } else {
          waiting.body = body
          waiting.final ||= final
          waiting.waiters.push({ resolve, reject })
        }
        queue.wake()
        if (queue.running) return
        queue.running = true
        const work = run(channel, queue)
        running.add(work)
        void work.finally(() => running.delete(work))
      })
    },
    async settled(): Promise<void> {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

/** Final edits first, in order; then the interim edit that has waited longest. */
function nextEdit(queue: ChannelQueue): [string, Pending] | undefined {
  const waiting = [...queue.pending]
  return waiting.find(([, { final }]) => final) ?? waiting[0]
}

/** Milliseconds until an edit may be sent. Interim edits leave one of the window to a final edit. */
function delayOf(queue: ChannelQueue, final: boolean, { paceMs, windowMs }: EditPace): number {
  const now = Date.now()
  queue.sent = queue.sent.filter((at) => now - at < windowMs)
  const newest = queue.sent.at(-1)
  const pace = final || newest === undefined ? 0 : newest + paceMs - now
  const room = final ? EDITS_PER_WINDOW : EDITS_PER_WINDOW - 1
  const freed = queue.sent.at(-room)
  return Math.max(0, pace, freed === undefined ? 0 : freed + windowMs - now)
}

/** Ends early when a new edit arrives, which may be allowed sooner. */
function pause(queue: ChannelQueue, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    queue.wake = () => {
      clearTimeout(timer)
      queue.wake = () => {}
      resolve()
    }
  })
}
